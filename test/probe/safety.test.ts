import type { SandboxOptions } from '../../simulators/supercast';
import type { ProbeRuntime } from '../../tools/probe/service';
import { answering, type Bench, EMAIL, recordsOf, runProbe, useBenches, writesOf } from './support';

const start = useBenches();

/** A bench that does something before its request with this number. */
function atRequest({ sandbox, runtime }: Bench, number: number, act: () => void): Bench {
	let sent = 0;
	return answering({ sandbox, runtime }, () => {
		if (++sent === number) act();
		return undefined;
	});
}

describe('requests', () => {
	it('stay under half of the limit from the first to the last', async () => {
		const bench = await start();
		await runProbe(bench, { write: EMAIL });
		const times = bench.sandbox.state.requests.map(({ time }) => Date.parse(time));
		for (const time of times) {
			const inMinute = times.filter((other) => other >= time && other < time + 60_000);
			expect(inMinute.length).toBeLessThan(50);
		}
		expect(times.length).toBeGreaterThan(50);
	});

	it('provoke a 429 only with the flag, and only after a yes', async () => {
		const bench = await start();
		await runProbe(bench, { limit: true, mayProvoke: async () => false });
		expect(bench.sandbox.stats().byStatus[429]).toBeUndefined();
		await runProbe(bench, { limit: true });
		expect(bench.sandbox.stats().byStatus[429]).toBeLessThanOrEqual(5);
	});

	it("take the token only to Supercast's hosts", async () => {
		const { sandbox, runtime } = await start();
		const asked = new Set<string>();
		const redirected: ProbeRuntime['fetch'] = async (url, init) => {
			const { host, pathname, search } = new URL(String(url));
			asked.add(host);
			return await fetch(`${sandbox.origin}${pathname}${search}`, init);
		};
		const bench = { sandbox, runtime: { ...runtime, fetch: redirected } };
		await runProbe(bench, { baseUrl: 'https://supercast.tech/api/v1' });
		expect([...asked].sort()).toEqual(['demo.supercast.tech', 'supercast.tech']);
		asked.clear();
		await runProbe(bench, { baseUrl: 'https://another.example/api/v1' });
		expect([...asked]).toEqual(['another.example']);
	});
});

describe('an address that belongs to a real member', () => {
	/** Adds a long-standing member to the sandbox. */
	async function addMember({ sandbox }: Bench, email: string): Promise<string> {
		const headers = {
			authorization: `Bearer ${sandbox.accessToken}`,
			'content-type': 'application/json',
		};
		const body = JSON.stringify({ subscriber: { email, first_name: 'Ann' } });
		await fetch(`${sandbox.baseUrl}/subscribers`, { method: 'POST', headers, body });
		const member = sandbox.state.subscriber(email)!;
		Object.assign(member, { created_at: '2024-01-01T00:00:00.000Z' });
		sandbox.controls.setState(member.uuid, 'deactivated');
		return member.uuid;
	}

	it.each([
		['as it is', {}, EMAIL],
		['in other capitals', {}, 'Probe@Example.ORG'],
		['in all capitals, looked up exactly', { emailLookup: 'exact' }, EMAIL.toUpperCase()],
	] as const)('%s gets no write', async (_name, options, email) => {
		const bench = await start({ subscribers: 40, ...options });
		const uuid = await addMember(bench, email);
		const before = writesOf(bench.sandbox).length;
		const { stopped, left } = await runProbe(bench, { write: EMAIL });
		expect(stopped).toMatch(/belong to a member/);
		expect(left).toBeUndefined();
		expect(writesOf(bench.sandbox)).toHaveLength(before);
		expect(bench.sandbox.state.subscriber(uuid)?.state).toBe('deactivated');
	});

	it('that look-ups may not find gets no write', async () => {
		const bench = await start();
		const fault = { kind: 'status', status: 500, path: '/feeds/probe', share: 1 } as const;
		bench.sandbox.controls.addFaults(fault);
		const { stopped } = await runProbe(bench, { write: EMAIL });
		expect(stopped).toMatch(/stopped early\. Supercast answered a look-up with 500, JSON/);
		expect(writesOf(bench.sandbox)).toEqual([]);
	});

	it.each(['reactivate', 'reject'] as const)(
		'hidden from look-ups gets one create only, which may %s them',
		async (onExistingEmail) => {
			const bench = await start({ subscribers: 0, onExistingEmail });
			const { sandbox } = bench;
			const uuid = await addMember(bench, EMAIL);
			const before = writesOf(sandbox).length;
			const hidden = answering(bench, (method, path) => {
				const isLook = method === 'GET' && /probe%40|PROBE%40|\/subscribers$/.test(path);
				const isHidden = isLook && writesOf(sandbox).length === before;
				return isHidden ? Response.json({ message: 'not found' }, { status: 404 }) : undefined;
			});
			const { stopped, left } = await runProbe(hidden, { write: EMAIL });
			expect(stopped).toMatch(/belong to a member/);
			const isTold = onExistingEmail === 'reactivate';
			expect(left).toEqual(isTold ? expect.stringMatching(/^Check the subscriber/) : undefined);
			expect(writesOf(sandbox).slice(before)).toEqual(['POST /api/v1/subscribers']);
			expect(sandbox.state.subscriber(uuid)).toBeDefined();
		},
	);
});

describe('nothing is left', () => {
	const few: SandboxOptions = { subscribers: 5 };

	it('and nothing is written, when the answer is no', async () => {
		const bench = await start();
		await runProbe(bench, { write: EMAIL, mayWrite: async () => false });
		expect(writesOf(bench.sandbox)).toEqual([]);
	});

	it.each([few, { ...few, profile: 'hostile' }] as SandboxOptions[])(
		'when it is interrupted while it writes: %j',
		async (options) => {
			const before = recordsOf((await start(options)).sandbox);
			const reading = (await runProbe(await start(options))).requests;
			for (const step of [6, 9, 13, 18]) {
				const bench = await start(options);
				const stop = new AbortController();
				const stopped = atRequest(bench, reading + step, () => stop.abort());
				const outcome = await runProbe(stopped, { write: EMAIL, signal: stop.signal });
				expect(outcome.stopped).toBe('You stopped the probe.');
				expect(writesOf(bench.sandbox)).not.toEqual([]);
				expect([step, recordsOf(bench.sandbox)]).toEqual([step, before]);
			}
		},
	);

	it.each([
		{ kind: 'status', status: 500, when: 'before' },
		{ kind: 'reset', when: 'after' },
		{ kind: 'html', when: 'after' },
	] as const)('when a write meets %j', async (fault) => {
		const before = recordsOf((await start(few)).sandbox);
		for (const method of ['POST', 'PATCH', 'DELETE']) {
			const { sandbox, runtime } = await start(few);
			sandbox.controls.addFaults({ ...fault, method });
			const { left } = await runProbe({ sandbox, runtime }, { write: EMAIL });
			expect([method, left, recordsOf(sandbox)]).toEqual([method, undefined, before]);
		}
	});

	it('when a create is lost, and processed seconds later', async () => {
		const { sandbox, runtime } = await start({ ...few, onExistingEmail: 'duplicate' });
		const before = recordsOf(sandbox);
		let late: (() => Promise<unknown>) | undefined;
		let due = Infinity;
		const losing: ProbeRuntime['fetch'] = async (url, init) => {
			if (runtime.now() >= due) {
				due = Infinity;
				await late?.();
			}
			if (init?.method !== 'POST' || late) return await fetch(url, init);
			due = runtime.now() + 9_000;
			late = async () => await fetch(url, init);
			throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
		};
		const bench = { sandbox, runtime: { ...runtime, fetch: losing } };
		const { stopped, left } = await runProbe(bench, { write: EMAIL });
		expect([stopped, left]).toEqual(['Supercast could not be reached (ECONNRESET).', undefined]);
		expect(writesOf(sandbox)).toContainEqual(expect.stringMatching(/^POST/));
		expect(recordsOf(sandbox)).toBe(before);
	});

	it('when only a list in small pages without a total shows the new subscriber', async () => {
		const options = { ...few, usageAlerts: 0, perPageMax: 2, headers: 'none' } as const;
		const bench = await start(options);
		const before = recordsOf(bench.sandbox);
		const gone = () => Response.json({ message: 'Not found' }, { status: 404 });
		const hiding = answering(bench, async (method, path) => {
			if (method !== 'POST')
				return /\/(subscribers|feeds)\/probe%40/i.test(path) ? gone() : undefined;
			const { accessToken } = bench.sandbox;
			const headers = {
				authorization: `Bearer ${accessToken}`,
				'content-type': 'application/json',
			};
			const body = JSON.stringify({ subscriber: { email: EMAIL } });
			await fetch(`${bench.sandbox.baseUrl}/subscribers`, { method, headers, body });
			return new Response(null, { status: 201 });
		});
		const { left } = await runProbe(hiding, { write: EMAIL });
		expect(writesOf(bench.sandbox)).toContainEqual(expect.stringMatching(/^POST/));
		expect([left, recordsOf(bench.sandbox)]).toEqual([undefined, before]);
	});

	it('unless the token cannot delete, which the probe then says', async () => {
		const { sandbox, runtime } = await start();
		sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'DELETE', share: 1 });
		const { left } = await runProbe({ sandbox, runtime }, { write: EMAIL });
		expect(left).toMatch(/^A subscriber with that address is left \(\w+\)\.$/);
	});
});
