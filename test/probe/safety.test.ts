import type { World } from '../../probe/service';
import type { Outcome } from '../../probe/run';
import type { SandboxOptions } from '../../sandbox';
import { EMAIL, recordsOf, runProbe, useBenches, writesOf, type Bench } from './support';

const start = useBenches();

/** Puts a member into the sandbox who was there for long. */
async function addMember({ sandbox }: Bench, email: string): Promise<string> {
	const headers = {
		authorization: `Bearer ${sandbox.accessToken}`,
		'content-type': 'application/json',
	};
	const body = JSON.stringify({ subscriber: { email, first_name: 'Ann', last_name: 'Real' } });
	await fetch(`${sandbox.baseUrl}/subscribers`, { method: 'POST', headers, body });
	const { uuid = '' } = sandbox.state.subscriber(email) ?? {};
	const member = sandbox.state.subscriber(uuid);
	Object.assign(member ?? {}, { created_at: '2024-01-01T00:00:00.000Z' });
	sandbox.controls.setState(uuid, 'deactivated');
	return uuid;
}

const stateOf = ({ sandbox }: Bench, uuid: string): string | undefined =>
	sandbox.state.subscriber(uuid)?.state;

describe('an address that is a real member’s', () => {
	it.each([
		['as it is', {}, EMAIL],
		['in other capitals', {}, 'Probe@Example.ORG'],
		['in all capitals, looked up exactly', { emailLookup: 'exact' }, EMAIL.toUpperCase()],
	] as const)('%s: nothing is written', async (_name, options, email) => {
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

	it.each(['feeds', 'creators'])('known to /%s alone: nothing is written', async (path) => {
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

	it('that look-ups cannot be told to know: nothing is written', async () => {
		const bench = await start();
		bench.sandbox.controls.addFaults({ kind: 'status', status: 500, path: '/feeds/probe' });
		const { stopped } = await runProbe(bench, { write: EMAIL });
		expect(stopped).toMatch(/could not go on: a look-up was answered with 500/);
		expect(writesOf(bench.sandbox)).toEqual([]);
	});

	const hidden: SandboxOptions[] = [
		{ onExistingEmail: 'reactivate' },
		{ onExistingEmail: 'reactivate', writeBodies: false },
		{ onExistingEmail: 'reject' },
		{ onExistingEmail: 'conflict' },
	];

	it.each(hidden)('hidden from look-ups, with %j: one create, nothing more', async (options) => {
		const bench = await start({ subscribers: 0, ...options });
		const uuid = await addMember(bench, EMAIL);
		const before = writesOf(bench.sandbox).length;
		// Whoever looks before the create is told that there is nobody.
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
		expect(left).toEqual(isTold ? expect.stringMatching(/^the member with that/) : undefined);
		expect(writesOf(sandbox).slice(before)).toEqual(['POST /api/v1/subscribers']);
		expect(sandbox.state.subscriber(uuid)).toBeDefined();
	});
});

describe('whatever happens, nothing is left', () => {
	/** How many requests a whole run sends, and which of them write. */
	async function count(options: SandboxOptions): Promise<number> {
		const bench = await start(options);
		return (await runProbe(bench, { write: EMAIL })).requests;
	}

	async function interruptedAt(step: number, options: SandboxOptions): Promise<[Bench, Outcome?]> {
		const bench = await start(options);
		const stop = new AbortController();
		let sent = 0;
		const world: World = {
			...bench.world,
			fetch: async (url, init) => {
				if (++sent === step) stop.abort();
				return await fetch(url, init);
			},
		};
		const running = runProbe({ ...bench, world }, { write: EMAIL, signal: stop.signal });
		return [bench, await running.catch(() => undefined)];
	}

	it.each([{}, { personality: 'hostile' }] as SandboxOptions[])(
		'when it is interrupted at any request: %j',
		async (options) => {
			const small = { subscribers: 5, ...options };
			const before = recordsOf((await start(small)).sandbox);
			const total = await count(small);
			let cleaned = 0;
			for (let step = 1; step <= total; step++) {
				const [bench, outcome] = await interruptedAt(step, small);
				expect([step, recordsOf(bench.sandbox)]).toEqual([step, before]);
				const isStopped = outcome?.stopped === 'It was interrupted.';
				const hasWritten = writesOf(bench.sandbox).length > 0;
				if (isStopped && hasWritten) cleaned++;
				await bench.sandbox.close();
			}
			expect(cleaned).toBeGreaterThan(15);
		},
		120_000,
	);

	const faults = [
		{ kind: 'status', status: 500, when: 'before' },
		{ kind: 'status', status: 500, when: 'after' },
		{ kind: 'reset', when: 'after' },
		{ kind: 'html', when: 'after' },
		{ kind: 'truncated', when: 'after' },
	] as const;

	it.each(faults)(
		'when any write meets %j',
		async (fault) => {
			const before = recordsOf((await start({ subscribers: 5 })).sandbox);
			for (let skip = 0; skip < 6; skip++) {
				for (const method of ['POST', 'PATCH', 'DELETE']) {
					const bench = await start({ subscribers: 5 });
					bench.sandbox.controls.addFaults({ ...fault, method, skip });
					const { left } = await runProbe(bench, { write: EMAIL });
					expect([method, skip, left]).toEqual([method, skip, undefined]);
					expect(recordsOf(bench.sandbox)).toBe(before);
					await bench.sandbox.close();
				}
			}
		},
		120_000,
	);

	it('says so when it cannot delete', async () => {
		const bench = await start();
		bench.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'DELETE', share: 1 });
		const { left } = await runProbe(bench, { write: EMAIL });
		expect(left).toMatch(/^a subscriber with that address \(\w+\)$/);
	});
});

describe('limits', () => {
	it('keeps under half of the limit from the first request to the last', async () => {
		const bench = await start();
		await runProbe(bench, { write: EMAIL });
		const times = bench.sandbox.state.requests.map(({ time }) => Date.parse(time));
		for (const time of times) {
			const inMinute = times.filter((other) => other >= time && other < time + 60_000);
			expect(inMinute.length).toBeLessThan(50);
		}
		expect(times.length).toBeGreaterThan(50);
	});

	it('provokes no 429 unless asked to, and not when the answer is no', async () => {
		const bench = await start();
		const mayProvoke = async (): Promise<boolean> => false;
		await runProbe(bench, { limit: true, mayProvoke });
		expect(bench.sandbox.stats().byStatus[429]).toBeUndefined();
		await runProbe(bench, { limit: true });
		expect(bench.sandbox.stats().byStatus[429]).toBe(1);
	});

	it('waits when others have used the limit up, and sees what a 429 says', async () => {
		const bench = await start({ retryAfter: 'date' });
		const { baseUrl, accessToken } = bench.sandbox;
		const headers = { authorization: `Bearer ${accessToken}` };
		for (let sent = 0; sent < 100; sent++) await fetch(`${baseUrl}/channel`, { headers });
		const { evidence } = await runProbe(bench);
		expect(evidence.reading.refusals).toHaveLength(1);
		expect(evidence.reading.channel.status).toBe(200);
	});

	it('writes nothing when the answer is no', async () => {
		const bench = await start();
		await runProbe(bench, { write: EMAIL, mayWrite: async () => false });
		expect(writesOf(bench.sandbox)).toEqual([]);
	});

	it('stops when the token may only read', async () => {
		const bench = await start();
		const token = bench.sandbox.readOnlyToken;
		const { stopped, left } = await runProbe(bench, { write: EMAIL, token });
		expect(stopped).toBe('It could not go on: a create was answered with 403.');
		expect(left).toBeUndefined();
	});

	it('sends the token to no host but those of Supercast', async () => {
		const bench = await start();
		const { sandbox } = bench;
		const asked: string[] = [];
		const world: World = {
			...bench.world,
			fetch: async (url, init) => {
				const address = new URL(String(url));
				asked.push(address.host);
				return await fetch(`${sandbox.origin}${address.pathname}${address.search}`, init);
			},
		};
		await runProbe({ ...bench, world }, { baseUrl: 'https://supercast.tech/api/v1' });
		expect([...new Set(asked)].sort()).toEqual(['demo.supercast.tech', 'supercast.tech']);
		asked.length = 0;
		await runProbe({ ...bench, world }, { baseUrl: 'https://another.example/api/v1' });
		expect([...new Set(asked)]).toEqual(['another.example']);
	});
});
