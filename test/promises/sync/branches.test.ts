import type { Subscriber } from '../../../sandbox';
import type { RunOptions } from '../../../harness/engine';
import { addMembers, hintsOf, memberListOf, runSync } from '../../support/members';
import { useSandbox } from '../../support/sandbox';

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
