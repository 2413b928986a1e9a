import type { IConnections } from 'n8n-workflow';

import type { RunOptions, RunResult } from '../../harness/engine';
import { addMembers, hintsOf, memberListOf, runSync } from '../../support/members';
import { useSandbox } from '../../support/sandbox';

describe('a node before Sync that may return no items', () => {
	const sandbox = useSandbox({ subscribers: 0 });
	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	/** The items come through a node that reads members, and perhaps another one. */
	const through = (...names: string[]): IConnections => {
		const all = ['Items', ...names, 'Supercast'];
		const next = all.slice(1).map((name, index) => [all[index], { main: [[to(name)]] }] as const);
		return Object.fromEntries(next) as IConnections;
	};

	async function sync(more: Partial<RunOptions>): Promise<RunResult> {
		const members = addMembers(sandbox.current, 3);
		return await runSync(sandbox.current, memberListOf(members), {}, more);
	}

	const READ: Partial<RunOptions> = {
		nodes: { 'Read Members': 'items' },
		connections: through('Read Members'),
	};

	it('is named, because n8n would not run Sync', async () => {
		const result = await sync(READ);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toContain('If the node "Read Members" returns no items');
		expect(hintsOf(result)).toContain("Turn on 'Always Output Data'");
	});

	it('is indeed what keeps n8n from running Sync', async () => {
		const connections: IConnections = {
			...through('Read Members'),
			// The second output has no items.
			'Read Members': { main: [[], [to('Supercast')]] },
		};
		const { run, output } = await sync({ nodes: { 'Read Members': 'first' }, connections });
		expect(output).toEqual([]);
		expect(run.data.resultData.runData).not.toHaveProperty('Supercast');
	});

	it.each<[string, Partial<RunOptions>]>([
		['its Always Output Data is on', { ...READ, alwaysOutput: ['Read Members'] }],
		['it is the trigger, which always returns items', {}],
		[
			'a Limit comes between, which passes on what it gets',
			{
				nodes: { 'Read Members': 'items', 'All Records': 'limit' },
				connections: through('Read Members', 'All Records'),
				alwaysOutput: ['Read Members'],
			},
		],
		[
			'a Switch comes between, which sends its items elsewhere',
			{
				nodes: { 'Read Members': 'items', Route: 'switch' },
				connections: through('Read Members', 'Route'),
				alwaysOutput: ['Read Members'],
			},
		],
	])('is not named if %s', async (_, more) => {
		expect(hintsOf(await sync(more))).not.toContain('Always Output Data');
	});
});
