import type { World } from '../../probe/service';
import type { SandboxOptions } from '../../sandbox';
import { EMAIL, runProbe, useBenches, writesOf, type Bench } from './support';

const start = useBenches();

const NAMES = { first_name: 'Ann', last_name: 'Real' };

/** Adds a member to the sandbox who has existed for a long time. */
async function addMember(
	{ sandbox }: Bench,
	email: string,
	names: object = NAMES,
): Promise<string> {
	const headers = {
		authorization: `Bearer ${sandbox.accessToken}`,
		'content-type': 'application/json',
	};
	const body = JSON.stringify({ subscriber: { email, ...names } });
	await fetch(`${sandbox.baseUrl}/subscribers`, { method: 'POST', headers, body });
	const { uuid = '' } = sandbox.state.subscriber(email) ?? {};
	const member = sandbox.state.subscriber(uuid);
	Object.assign(member ?? {}, { created_at: '2024-01-01T00:00:00.000Z' });
	sandbox.controls.setState(uuid, 'deactivated');
	return uuid;
}

const stateOf = ({ sandbox }: Bench, uuid: string): string | undefined =>
	sandbox.state.subscriber(uuid)?.state;

describe('an address that belongs to a real member', () => {
	it.each([
		['as it is', {}, EMAIL],
		['in other capitals', {}, 'Probe@Example.ORG'],
		['in all capitals, looked up exactly', { emailLookup: 'exact' }, EMAIL.toUpperCase()],
	] as const)('%s gets no write', async (_name, options, email) => {
		const bench = await start({ subscribers: 40, ...options });
		const uuid = await addMember(bench, email);
		const before = writesOf(bench.sandbox).length;
		let asked = false;
		const mayWrite = async (): Promise<boolean> => (asked = true);

		const { stopped, left } = await runProbe(bench, { write: EMAIL, mayWrite });

		expect(stopped).toMatch(/belong to a member/);
		expect([left, asked]).toEqual([undefined, false]);
		expect(writesOf(bench.sandbox)).toHaveLength(before);
		expect(stateOf(bench, uuid)).toBe('deactivated');
	});

	it.each(['feeds', 'creators'])('known only to /%s gets no write', async (path) => {
		const bench = await start();
		const { fetch: real } = bench.world;
		const world: World = {
			...bench.world,
			fetch: async (url, init) =>
				String(url).includes(`/${path}/probe`)
					? Response.json({ state: 'x' })
					: await real(url, init),
		};
		const { stopped } = await runProbe({ ...bench, world }, { write: EMAIL });
		expect(stopped).toMatch(/belong to a member/);
		expect(writesOf(bench.sandbox)).toEqual([]);
	});

	it('that look-ups may not find gets no write', async () => {
		const bench = await start();
		bench.sandbox.controls.addFaults({
			kind: 'status',
			status: 500,
			path: '/feeds/probe',
			share: 1,
		});
		const { stopped } = await runProbe(bench, { write: EMAIL });
		expect(stopped).toMatch(/stopped early\. Supercast answered a look-up with 500, JSON/);
		expect(writesOf(bench.sandbox)).toEqual([]);
	});

	const hidden: Array<[SandboxOptions, object]> = [
		[{ onExistingEmail: 'reactivate' }, NAMES],
		[{ onExistingEmail: 'reactivate' }, {}],
		[{ onExistingEmail: 'reactivate', writeBodies: false }, NAMES],
		[{ onExistingEmail: 'reactivate', writeBodies: false }, {}],
		[{ onExistingEmail: 'reject' }, {}],
		[{ onExistingEmail: 'conflict' }, {}],
	];

	it.each(hidden)(
		'hidden from look-ups, with %j and %j: one create only',
		async (options, names) => {
			const bench = await start({ subscribers: 0, ...options });
			const uuid = await addMember(bench, EMAIL, names);
			const before = writesOf(bench.sandbox).length;
			// A look-up before the create finds nobody.
			const { sandbox } = bench;
			const isBefore = (): boolean => writesOf(sandbox).length === before;
			const world: World = {
				...bench.world,
				fetch: async (url, init) => {
					const isLook =
						init?.method === 'GET' && /probe%40|PROBE%40|\/subscribers$/.test(String(url));
					if (!isLook || !isBefore()) return await fetch(url, init);
					return Response.json({ message: 'not found' }, { status: 404 });
				},
			};

			const { stopped, left } = await runProbe({ ...bench, world }, { write: EMAIL });

			expect(stopped).toMatch(/belong to a member/);
			const isTold = options.onExistingEmail === 'reactivate';
			expect(left).toEqual(
				isTold ? expect.stringMatching(/^Check the subscriber with that/) : undefined,
			);
			expect(writesOf(sandbox).slice(before)).toEqual(['POST /api/v1/subscribers']);
			expect(sandbox.state.subscriber(uuid)).toBeDefined();
		},
	);
});
