import { findings } from '../../tools/probe/report';
import type { ProbeRuntime } from '../../tools/probe/service';
import type { SandboxOptions } from '../../simulators/supercast';
import { edited } from './servers/edits';
import { type Bench, EMAIL, runProbe, useBenches, writesOf } from './support';

describe('limits', () => {
	const start = useBenches();

	it('stays under half of the limit from the first request to the last', async () => {
		const bench = await start();
		await runProbe(bench, { write: EMAIL });
		const times = bench.sandbox.state.requests.map(({ time }) => Date.parse(time));
		for (const time of times) {
			const inMinute = times.filter((other) => other >= time && other < time + 60_000);
			expect(inMinute.length).toBeLessThan(50);
		}
		expect(times.length).toBeGreaterThan(50);
	});

	it('provokes a 429 only with the flag, and only after a yes', async () => {
		const bench = await start();
		const mayProvoke = async (): Promise<boolean> => false;
		await runProbe(bench, { limit: true, mayProvoke });
		expect(bench.sandbox.stats().byStatus[429]).toBeUndefined();
		await runProbe(bench, { limit: true });
		expect(bench.sandbox.stats().byStatus[429]).toBeLessThanOrEqual(5);
	});

	it('are still found out after the writing part has stopped early', async () => {
		const bench = await start();
		bench.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'POST', share: 1 });
		const { stopped, evidence } = await runProbe(bench, { write: EMAIL, limit: true });
		expect(stopped).toContain('stopped early');
		expect(evidence.limit?.refusal).toBeDefined();
	});

	it('are not judged by responses that only refuse the token', async () => {
		const bench = await start({ rateLimit: 0 });
		let sent = 0;
		const runtime = edited(bench.runtime, () =>
			++sent > 60 ? Response.json({ message: 'Access denied' }, { status: 403 }) : undefined,
		);
		const { evidence } = await runProbe({ ...bench, runtime }, { limit: true });
		const row = findings(evidence).find(({ id }) => id === 'rate-limit');
		expect(row).toMatchObject({ verdict: 'unknown', seen: expect.stringContaining('no 429, but') });
	});

	it('stops provoking at Ctrl+C, and keeps what it found', async () => {
		const bench = await start({ rateLimit: 0 });
		const stop = new AbortController();
		let sent = 0;
		const runtime = edited(bench.runtime, () => {
			if (++sent === 60) stop.abort();
			return undefined;
		});
		const outcome = await runProbe({ ...bench, runtime }, { limit: true, signal: stop.signal });
		expect(outcome.stopped).toBe('You stopped the probe.');
		expect(outcome.requests).toBeLessThan(66);
		expect(outcome.evidence.reading.channel.status).toBe(200);
	});

	it('gives up provoking when nothing responds any more', async () => {
		const bench = await start({ rateLimit: 0 });
		let sent = 0;
		const fetchUntil: ProbeRuntime['fetch'] = async (url, init) => {
			if (++sent > 60) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
			return await bench.runtime.fetch(url, init);
		};
		const runtime = { ...bench.runtime, fetch: fetchUntil };
		const { requests } = await runProbe({ ...bench, runtime }, { limit: true });
		expect(requests).toBeLessThan(70);
	});

	it('waits when others have used up the limit, and reads the 429', async () => {
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
		expect(stopped).toBe('The probe stopped early. Supercast answered a create with 403.');
		expect(left).toBeUndefined();
	});

	it("sends the token only to Supercast's hosts", async () => {
		const bench = await start();
		const { sandbox } = bench;
		const asked: string[] = [];
		const runtime: ProbeRuntime = {
			...bench.runtime,
			fetch: async (url, init) => {
				const address = new URL(String(url));
				asked.push(address.host);
				return await fetch(`${sandbox.origin}${address.pathname}${address.search}`, init);
			},
		};
		await runProbe({ ...bench, runtime }, { baseUrl: 'https://supercast.tech/api/v1' });
		expect([...new Set(asked)].sort()).toEqual(['demo.supercast.tech', 'supercast.tech']);
		asked.length = 0;
		await runProbe({ ...bench, runtime }, { baseUrl: 'https://another.example/api/v1' });
		expect([...new Set(asked)]).toEqual(['another.example']);
	});
});

describe('an address that belongs to a real member', () => {
	const start = useBenches();

	const NAMES = { first_name: 'Ann', last_name: 'Real' };

	/** Adds a long-standing member to the sandbox. */
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
		const { fetch: real } = bench.runtime;
		const runtime: ProbeRuntime = {
			...bench.runtime,
			fetch: async (url, init) =>
				String(url).includes(`/${path}/probe`)
					? Response.json({ state: 'x' })
					: await real(url, init),
		};
		const { stopped } = await runProbe({ ...bench, runtime }, { write: EMAIL });
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
			const runtime: ProbeRuntime = {
				...bench.runtime,
				fetch: async (url, init) => {
					const isLook =
						init?.method === 'GET' && /probe%40|PROBE%40|\/subscribers$/.test(String(url));
					if (!isLook || !isBefore()) return await fetch(url, init);
					return Response.json({ message: 'not found' }, { status: 404 });
				},
			};

			const { stopped, left } = await runProbe({ ...bench, runtime }, { write: EMAIL });

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
