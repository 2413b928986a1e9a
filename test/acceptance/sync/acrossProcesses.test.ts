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
		['not after one list on each worker', 'available', [A, B]],
		['with one list more for each worker, at most', 'deactivated', [A, B, A]],
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

it('whom a list has that is skipped, because an earlier one is still at work, is not missing', async () => {
	const [first, second] = await Promise.all([list(A), list({ ...A, ...whole })]);
	expect(hintsOf(second)).toContain('did nothing');
	expect(first.error).toBeUndefined();
	await list(A);
	expect(gone.state).toBe('available');
});

it('whom a list has that is refused, because all customer IDs are lost, is not missing', async () => {
	await list(A);
	const refused = await list({ ...A, ...whole }, { customerId: '' });
	expect(refused.error?.message).toContain('is empty in all records');
	await list(A);
	expect(gone.state).toBe('available');
});

it.each([
	[30, 'available'],
	[2, 'deactivated'],
])('a retry with items of %i minutes ago: who is not on it is %s', async (minutes, state) => {
	const items = memberListOf(members.filter((one) => one !== gone));
	const readAt = Date.now() - minutes * 60_000;
	await runSync(sandbox.current, items, {}, { mode: 'retry', readAt });
	expect(gone.state).toBe(state);
});
