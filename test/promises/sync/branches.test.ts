import type { Subscriber } from '../../../sandbox';
import type { RunOptions } from '../../../harness/engine';
import {
	actionsOf,
	addMembers,
	hintsOf,
	memberListOf,
	runSetAccess,
	runSync,
} from '../../support/members';
import { useSandbox } from '../../support/sandbox';
import { isDeep } from '../../support/deep';

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
				'at a check, which sends some items around once more',
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

		it.each(cases)('%s: closings go on is %s (%s)', async (_, closes, executionOrder, shape) => {
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
		const count = isDeep ? 2_000 : 220;
		addMembers(sandbox.current, 250);
		const result = await runSync(sandbox.current, joining(count), { close: 'none' });
		expect(new Set(actionsOf(result))).toEqual(new Set(['created']));
		const counts = Math.ceil((count - 20) / 50);
		expect(sandbox.current.stats().requests).toBe(3 + 20 + counts + count);
	});

	it('Sync and Set Access together create nobody twice, even if Supercast would accept it', async () => {
		const members = joining(170);
		addMembers(sandbox.current, 50);
		const sync = runSync(sandbox.current, members, { close: 'none' });
		const events = members
			.filter((_, number) => number % 5 === 0)
			.reverse()
			.map(async (member) => await runSetAccess(sandbox.current, [member]));
		await Promise.all([sync, ...events]);
		const emails = sandbox.current.state.subscribers.map(({ email }) => email);
		expect(emails).toHaveLength(50 + 170);
		expect(new Set(emails).size).toBe(emails.length);
	});
});
