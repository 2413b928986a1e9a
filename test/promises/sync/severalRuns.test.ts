import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type RunOptions, type RunResult, runSupercast } from '../../../harness/engine';
import { TestCredentialsHelper } from '../../../harness/engine/credentialsHelper';
import { runtime } from '../../../nodes/Supercast/api/clock';
import type { Subscriber } from '../../../sandbox';
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
			expect(error?.message).toContain('Another Sync with the same credential is still running');
			end();
			await first;
		});

		it('do not hold up a dry run', async () => {
			const dry = runSync(sandbox.current, everyoneBut(), { dryRun: true });
			const real = runSync(sandbox.current, everyoneBut());
			expect(hintsOf(await dry)).toContain('Dry run.');
			expect(hintsOf(await real)).toContain('Nothing had to change.');
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
				closed,
				open: 40 - closed,
				keptByReason: { 'the list is too old': 10 - closed },
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

	/** Runs an operation ten seconds after the list of the next Sync came. */
	async function afterTheList(
		resource: string,
		operation: string,
		parameters: INodeParameters,
	): Promise<void> {
		const now = (): number => realClock.now() + 10_000;
		Object.assign(runtime, { clock: { ...realClock, now } });
		const credential = credentialOf(sandbox.current);
		const run = await runSupercast({
			parameters: { resource, operation, ...parameters },
			credential,
		});
		expect(run.error).toBeUndefined();
		Object.assign(runtime, { clock: realClock });
	}

	async function syncOf(rows: readonly Subscriber[]): Promise<RunResult> {
		const options = { graceHours: 0, output: 'all' };
		return await runSync(sandbox.current, memberListOf(rows), { close: 'all', options });
	}

	const locators = (): Array<[string, string]> => [
		['email', ann.email.toUpperCase()],
		['uuid', ann.uuid],
		['customerId', ann.customer_id ?? ''],
	];

	describe('Sync with an older list does not', () => {
		it.each([0, 1, 2])(
			'close a feed that Feed: Activate has opened since (locator %i)',
			async (which) => {
				ann.state = 'deactivated';
				const [mode, value] = locators()[which]!;
				const subscriber = { __rl: true, mode, value };
				await afterTheList('feed', 'activate', { subscriber });
				const { output } = await syncOf(members.filter((one) => one !== ann));
				expect(ann.state).toBe('available');
				const [item] = output.filter(({ json }) => json.email === ann.email);
				expect(item!.json).toMatchObject({ action: 'kept' });
				expect(item!.json.reason).toContain('handled by another operation since the list arrived');
			},
		);

		it.each(['deactivate', 'suspend'])(
			'reopen a feed that Feed: %s has closed since',
			async (operation) => {
				const subscriber = { __rl: true, mode: 'uuid', value: ann.uuid };
				await afterTheList('feed', operation, { subscriber });
				const { state } = ann;
				await syncOf(members);
				expect([state, ann.state]).toEqual([state, state]);
				expect(state).not.toBe('available');
			},
		);

		it.each(['create', 'upsert'])('close a feed of a new subscriber (%s)', async (operation) => {
			await afterTheList('subscriber', operation, { email: 'New@example.com' });
			await syncOf(members);
			const created = sandbox.current.state.subscribers.find(({ email }) => /new@/i.test(email));
			expect(created?.state).toBe('available');
		});

		it('close a feed that Create or Update has reopened since', async () => {
			ann.state = 'deactivated';
			await afterTheList('subscriber', 'upsert', {
				email: ann.email,
				options: { reactivate: true },
			});
			await syncOf(members.filter((one) => one !== ann));
			expect(ann.state).toBe('available');
		});
	});

	it('a member who cancels during a Sync of more than an hour is not created by it', async () => {
		const rows = Array.from({ length: 40 }, (_, number) => ({
			...{ email: `new.${number}@example.com`, id: `n-${number}` },
		}));
		const syncing = runSync(sandbox.current, [...memberListOf(members), ...rows], {
			options: { parallelRequests: 1 },
		});
		while (writesOf(sandbox.current).length < 3) await new Promise((done) => setTimeout(done, 1));
		const leaver = rows.at(-1)!;
		await runSetAccess(sandbox.current, [{ access: 'close', ...leaver }]);
		const later = 90 * 60_000;
		const now = (): number => realClock.now() + later;
		Object.assign(runtime, { clock: { ...realClock, now, date: () => realClock.date() + later } });
		expect((await syncing).error).toBeUndefined();
		expect(sandbox.current.state.subscriber(leaver.email)).toBeUndefined();
		expect(writesOf(sandbox.current)).toHaveLength(39);
	});

	it('the next list decides again', async () => {
		ann.state = 'deactivated';
		const subscriber = { __rl: true, mode: 'uuid', value: ann.uuid };
		await afterTheList('feed', 'activate', { subscriber });
		const now = (): number => realClock.now() + 60_000;
		Object.assign(runtime, { clock: { ...realClock, now } });
		await syncOf(members.filter((one) => one !== ann));
		expect(ann.state).toBe('deactivated');
	});
});

describe('Close After', () => {
	const sandbox = useSandbox();
	const dates = useLaterDates();

	let lists = 0;
	let members: Subscriber[];
	let gone: Subscriber;

	beforeEach(() => {
		members = addMembers(sandbox.current, 40);
		gone = members[7]!;
	});

	/** A list five minutes after the one before. */
	async function list(
		rows: readonly Subscriber[],
		given: Partial<RunOptions> = {},
		options: IDataObject = {},
	): Promise<RunResult> {
		lists += 1;
		dates.pass(5);
		const parameters = { options: { closeAfter: 2, ...options } as never };
		return await runSync(sandbox.current, memberListOf(rows), parameters, given);
	}

	const everyoneElse = (): Subscriber[] => members.filter((one) => one !== gone);

	/** Another process, which knows only what n8n has stored. */
	const inAnotherProcess = (staticData: IDataObject): Partial<RunOptions> => ({
		staticData,
		workflowId: `test-${lists}`,
	});

	it('a feed closes after two lists in a row without the member', async () => {
		const feed = sandbox.current.state.feedUrl(gone.email);
		await list(everyoneElse());
		expect(await feedStatus(feed)).toBe(200);
		await list(everyoneElse());
		expect(await feedStatus(feed)).toBe(403);
	});

	it('the first list counts after a restart, because n8n stores it with the workflow', async () => {
		const staticData: IDataObject = {};
		await list(everyoneElse(), { staticData });
		const stored = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		await list(everyoneElse(), inAnotherProcess(stored));
		expect(gone.state).toBe('deactivated');
	});

	it('feeds that had to stay open count for the limit only once, also after a restart', async () => {
		const [first, ...others] = addMembers(sandbox.current, 3, () => ({ customer_id: null }));
		const staticData: IDataObject = {};
		const run = async (rows: IDataObject[], given: Partial<RunOptions>): Promise<RunResult> => {
			lists += 1;
			dates.pass(5);
			const parameters = { close: 'all', options: { closeAfter: 2 } };
			return await runSync(sandbox.current, rows, parameters, given);
		};
		const list = memberListOf(members);
		const unknown = { email: '', id: 'c-of-one-of-them' };
		await run([...list, ...memberListOf([first!]), unknown], { staticData });
		await run([...list, unknown], { staticData });
		const stored = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		const { error } = await run(list, inAnotherProcess(stored));
		expect(error).toBeUndefined();
		expect([first, ...others].map((one) => one!.state)).toEqual(Array(3).fill('available'));
	});

	it('what n8n has stored of an older list does not replace what the process knows', async () => {
		const old: IDataObject = {};
		await list(everyoneElse(), { staticData: old });
		const stored = JSON.parse(JSON.stringify(old)) as IDataObject;
		await list(members, { staticData: old });
		await list(everyoneElse(), { staticData: stored });
		expect(gone.state).toBe('available');
	});

	it('without stored data, the process remembers it, so manual runs close too', async () => {
		await list(everyoneElse(), { mode: 'manual' });
		await list(everyoneElse(), { mode: 'manual' });
		expect(gone.state).toBe('deactivated');
	});

	it('if n8n has forgotten everything, a feed closes after two more lists', async () => {
		await list(everyoneElse());
		await list(everyoneElse(), inAnotherProcess({}));
		expect(gone.state).toBe('available');
		const other = { workflowId: 'test-later' };
		await list(everyoneElse(), other);
		await list(everyoneElse(), other);
		expect(gone.state).toBe('deactivated');
	});

	it('a list of another credential or workflow does not count', async () => {
		const staticData: IDataObject = {};
		const credential = new TestCredentialsHelper(credentialOf(sandbox.current), 'other');
		await list(everyoneElse(), { staticData, credential });
		await list(everyoneElse(), { workflowId: 'another' });
		await list(everyoneElse(), { staticData });
		expect(gone.state).toBe('available');
	});

	it.each([null, 'text', { sync: { missing: { x: -1, y: 'z' }, seenAt: 'never' } }])(
		'stored data that someone else wrote does not fail the run: %j',
		async (sync) => {
			const { error } = await list(everyoneElse(), { staticData: { 'node:Supercast': { sync } } });
			expect(error).toBeUndefined();
		},
	);

	it('at most 2,000 names are stored', async () => {
		addMembers(sandbox.current, 2_500);
		const staticData: Record<string, { sync: { missing: IDataObject } }> = {};
		const parameters = { maxClosePercent: 100, options: { closeAfter: 2 } };
		await runSync(sandbox.current, memberListOf(members), parameters, { staticData });
		const [stored] = Object.values(staticData);
		expect(Object.keys(stored!.sync.missing)).toHaveLength(2_000);
		expect(JSON.stringify(staticData).length).toBeLessThan(110_000);
	});
});
