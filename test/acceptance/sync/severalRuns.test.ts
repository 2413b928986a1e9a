import type { INodeParameters } from 'n8n-workflow';

import { type RunResult, runSupercast } from '../../harness/engine';
import { runtime } from '../../../nodes/Supercast/api/clock';
import type { Subscriber } from '../../../simulators/supercast';
import {
	actionsOf,
	addMembers,
	hintsOf,
	memberListOf,
	runSetAccess,
	runSync,
	writesOf,
} from '../../support/members';
import { credentialOf, useSandbox } from '../../support/sandbox';

describe('runs at the same time', () => {
	const sandbox = useSandbox({ subscribers: 0, latencyMs: 20 });

	let members: Subscriber[];
	beforeEach(() => (members = addMembers(sandbox.current, 40)));

	const realClock = runtime.clock;
	afterEach(() => Object.assign(runtime, { clock: realClock }));

	/** Sets the clock ahead by `minutes` once the sandbox has received `fromRequest` requests. */
	function letPass(minutes: number, fromRequest: number): void {
		const ahead = (): number =>
			sandbox.current.stats().requests >= fromRequest ? minutes * 60_000 : 0;
		Object.assign(runtime, {
			clock: { ...realClock, date: () => realClock.date() + ahead() },
		});
	}

	const everyoneBut = (...gone: Subscriber[]) =>
		memberListOf(members.filter((one) => !gone.includes(one)));

	describe('two Syncs with the same credential', () => {
		it('take turns', async () => {
			const [ann] = members;
			const results = await Promise.all(
				['stripe', 'patreon'].map(
					async (workflowId) =>
						await runSync(sandbox.current, everyoneBut(ann!), {}, { workflowId }),
				),
			);
			expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
			const done = results.map(({ output }) => output.map(({ json }) => json.action));
			expect(done).toEqual([['closed', 'summary'], ['summary']]);
			const lists = sandbox.current.state.requests.map(({ path, method }) => `${method} ${path}`);
			expect(lists.at(-1)).toMatch(/^GET .*subscribers\?/);
			expect(writesOf(sandbox.current)).toHaveLength(1);
		});

		it('end quietly if the other one is an earlier execution of the same workflow', async () => {
			const [first, second] = await Promise.all([
				runSync(sandbox.current, everyoneBut(members[0]!)),
				runSync(sandbox.current, everyoneBut(members[0]!)),
			]);
			expect(actionsOf(first)).toEqual(['closed', 'summary']);
			expect([second.error, actionsOf(second)]).toEqual([undefined, []]);
			expect(hintsOf(second)).toContain('did nothing, because an earlier run has not ended');
			expect((await runSync(sandbox.current, everyoneBut(members[0]!))).error).toBeUndefined();
		});

		it('stop with an error if the other one does not end', async () => {
			sandbox.current.controls.addFaults({ kind: 'stall', stallMs: 60_000, times: 1 });
			let end = (): void => undefined;
			const onStart = (stop: () => void): void => void (end = stop);
			const first = runSync(sandbox.current, everyoneBut(), {}, { workflowId: 'stripe', onStart });
			while (sandbox.current.stats().requests < 1) await new Promise((done) => setTimeout(done, 1));
			Object.assign(runtime, {
				clock: { ...realClock, sleep: async () => await Promise.resolve() },
			});
			const { error } = await runSync(
				sandbox.current,
				everyoneBut(),
				{},
				{ workflowId: 'patreon' },
			);
			expect(error?.message).toContain('Another Sync in the same channel is still running');
			end();
			await first;
		});

		it('do not hold up a dry run', async () => {
			const dry = runSync(sandbox.current, everyoneBut(), { dryRun: true });
			const real = runSync(sandbox.current, everyoneBut());
			expect(hintsOf(await dry)).toContain('DRY RUN: ');
			expect(hintsOf(await real)).toContain('0 opened, 0 closed');
		});
	});

	describe('a list that is too old', () => {
		it('closes nobody after it has waited', async () => {
			const [ann] = members;
			const slow = runSync(sandbox.current, everyoneBut(), {}, { workflowId: 'stripe' });
			const waiting = runSync(sandbox.current, everyoneBut(ann!), {}, { workflowId: 'patreon' });
			letPass(6, 1);
			await slow;
			expect(hintsOf(await waiting)).toContain('is older than five minutes');
			expect(ann!.state).toBe('available');
		});

		it('closes those whose turn comes in time, and leaves the others to the next run', async () => {
			const gone = members.slice(0, 10);
			letPass(11, 6);
			const options = { parallelRequests: 1 };
			const { output } = await runSync(sandbox.current, everyoneBut(...gone), {
				maxClosePercent: 100,
				options,
			});
			const closed = gone.filter(({ state }) => state === 'deactivated').length;
			expect(closed).toBeGreaterThan(0);
			expect(closed).toBeLessThan(10);
			expect(output).toHaveLength(10 + 1);
			expect(output.at(-1)!.json.numbers).toMatchObject({ closed, open: 40 - closed });
			expect(output.at(-2)!.json.reason).toContain('the list had become too old');
			Object.assign(runtime, { clock: realClock });
			await runSync(sandbox.current, everyoneBut(...gone), { maxClosePercent: 100 });
			expect(gone.every(({ state }) => state === 'deactivated')).toBe(true);
		});
	});
});

describe('an older list', () => {
	const sandbox = useSandbox();
	const realClock = runtime.clock;

	let members: Subscriber[];
	let ann: Subscriber;

	beforeEach(() => {
		members = addMembers(sandbox.current, 20);
		ann = members[3]!;
	});

	afterEach(() => Object.assign(runtime, { clock: realClock }));

	function setAhead(ms: number, dateMs = 0): void {
		const clock = { now: () => realClock.now() + ms, date: () => realClock.date() + dateMs };
		Object.assign(runtime, { clock: { ...realClock, ...clock } });
	}

	/** Runs an operation ten seconds after the list of the next Sync came. */
	async function afterTheList(operation: string, given: INodeParameters): Promise<void> {
		setAhead(10_000);
		const resource = 'subscriber' in given ? 'feed' : 'subscriber';
		const parameters = { resource, operation, ...given };
		const run = await runSupercast({ parameters, credential: credentialOf(sandbox.current) });
		expect(run.error).toBeUndefined();
		setAhead(0);
	}

	async function syncOf(rows: readonly Subscriber[]): Promise<RunResult> {
		return await runSync(sandbox.current, memberListOf(rows), { close: 'all' });
	}

	const by = (mode: string, value: unknown): INodeParameters => ({
		subscriber: { __rl: true, mode, value } as INodeParameters,
	});

	it.each<[string, string, string, (one: Subscriber) => INodeParameters]>([
		['deactivated', 'activate', 'available', ({ email }) => by('email', email.toUpperCase())],
		['deactivated', 'activate', 'available', ({ uuid }) => by('uuid', uuid)],
		['deactivated', 'activate', 'available', ({ customer_id: id }) => by('customerId', id)],
		[
			...(['deactivated', 'upsert', 'available'] as const),
			({ email }) => ({ email, options: { reactivate: true } }),
		],
		['available', 'deactivate', 'deactivated', ({ uuid }) => by('uuid', uuid)],
		['available', 'suspend', 'suspended', ({ uuid }) => by('uuid', uuid)],
	])(
		'changes no feed that was %s before %s made it %s',
		async (before, operation, after, given) => {
			ann.state = before as Subscriber['state'];
			await afterTheList(operation, given(ann));
			const others = members.filter((one) => one !== ann);
			const { output } = await syncOf(after === 'available' ? others : members);
			expect(ann.state).toBe(after);
			if (after !== 'available') return;
			const [item] = output.filter(({ json }) => json.email === ann.email);
			expect(item!.json).toMatchObject({
				action: 'kept',
				reason: 'another operation changed this person during the run',
			});
			// The next list decides again.
			setAhead(60_000);
			await syncOf(others);
			expect(ann.state).toBe('deactivated');
		},
	);

	it.each(['create', 'upsert'])('closes no feed of a new subscriber (%s)', async (operation) => {
		await afterTheList(operation, { email: 'New@example.com' });
		await syncOf(members);
		const created = sandbox.current.state.subscribers.find(({ email }) => /new@/i.test(email));
		expect(created?.state).toBe('available');
	});

	it('creates nobody who cancels during a Sync of more than an hour', async () => {
		const rows = Array.from({ length: 40 }, (_, number) => ({
			...{ email: `new.${number}@example.com`, id: `c-n-${number}` },
		}));
		const syncing = runSync(sandbox.current, [...memberListOf(members), ...rows], {
			options: { parallelRequests: 1 },
		});
		while (writesOf(sandbox.current).length < 3) await new Promise((done) => setTimeout(done, 1));
		const leaver = rows.at(-1)!;
		await runSetAccess(sandbox.current, [{ access: 'close', ...leaver }]);
		setAhead(90 * 60_000, 90 * 60_000);
		expect((await syncing).error).toBeUndefined();
		expect(sandbox.current.state.subscriber(leaver.email)).toBeUndefined();
		expect(writesOf(sandbox.current)).toHaveLength(39);
	});
});
