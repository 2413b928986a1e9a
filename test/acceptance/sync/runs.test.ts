import type { IDataObject } from 'n8n-workflow';

import type { RunOptions } from '../../harness/engine';
import type { Subscriber } from '../../../simulators/supercast';
import { isDeep } from '../../support/deep';
import {
	actionsOf,
	addMembers,
	hintsOf,
	memberListOf,
	runSetAccess,
	runSync,
	writesOf,
} from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { feedStatus, useSandbox } from '../../support/sandbox';

describe('a run', () => {
	const sandbox = useSandbox({ subscribers: 0 });
	useQuickRuntime({ backoffMs: 1, visibleMs: 60 });

	const stateOf = (email: string) => sandbox.current.state.subscriber(email)?.state;

	/** One person for each row of the table, both on the list and not on it. */
	function arrange() {
		const [same, renamed, moved, back, suspended, failing, gone, byHand, billed, fresh, ...rest] =
			addMembers(
				sandbox.current,
				60,
				(index) =>
					[
						{},
						{ first_name: 'Anna' },
						{},
						{ state: 'deactivated' as const },
						{ state: 'suspended' as const },
						{ state: 'charge_failure' as const },
						{},
						{ customer_id: null },
						{ plan_id: 1, plan_name: 'Monthly' },
						{ created_at: new Date().toISOString() },
					][index] ?? {},
			);
		const listed = [same!, renamed!, moved!, back!, suspended!, failing!, ...rest];
		const items: IDataObject[] = memberListOf(listed).map((item) => ({ ...item, name: 'Ann' }));
		items[2]!.email = 'moved@example.com';
		items.push({ email: 'new@example.com', id: 'c-new', name: 'Nora' });
		return { items, same, renamed, moved, back, suspended, failing, gone, byHand, billed, fresh };
	}

	const additionalFields = { firstName: '={{ $json.name }}' };

	describe('a run', () => {
		it('follows the table for each person, pairs the items, and has nothing to do the next time', async () => {
			const { items, renamed, moved, back, suspended, failing, gone, byHand, billed, fresh } =
				arrange();
			const feed = sandbox.current.state.feedUrl(gone!.email);
			expect(await feedStatus(feed)).toBe(200);

			const result = await runSync(sandbox.current, items, { additionalFields });

			expect(result.error).toBeUndefined();
			const actions = result.output.map(({ json, pairedItem }) => [
				json.action,
				json.email,
				pairedItem,
			]);
			expect(actions).toHaveLength(5);
			expect(actions).toEqual(
				expect.arrayContaining([
					['updated', renamed!.email, { item: 1 }],
					['updated', 'moved@example.com', { item: 2 }],
					['reopened', back!.email, { item: 3 }],
					['created', 'new@example.com', { item: 56 }],
					['closed', gone!.email, []],
				]),
			);
			const byEmail = new Map(result.output.map(({ json }) => [json.email, json]));
			expect(byEmail.get('moved@example.com')).toEqual({
				what: 'got email moved@example.com',
				action: 'updated',
				dryRun: false,
				email: 'moved@example.com',
				uuid: moved!.uuid,
				customer_id: moved!.customer_id,
				name: `${String(moved!.first_name)} ${String(moved!.last_name)}`,
				reason: '',
				status: '',
				changes: { email: { from: expect.stringContaining('@'), to: 'moved@example.com' } },
			});
			expect(byEmail.get('new@example.com')).toMatchObject({
				uuid: sandbox.current.state.subscriber('new@example.com')!.uuid,
				customer_id: 'c-new',
			});
			expect(await feedStatus(feed)).toBe(403);
			expect(sandbox.current.state.subscriber('moved@example.com')?.uuid).toBe(moved!.uuid);
			expect(stateOf('new@example.com')).toBe('available');
			expect(stateOf(back!.email)).toBe('available');
			expect(stateOf(suspended!.email)).toBe('suspended');
			expect(stateOf(failing!.email)).toBe('charge_failure');
			for (const { email } of [byHand!, billed!, fresh!]) expect(stateOf(email)).toBe('available');
			expect(hintsOf(result)).toContain(
				'Supercast: 2 feeds opened, 1 feed closed. 2 updated, 51 unchanged.',
			);
			expect(hintsOf(result)).toMatch(/Skipped: .*no customer ID: 1/);

			const writes = writesOf(sandbox.current).length;
			const second = await runSync(sandbox.current, items, { additionalFields });
			expect(second.output).toEqual([]);
			expect(writesOf(sandbox.current)).toHaveLength(writes);
			expect(hintsOf(second)).toContain('no feed had to open or close. 55 unchanged.');
		});

		it('opens feeds before it closes others, and changes fields last', async () => {
			const { items } = arrange();
			await runSync(sandbox.current, items, { additionalFields, options: { parallelRequests: 1 } });
			const { requests } = sandbox.current.state;
			const steps = requests
				.filter(({ method }) => method !== 'GET')
				.map(({ method, path, body }) =>
					[method, path.includes('/feeds/') ? 'feed' : 'subscriber', JSON.stringify(body)].join(
						' ',
					),
				);
			expect(steps).toEqual([
				expect.stringMatching(/^PATCH subscriber .*moved@example.com/),
				expect.stringMatching(/^POST subscriber .*new@example.com/),
				expect.stringMatching(/^PATCH feed .*available/),
				expect.stringMatching(/^PATCH feed .*inactive/),
				expect.stringMatching(/^PATCH subscriber .*first_name/),
			]);
		});

		it('predicts everything in a dry run, which is the default', async () => {
			const { items } = arrange();
			const predicted = await runSync(sandbox.current, items, {
				additionalFields,
				dryRun: undefined as never,
			});
			expect(writesOf(sandbox.current)).toEqual([]);
			// The list, and what Supercast calls the channel.
			expect(sandbox.current.stats().requests).toBe(2);
			expect(hintsOf(predicted)).toContain(
				'DRY RUN: 2 feeds would open, 1 feed would close. 2 would be updated, 51 unchanged.',
			);
			const real = await runSync(sandbox.current, items, { additionalFields });
			const plain = ({ json }: (typeof real.output)[0]) => ({
				...json,
				...{ dryRun: 0, uuid: 0, feed_urls: 0, what: 0 },
			});
			expect(predicted.output.map(plain)).toEqual(real.output.map(plain));
			expect(predicted.output.every(({ json }) => json.dryRun === true)).toBe(true);
		});

		it('returns an item for everyone, or one with the counts, as the option says', async () => {
			const { items } = arrange();
			const dryRun = true;
			const all = await runSync(sandbox.current, items, {
				additionalFields,
				dryRun,
				options: { output: 'all' },
			});
			expect(all.output).toHaveLength(61);
			const { output } = await runSync(sandbox.current, items, {
				additionalFields,
				dryRun,
				options: { output: 'summary' },
			});
			const counted = { created: 1, reopened: 1, updated: 2, closed: 1, kept: 5, unchanged: 51 };
			expect(output).toEqual([
				{
					json: {
						action: 'summary',
						dryRun,
						skipped: false,
						title: 'DRY RUN: 2 feeds would open, 1 feed would close',
						text: expect.any(String),
						html: expect.any(String),
						numbers: {
							...counted,
							...{ failed: 0, stuck: 0, recordsMissing: 0, closingSoon: 0 },
							statuses: [{ status: '', access: 'open', people: 57 }],
							...{ listed: 57, open: 58, cannotClose: {} },
							keptByReason: {
								'state: suspended': 1,
								'state: charge_failure': 1,
								'no customer ID': 1,
								'has a plan at Supercast': 1,
								'newer than Grace Hours': 1,
							},
							conflicts: [],
							planned: counted,
							limit: { inScope: 55, maxClosings: 2, maxOpenings: null, exceeded: null },
						},
					},
					pairedItem: [],
				},
			]);
		});

		it.each<['manual' | 'trigger', boolean]>([
			['manual', true],
			['trigger', false],
		])('has its page as a file for the output panel after a %s run: %s', async (mode, has) => {
			const { items } = arrange();
			const parameters = { dryRun: true, options: { output: 'changesAndSummary' } };
			const { output } = await runSync(sandbox.current, items, parameters, { mode });
			const files = output.flatMap(({ json, binary }) =>
				Object.values(binary ?? {}).map((file) => [json.action, file.fileType, file.fileName]),
			);
			expect(files).toEqual(has ? [['summary', 'html', 'What this list would change.html']] : []);
		});

		it('names the people of a conflict, and writes nothing for them', async () => {
			const [one, two, three] = addMembers(sandbox.current, 3);
			const result = await runSync(sandbox.current, [
				{ email: two!.email, id: one!.customer_id },
				{ email: three!.email, id: three!.customer_id },
			]);
			const [{ email: a, customer_id: id }, { email: b, customer_id: other }] = [one!, two!];
			expect(result.output.map(({ json }) => [json.action, json.email, json.reason])).toEqual([
				['kept', b, `conflict: your list says ${id}, Supercast says ${other}`],
				['kept', a, `conflict: ${id} belongs to ${b} on your list, but to ${a} in Supercast`],
			]);
			expect(hintsOf(result)).toContain(two!.email);
			expect(writesOf(sandbox.current)).toEqual([]);
		});

		it('pairs a member who is on the list twice with both items', async () => {
			const { output } = await runSync(sandbox.current, [
				{ email: 'twice@example.com' },
				{ email: ' TWICE@example.com ', id: 'c-2' },
			]);
			expect(output).toHaveLength(1);
			expect(output[0]).toMatchObject({
				json: { action: 'created', email: 'twice@example.com', customer_id: 'c-2' },
				pairedItem: [{ item: 0 }, { item: 1 }],
			});
			expect(sandbox.current.state.subscribers).toHaveLength(1);
		});
	});

	describe('a run that meets changes', () => {
		it('does not close someone who has changed', async () => {
			const [gone, ...others] = addMembers(sandbox.current, 30);
			// A retry leaves time for a change after the list was read.
			sandbox.current.controls.addFaults({ kind: 'status', status: 503, times: 1, skip: 1 });
			const running = runSync(sandbox.current, memberListOf(others));
			const isFirstRead = (): boolean => sandbox.current.stats().requests >= 2;
			while (!isFirstRead()) await new Promise((resolve) => setTimeout(resolve, 5));
			sandbox.current.controls.setState(gone!.uuid, 'available');
			const { output } = await running;
			expect(output).toEqual([]);
			expect(writesOf(sandbox.current)).toEqual([]);
		});
	});

	describe('a change that fails', () => {
		const refuse = (emails: string[]): void =>
			sandbox.current.controls.addFaults(
				emails.map((email) => ({
					kind: 'status' as const,
					status: 403,
					method: 'PATCH',
					path: `/feeds/${sandbox.current.state.subscriber(email)!.uuid}`,
					times: 1,
				})),
			);

		it('does not stop the others, is named in the end, and is made by the next run', async () => {
			const { items, back, gone } = arrange();
			refuse([back!.email]);
			const { output, error } = await runSync(sandbox.current, items, { additionalFields });
			expect(output).toEqual([]);
			expect(error?.message).toContain('1 of 5 changes could not be made');
			expect(error?.description).toContain(`Not done: ${back!.email} (should be reopened).`);
			expect(error?.description).toContain(`${gone!.email} (closed)`);
			expect(stateOf(gone!.email)).toBe('deactivated');
			const again = await runSync(sandbox.current, items, { additionalFields });
			expect(again.output).toMatchObject([{ json: { action: 'reopened', email: back!.email } }]);
		});

		it('returns an error item for each with Continue on Fail', async () => {
			const { items, back, gone } = arrange();
			refuse([back!.email, gone!.email]);
			const given = { onError: 'continueErrorOutput' } as const;
			const result = await runSync(sandbox.current, items, { additionalFields }, given);
			expect(hintsOf(result)).toContain('2 changes or items failed: ');
			expect(result.output.map(({ json }) => json.action)).toEqual([
				'updated',
				'updated',
				'created',
			]);
			expect(result.errorOutput.map(({ json }) => [json.email, json.error])).toEqual([
				[back!.email, expect.stringContaining(`feed of the subscriber "${back!.email}"`)],
				[undefined, expect.stringContaining(`feed of the subscriber "${gone!.email}"`)],
			]);
		});
	});
});

describe('branches of a workflow', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	let members: Subscriber[];
	beforeEach(() => (members = addMembers(sandbox.current, 40)));

	const stateOf = (one: Subscriber | undefined) =>
		sandbox.current.state.subscriber(one!.email)?.state;

	describe('two branches that meet', () => {
		const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });
		const shapes: Array<[string, boolean, Partial<RunOptions>]> = [
			[
				'directly at Sync',
				false,
				{
					connections: {
						Items: { main: [[to('Supercast'), to('More Items')]] },
						'More Items': { main: [[to('Supercast')]] },
					},
				},
			],
			[
				'at a node before Sync',
				false,
				{
					nodes: { Filter: 'items' },
					connections: {
						Items: { main: [[to('Filter'), to('More Items')]] },
						'More Items': { main: [[to('Filter')]] },
						Filter: { main: [[to('Supercast')]] },
					},
				},
			],
			[
				'at a node before Sync, which sends the first part to another output',
				false,
				{
					nodes: { Read: 'loop' },
					connections: {
						Items: { main: [[to('Read'), to('More Items')]] },
						'More Items': { main: [[to('Read')]] },
						Read: { main: [[to('Supercast')]] },
					},
				},
			],
			[
				'in a Merge, which waits for both',
				true,
				{
					nodes: { Merge: 'merge' },
					connections: {
						Items: { main: [[to('Merge'), to('More Items')]] },
						'More Items': { main: [[to('Merge', 1)]] },
						Merge: { main: [[to('Supercast')]] },
					},
				},
			],
			[
				'but come from separate triggers',
				true,
				{
					nodes: { Trigger: 'items' },
					connections: {
						Trigger: { main: [[to('More Items')]] },
						'More Items': { main: [[to('Supercast')]] },
					},
				},
			],
			[
				'but are outputs of a Switch, of which one gets all items',
				true,
				{
					nodes: { Switch: 'first', Other: 'items' },
					connections: {
						Items: { main: [[to('Switch')]] },
						Switch: { main: [[to('Supercast')], [to('Other')]] },
						Other: { main: [[to('Supercast')]] },
					},
				},
			],
			[
				'but are a loop before Sync',
				true,
				{
					nodes: { Loop: 'loop', Read: 'items' },
					connections: {
						Items: { main: [[to('Loop')]] },
						Loop: { main: [[to('Supercast')], [to('Read')]] },
						Read: { main: [[to('Loop')]] },
					},
				},
			],
			[
				'at a check, which sends some items around again',
				false,
				{
					nodes: { Check: 'check', Wait: 'items' },
					connections: {
						Items: { main: [[to('Check')]] },
						Check: { main: [[to('Supercast')], [to('Wait')]] },
						Wait: { main: [[to('Check')]] },
					},
				},
			],
			[
				'at Sync, one of them in a Merge whose other input gets nothing',
				false,
				{
					nodes: { Merge: 'merge', Switch: 'first' },
					connections: {
						Items: { main: [[to('Supercast'), to('Merge'), to('Switch')]] },
						Switch: { main: [[], [to('More Items')]] },
						'More Items': { main: [[to('Merge', 1)]] },
						Merge: { main: [[to('Supercast')]] },
					},
				},
			],
		];
		const cases = (['v0', 'v1'] as const).flatMap((executionOrder) =>
			shapes.map(([name, closes, options]) => [name, closes, executionOrder, options] as const),
		);

		it.each(cases)('%s (feeds close: %s, order %s)', async (_, closes, executionOrder, shape) => {
			const options = { ...shape, executionOrder };
			const result = await runSync(sandbox.current, memberListOf(members.slice(1)), {}, options);
			expect(stateOf(members[0])).toBe(closes ? 'deactivated' : 'available');
			const says = hintsOf(result).includes('Add a Merge node before Sync');
			expect(says).toBe(!closes);
		});
	});
});

describe('new members', () => {
	const sandbox = useSandbox({ subscribers: 0, logSize: 100_000, onExistingEmail: 'duplicate' });

	const joining = (count: number) =>
		Array.from({ length: count }, (_, number) => ({
			...{ access: 'open', email: `new.${number}@example.com`, id: `c-new-${number}` },
		}));

	it('Sync creates a new member with about one request', async () => {
		const count = isDeep ? 2_000 : 120;
		addMembers(sandbox.current, 150);
		const result = await runSync(sandbox.current, joining(count), { close: 'none' });
		expect(new Set(actionsOf(result))).toEqual(new Set(['created']));
		const counts = Math.ceil((count - 20) / 50);
		expect(sandbox.current.stats().requests).toBe(3 + 20 + counts + count);
	});

	it('Sync and Set Access together create nobody twice, even if Supercast would accept it', async () => {
		const members = joining(90);
		addMembers(sandbox.current, 50);
		const sync = runSync(sandbox.current, members, { close: 'none' });
		const events = members
			.filter((_, number) => number % 5 === 0)
			.reverse()
			.map(async (member) => await runSetAccess(sandbox.current, [member]));
		await Promise.all([sync, ...events]);
		const emails = sandbox.current.state.subscribers.map(({ email }) => email);
		expect(emails).toHaveLength(50 + 90);
		expect(new Set(emails).size).toBe(emails.length);
	});
});
