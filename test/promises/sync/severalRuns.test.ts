import type { INodeParameters } from 'n8n-workflow';

import { runtime } from '../../../nodes/Supercast/api/clock';
import type { Subscriber } from '../../../sandbox';
import { addMembers, hintsOf, memberListOf, runSync, writesOf } from '../../support/members';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { type RunResult, runSupercast } from '../../../harness/engine';

describe('runs at the same time', () => {
	const sandbox = useSandbox({ subscribers: 0, latencyMs: 20 });

	let members: Subscriber[];
	beforeEach(() => (members = addMembers(sandbox.current, 40)));

	const realClock = runtime.clock;
	afterEach(() => Object.assign(runtime, { clock: realClock }));

	/** Makes `minutes` pass whenever the node waits, and lets it look at a clock that is as much ahead. */
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
				expect(item!.json.reason).toContain('decided by another operation since the list came');
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
