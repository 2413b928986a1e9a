import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type RunOptions, type RunResult, runSupercast } from '../../harness/engine';
import { TestCredentialsHelper } from '../../harness/engine/credentialsHelper';
import { runtime } from '../../../nodes/Supercast/api/clock';
import type { Subscriber } from '../../../simulators/supercast';
import { useLaterDates } from '../../support/laterDates';
import {
	addMembers,
	hintsOf,
	memberListOf,
	runSetAccess,
	runSync,
	writesOf,
} from '../../support/members';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';

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
			expect(done).toEqual([['closed'], []]);
			const lists = sandbox.current.state.requests.map(({ path, method }) => `${method} ${path}`);
			expect(lists.at(-1)).toMatch(/^GET .*subscribers\?/);
			expect(writesOf(sandbox.current)).toHaveLength(1);
		});

		it('end quietly if the other one is an earlier execution of the same workflow', async () => {
			const [first, second] = await Promise.all([
				runSync(sandbox.current, everyoneBut(members[0]!)),
				runSync(sandbox.current, everyoneBut(members[0]!)),
			]);
			expect(first.output.map(({ json }) => json.action)).toEqual(['closed']);
			expect([second.error, second.output]).toEqual([undefined, []]);
			expect(hintsOf(second)).toContain('is still running Sync, so this one did nothing');
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
			expect(hintsOf(await real)).toContain('no feed had to open or close');
		});
	});

	describe('a list that is too old', () => {
		it('closes nobody after it has waited', async () => {
			const [ann] = members;
			const slow = runSync(sandbox.current, everyoneBut(), {}, { workflowId: 'stripe' });
			const waiting = runSync(sandbox.current, everyoneBut(ann!), {}, { workflowId: 'patreon' });
			letPass(6, 1);
			await slow;
			expect(hintsOf(await waiting)).toContain('the list is too old');
			expect(ann!.state).toBe('available');
		});

		it('closes those whose turn comes in time, and leaves the others to the next run', async () => {
			const gone = members.slice(0, 10);
			letPass(11, 6);
			const options = { parallelRequests: 1, output: 'changesAndSummary' };
			const { output } = await runSync(sandbox.current, everyoneBut(...gone), {
				maxClosePercent: 100,
				options,
			});
			const closed = gone.filter(({ state }) => state === 'deactivated').length;
			expect(closed).toBeGreaterThan(0);
			expect(closed).toBeLessThan(10);
			expect(output).toHaveLength(closed + 1);
			expect(output.at(-1)!.json).toMatchObject({
				action: 'summary',
				numbers: {
					closed,
					open: 40 - closed,
					keptByReason: { 'the list is too old': 10 - closed },
				},
			});
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
		const options = { graceHours: 0, output: 'all' };
		return await runSync(sandbox.current, memberListOf(rows), { close: 'all', options });
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
				reason: expect.stringContaining('handled by another operation since the list arrived'),
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
			...{ email: `new.${number}@example.com`, id: `n-${number}` },
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

describe('Close After (Lists)', () => {
	const sandbox = useSandbox();
	const dates = useLaterDates();

	let test = 0;
	let members: Subscriber[];
	let gone: Subscriber;
	let stored: Record<string, IDataObject>;

	beforeEach(() => {
		test += 1;
		stored = {};
		members = addMembers(sandbox.current, 40);
		gone = members[7]!;
	});

	/** A list without a member, five minutes after the one before. */
	interface List {
		/** Whether the list has everyone. */
		isWhole?: boolean;
		/** What n8n has stored, by a name, and another name for a copy of it afterwards. */
		data?: string;
		copy?: string;
		/** A process knows only its own lists, and what n8n has stored. So does a workflow. */
		process?: string;
		given?: Partial<RunOptions>;
	}

	async function list(
		{ isWhole = false, data, copy, process = 'one', given }: List,
		rows = memberListOf(members.filter((one) => isWhole || one !== gone)),
		parameters: INodeParameters = {},
	): Promise<RunResult> {
		dates.pass(5);
		const staticData = data === undefined ? {} : (stored[data] ??= {});
		const options = { workflowId: `${process} ${test}`, staticData, ...given };
		const all = { options: { closeAfter: 2 }, ...parameters };
		const result = await runSync(sandbox.current, rows, all, options);
		if (copy !== undefined) stored[copy] = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		return result;
	}

	const byHand: List = { given: { mode: 'manual' } };

	it.each<[string, number, List[]]>([
		['after two lists in a row', 403, [{}, {}]],
		['not after one', 200, [{}]],
		[
			'after a restart, because n8n stores lists',
			403,
			[{ data: 'a' }, { data: 'a', process: 'two' }],
		],
		['not if n8n has stored nothing', 200, [{}, { process: 'two' }]],
		['with the next list, then', 403, [{}, { process: 'two' }, { process: 'two' }]],
		[
			...(['not because of old data that n8n has stored', 200] as const),
			[{ data: 'a', copy: 'b' }, { data: 'a', isWhole: true }, { data: 'b' }],
		],
		['after two runs by hand', 403, [byHand, byHand]],
		['not because of another workflow', 200, [{ data: 'a', process: 'two' }, { data: 'b' }]],
	])('a feed closes %s', async (_, status, lists) => {
		const feed = sandbox.current.state.feedUrl(gone.email);
		for (const one of lists) await list(one);
		expect(await feedStatus(feed)).toBe(status);
	});

	/** Another credential for this channel. */
	const another = (change: object = {}): Partial<RunOptions> => ({
		credential: new TestCredentialsHelper({ ...credentialOf(sandbox.current), ...change }, 'other'),
	});

	it.each<[string, List[]]>([
		['in this process', [{}, {}]],
		['after a restart', [{ data: 'a' }, { data: 'a', process: 'two' }]],
	])('a list that came with another credential for the channel counts %s', async (_, lists) => {
		const [first, next] = lists;
		await list({ ...first, given: another() });
		await list({ ...next });
		expect(gone.state).toBe('deactivated');
	});

	it('a list with everyone counts too, if it came with another credential', async () => {
		await list({ data: 'a' });
		await list({ data: 'a', isWhole: true, given: another() });
		await list({ data: 'a' });
		expect(gone.state).toBe('available');
	});

	it('a list that came with another credential does not count if the channel is unknown', async () => {
		const { controls } = sandbox.current;
		controls.addFaults({ kind: 'status', status: 403, path: '/channel', times: 9 });
		await list({ data: 'a', given: another() });
		await list({ data: 'a' });
		expect(gone.state).toBe('available');
	});

	it.each(['stored', 'stored, and then read while the channel is unknown'])(
		'what an earlier version has %s counts, for its credential',
		async (how) => {
			await list({ data: 'a' });
			const [own] = Object.values((stored.a!.global as IDataObject).supercastSync as object);
			delete (own as { sync: IDataObject }).sync.channel;
			if (how !== 'stored') {
				sandbox.current.controls.addFaults({
					kind: 'status',
					status: 403,
					path: '/channel',
					times: 9,
				});
			}
			await list({ data: 'a', process: 'two' });
			expect(gone.state).toBe('deactivated');
		},
	);

	it('feeds that had to stay open count for the limit only once, also after a restart', async () => {
		const more = addMembers(sandbox.current, 3, () => ({ customer_id: null }));
		const rows = memberListOf(members);
		const unknown = { email: '', id: 'c-of-one-of-them' };
		const all = { close: 'all' };
		await list({ data: 'a' }, [...rows, ...memberListOf(more.slice(0, 1)), unknown], all);
		await list({ data: 'a', copy: 'b' }, [...rows, unknown], all);
		const { error } = await list({ data: 'b', process: 'two' }, rows, all);
		expect(error).toBeUndefined();
		expect(more.map(({ state }) => state)).toEqual(Array(3).fill('available'));
	});

	it.each([null, 'text', { sync: { missing: { x: -1, y: 'z' }, seenAt: 'never' } }])(
		'stored data that someone else wrote does not fail the run: %j',
		async (own) => {
			const global = { supercastSync: { '2': own } };
			const { error } = await list({ given: { staticData: { global } } });
			expect(error).toBeUndefined();
			const { error: other } = await list({ given: { staticData: { 'node:Supercast': own } } });
			expect(other).toBeUndefined();
		},
	);

	it('at most 2,000 names are stored', async () => {
		addMembers(sandbox.current, 2_500);
		const staticData: IDataObject = {};
		const parameters = { maxClosePercent: 100, options: { closeAfter: 2 } };
		await runSync(sandbox.current, memberListOf(members), parameters, { staticData });
		const { global } = staticData as { global: { supercastSync: IDataObject } };
		const [own] = Object.values(global.supercastSync) as Array<{ sync: { missing: IDataObject } }>;
		expect(Object.keys(own!.sync.missing)).toHaveLength(2_000);
		expect(JSON.stringify(staticData).length).toBeLessThan(110_000);
	});
});
