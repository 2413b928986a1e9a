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
		const fields: Array<Partial<Subscriber>> = [
			{ first_name: 'Anna' },
			{},
			{ state: 'deactivated' },
			{ state: 'suspended' },
			{},
			{ customer_id: null },
			{ plan_id: 1, plan_name: 'Monthly' },
		];
		const all = addMembers(sandbox.current, 30, (index) => fields[index] ?? {});
		const [renamed, moved, back, suspended, gone, byHand, billed, ...rest] = all;
		const listed = [renamed!, moved!, back!, suspended!, ...rest];
		const items: IDataObject[] = memberListOf(listed).map((item) => ({ ...item, name: 'Ann' }));
		items[1]!.email = 'moved@example.com';
		items.push({ email: 'new@example.com', id: 'c-new', name: 'Nora' });
		return {
			items,
			moved: moved!,
			back: back!,
			gone: gone!,
			suspended: suspended!,
			byHand,
			billed,
		};
	}

	const additionalFields = { firstName: '={{ $json.name }}' };

	it('follows the table for each person, pairs the items, and has nothing to do the next time', async () => {
		const { items, moved, back, suspended, gone, byHand, billed } = arrange();
		const feed = sandbox.current.state.feedUrl(gone.email);
		const result = await runSync(sandbox.current, items, { additionalFields });
		expect(result.error).toBeUndefined();
		expect(
			result.output.map(({ json, pairedItem }) => [json.action, json.email, pairedItem]),
		).toEqual([
			['closed', gone.email, []],
			['kept', suspended.email, { item: 3 }],
			['reopened', back.email, { item: 2 }],
			['created', 'new@example.com', { item: 27 }],
			['updated', 'moved@example.com', { item: 1 }],
			['summary', undefined, []],
		]);
		expect(await feedStatus(feed)).toBe(403);
		expect(sandbox.current.state.subscriber('moved@example.com')?.uuid).toBe(moved.uuid);
		for (const email of ['new@example.com', back.email, byHand!.email, billed!.email]) {
			expect(stateOf(email)).toBe('available');
		}
		expect(stateOf(suspended.email)).toBe('suspended');
		expect(result.output.at(-1)!.json.numbers).toMatchObject({
			...{ created: 1, reopened: 1, updated: 1, closed: 1, failed: 0, members: 28 },
			...{ payersWithoutFeed: 1, notOwn: { noCustomerId: 1, plan: 1 }, wrong: null },
		});
		const writes = writesOf(sandbox.current).length;
		const second = await runSync(sandbox.current, items, { additionalFields });
		expect(actionsOf(second)).toEqual(['kept', 'summary']);
		expect(writesOf(sandbox.current)).toHaveLength(writes);
	});

	it('predicts everything in a dry run, which is the default', async () => {
		const { items } = arrange();
		const dry = { additionalFields, dryRun: undefined as never };
		const predicted = await runSync(sandbox.current, items, dry);
		expect(writesOf(sandbox.current)).toEqual([]);
		// The list, and what Supercast calls the channel.
		expect(sandbox.current.stats().requests).toBe(2);
		expect(hintsOf(predicted)).toContain(
			'DRY RUN: the next real run would open 2 feeds and close 1',
		);
		const real = await runSync(sandbox.current, items, { additionalFields });
		expect(actionsOf(predicted)).toEqual(actionsOf(real));
		expect(predicted.output.every(({ json }) => json.dryRun === true)).toBe(true);
	});

	it('returns only the summary, if the option says so', async () => {
		const { items } = arrange();
		const result = await runSync(sandbox.current, items, { options: { output: 'summary' } });
		expect(actionsOf(result)).toEqual(['summary']);
	});

	it('names the people of a conflict, and writes nothing for them', async () => {
		const [one, two, three] = addMembers(sandbox.current, 3);
		const result = await runSync(sandbox.current, [
			{ email: two!.email, id: one!.customer_id },
			...memberListOf([three!]),
			{ email: 'one.more@example.com', id: 'c-more', access: 'keep' },
		]);
		expect(result.output.map(({ json }) => [json.action, json.email])).toEqual([
			['kept', two!.email],
			['summary', undefined],
		]);
		expect(result.output[0]!.json.reason).toContain('conflict: ');
		expect(hintsOf(result)).toContain(two!.email);
		expect(writesOf(sandbox.current)).toEqual([]);
	});

	it('pairs a member who is on the list twice with both items', async () => {
		const { output } = await runSync(sandbox.current, [
			{ email: 'twice@example.com' },
			{ email: ' TWICE@example.com ', id: 'c-2' },
		]);
		expect(output[0]).toMatchObject({
			json: { action: 'created', email: 'twice@example.com', customer_id: 'c-2' },
			pairedItem: [{ item: 0 }, { item: 1 }],
		});
		expect(sandbox.current.state.subscribers).toHaveLength(1);
	});

	describe('with a change that fails', () => {
		const refuse = (...people: Subscriber[]): void =>
			sandbox.current.controls.addFaults(
				people.map(({ uuid }) => ({
					...{ kind: 'status' as const, status: 403, times: 1 },
					...{ method: 'PATCH', path: `/feeds/${uuid}` },
				})),
			);

		it('does not stop the others, names it in the end, and makes it with the next run', async () => {
			const { items, back, gone } = arrange();
			refuse(back);
			const { output, error } = await runSync(sandbox.current, items, { additionalFields });
			expect(output).toEqual([]);
			expect(error?.message).toContain('1 of 4 changes failed');
			expect(error?.description).toMatch(/Not done: .* \(should be reopened\)\. Closed: /);
			expect(error?.description).toContain(back.email);
			expect(error?.description).toContain(gone.email);
			expect(stateOf(gone.email)).toBe('deactivated');
			await runSync(sandbox.current, items, { additionalFields });
			expect(stateOf(back.email)).toBe('available');
		});

		it.each([
			['Not done', { kind: 'status', status: 429 }],
			['Perhaps done, which nobody knows', { kind: 'html', status: 502 }],
		] as const)('%s: a closing after which nobody can be read', async (heading, fault) => {
			const { items, gone } = arrange();
			const only = { times: 1, path: `/feeds/${gone.uuid}`, method: 'PATCH' };
			const read = { times: 1, path: `/subscribers/${gone.uuid}`, method: 'GET', skip: 1 };
			sandbox.current.controls.addFaults([
				{ ...fault, ...only },
				{ kind: 'status', status: 403, ...read },
			]);
			const { error } = await runSync(sandbox.current, items, { additionalFields });
			expect(error?.message).toContain('1 of 4 changes failed');
			expect(error?.description).toContain(`${heading}: `);
			expect(stateOf(gone.email)).toBe('available');
		});

		it('returns an error item for each with Continue on Fail', async () => {
			const { items, back, gone } = arrange();
			refuse(back, gone);
			const given = { onError: 'continueErrorOutput' } as const;
			const result = await runSync(sandbox.current, items, { additionalFields }, given);
			expect(hintsOf(result)).toContain('2 changes or items failed: ');
			expect(result.output.at(-1)!.json.numbers).toMatchObject({ failed: 2, created: 1 });
			expect(result.errorOutput.map(({ json }) => json.error)).toEqual([
				expect.stringContaining(back.email),
				expect.stringContaining(gone.email),
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

	/** Many people may join with one list. */
	const MANY = { close: 'none', options: { allowOnce: 'open 9999 until 2199-01-01 00:00 UTC' } };

	const joining = (count: number) =>
		Array.from({ length: count }, (_, number) => ({
			...{ access: 'open', email: `new.${number}@example.com`, id: `c-new-${number}` },
		}));

	it('Sync creates a new member with about one request', async () => {
		const count = isDeep ? 2_000 : 120;
		addMembers(sandbox.current, 150);
		const result = await runSync(sandbox.current, joining(count), MANY);
		expect(new Set(actionsOf(result))).toEqual(new Set(['created', 'summary']));
		const counts = Math.ceil((count - 20) / 50);
		expect(sandbox.current.stats().requests).toBe(3 + 20 + counts + count);
	});

	it.each([
		['prefix', 'c-new@example.com', 'deactivated'],
		['withCustomerId', 'c-new@example.com', 'deactivated'],
		['all', null, 'deactivated'],
		['none', null, 'available'],
	])('Sync closes the feed of a former member without an ID: %s', async (close, id, state) => {
		const others = memberListOf(addMembers(sandbox.current, 20));
		const member = { access: 'open', email: 'new@example.com', id: '' };
		const seen = () => sandbox.current.state.subscriber(member.email);
		await runSync(sandbox.current, [...others, member], { close });
		expect(seen()).toMatchObject({ state: 'available', customer_id: id });
		await runSync(sandbox.current, others, { close });
		expect(seen()?.state).toBe(state);
	});

	it('Sync and Set Access together create nobody twice, even if Supercast would accept it', async () => {
		const members = joining(90);
		addMembers(sandbox.current, 50);
		const sync = runSync(sandbox.current, members, MANY);
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
