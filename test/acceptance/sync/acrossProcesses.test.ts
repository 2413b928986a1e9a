import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunResult } from '../../harness/engine';
import type { Subscriber } from '../../../simulators/supercast';
import { useLaterDates } from '../../support/laterDates';
import { addMembers, hintsOf, memberListOf, runSync } from '../../support/members';
import { Processes } from '../../support/processes';
import { useSandbox } from '../../support/sandbox';

/** A list of members, five minutes after the one before. */
interface List {
	/** The n8n process that receives it. */
	on: string;
	/** Whether the list has everyone. */
	isWhole?: boolean;
	/** What n8n has stored for the workflow, by a name, and a name for a copy of it afterwards. */
	data?: string;
	copy?: string;
	nodeName?: string;
}

const sandbox = useSandbox();
const dates = useLaterDates();

let processes: Processes;
let members: Subscriber[];
let gone: Subscriber;
let stored: Record<string, IDataObject>;

beforeEach(() => {
	processes = new Processes();
	stored = {};
	members = addMembers(sandbox.current, 40);
	gone = members[7]!;
});

/** n8n stores this when it publishes a workflow with a schedule. */
const scheduled = (): IDataObject => ({ 'node:Schedule': { recurrenceRules: [] } });

/** What n8n gives to the process: a copy of what it has stored, or nothing, as to a worker. */
const given = (data: string | undefined): IDataObject =>
	data === undefined ? {} : structuredClone((stored[data] ??= scheduled()));

async function list(
	{ on, isWhole = false, data, copy, nodeName = 'Supercast' }: List,
	parameters: INodeParameters = {},
): Promise<RunResult> {
	dates.pass(5);
	const staticData = given(data);
	const items = memberListOf(members.filter((one) => isWhole || one !== gone));
	const all = { ...parameters, options: { closeAfter: 2 } };
	const result = await runSync(sandbox.current, items, all, {
		...{ staticData, nodes: { Schedule: 'schedule' }, nodeTypes: processes.nodeTypes(on) },
		node: nodeName === 'Supercast' ? {} : { name: nodeName },
		connections: { Items: { main: [[{ node: nodeName, type: 'main', index: 0 }]] } },
	});
	const after = JSON.parse(JSON.stringify(staticData)) as IDataObject;
	if (data !== undefined) stored[data] = after;
	if (copy !== undefined) stored[copy] = after;
	return result;
}

const A: List = { on: 'A' };
const B: List = { on: 'B' };
const whole = { isWhole: true };

describe('a feed closes', () => {
	it.each<[string, string, List[]]>([
		['after two lists on one worker', 'deactivated', [A, A]],
		['not after one list on each worker', 'available', [A, B]],
		['with one list more for each worker, at most', 'deactivated', [A, B, A]],
		['not if the worker has had a list with everyone', 'available', [A, { ...A, ...whole }, A]],
		[
			...(['after a restart, with what n8n has stored', 'deactivated'] as const),
			[
				{ ...A, data: 'a' },
				{ ...B, data: 'a' },
			],
		],
		[
			...(['not after a restart, if n8n has lost what it stored', 'available'] as const),
			[
				{ ...A, data: 'a' },
				{ ...B, data: 'b' },
			],
		],
		[
			...(['not because of older data than the process knows', 'available'] as const),
			[
				{ ...A, data: 'a', copy: 'old' },
				{ ...A, ...whole },
				{ ...A, data: 'old' },
			],
		],
		[
			...(['although the node got another name', 'deactivated'] as const),
			[
				{ ...A, data: 'a' },
				{ ...B, data: 'a', nodeName: 'Renamed' },
			],
		],
	])('%s', async (_, state, lists) => {
		for (const one of lists) await list(one);
		expect(gone.state).toBe(state);
	});
});

it('a process that ends after each run and gets no data never closes, and each report says so', async () => {
	for (const on of ['A', 'B', 'C', 'D']) {
		expect(hintsOf(await list({ on }))).toContain('Sync remembers no list before this one');
	}
	expect(gone.state).toBe('available');
	await list(A);
	expect(hintsOf(await list(A))).not.toContain('Sync remembers no list before this one');
});

describe('what n8n has stored for other nodes', () => {
	it('stays, if a worker was given none of it', async () => {
		const staticData = given(undefined);
		const nodes = { Schedule: 'schedule' as const };
		await runSync(sandbox.current, memberListOf(members), {}, { staticData, nodes });
		// n8n saves the whole object if it has changed.
		expect((staticData as { __dataChanged?: boolean }).__dataChanged).toBe(false);
	});

	it('stays, if it is the state of a Supercast Trigger, which may be newer by now', async () => {
		const global = { supercastTrigger: { 'trigger usageAlertCreated': { known: 'x' } } };
		stored.a = { ...scheduled(), global };
		await list({ ...A, data: 'a' });
		expect(stored.a).toMatchObject({ ...scheduled(), global });
		expect(JSON.stringify(stored.a)).not.toContain('supercastSync');
	});
});

it('n8n stores at most 2,000 names', async () => {
	addMembers(sandbox.current, 2_500);
	await list({ ...A, data: 'a' });
	expect(JSON.stringify(stored.a).match(/@example/g)).toHaveLength(2_000);
	expect(JSON.stringify(stored.a).length).toBeLessThan(220_000);
});
