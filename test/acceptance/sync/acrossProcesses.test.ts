import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunOptions, RunResult } from '../../harness/engine';
import { SeenItemsTable } from '../../harness/engine/seenItems';
import type { Subscriber } from '../../../simulators/supercast';
import { minutesUntil, useLaterDates } from '../../support/laterDates';
import { addMembers, memberListOf, runSync, writesOf } from '../../support/members';
import { Processes } from '../../support/processes';
import { useSandbox } from '../../support/sandbox';

/** A list of members. */
interface List {
	/** The n8n process that receives it. */
	on: string;
	/** Whether the list has everyone. */
	isWhole?: boolean;
	/** How many minutes after the list before. Without it, five. */
	after?: number;
	/** What n8n has stored for the workflow, by a name, and a name for a copy of it afterwards. */
	data?: string;
	copy?: string;
	/** Whether the list has an invalid item, so that it counts for nothing. */
	isRefused?: boolean;
	/** Whether one record is missing, so that the list opens feeds only. */
	isShort?: boolean;
	nodeName?: string;
	parameters?: INodeParameters;
	/** With which call the store fails from then on. */
	failsFrom?: number;
	output?: 'summary';
}

const sandbox = useSandbox();
const dates = useLaterDates();

let processes: Processes;
let members: Subscriber[];
let gone: Subscriber;
let stored: Record<string, IDataObject>;
let seenItems: SeenItemsTable | undefined;

beforeEach(() => {
	// A process knows its own changes for some seconds, and each test has the same people.
	processes = new Processes();
	stored = {};
	seenItems = new SeenItemsTable();
	members = addMembers(sandbox.current, 40);
	gone = members[7]!;
});

/** What n8n gives to the process: a copy of what it has stored, or nothing, as to a worker. */
function given(data: string | undefined): IDataObject {
	const now = data === undefined ? {} : (stored[data] ??= scheduled());
	return JSON.parse(JSON.stringify(now)) as IDataObject;
}

/** n8n stores this when it publishes a workflow with a schedule. */
const scheduled = (): IDataObject => ({ 'node:Schedule': { recurrenceRules: [] } });

async function list(one: List, rows?: IDataObject[]): Promise<RunResult> {
	const { on, isWhole = false, data, copy, nodeName = 'Supercast', failsFrom = Infinity } = one;
	const nodeTypes = processes.nodeTypes(on);
	dates.pass(one.after ?? 5);
	const staticData = given(data);
	if (seenItems) Object.assign(seenItems, { calls: 0, failsFrom });
	const options: INodeParameters = { closeAfter: 2, output: one.output ?? 'changes' };
	if (one.isShort) Object.assign(options, { recordsRead: 998, recordsExpected: 1000 });
	const own = rows ?? memberListOf(members.filter((member) => isWhole || member !== gone));
	const items = one.isRefused ? [...own, { email: 'no email', id: '' }] : own;
	const nodes = { Schedule: 'schedule' as const };
	const run: Partial<RunOptions> = { staticData, seenItems, nodes, nodeTypes };
	const node = nodeName === 'Supercast' ? {} : { name: nodeName };
	const connections = { Items: { main: [[{ node: nodeName, type: 'main' as const, index: 0 }]] } };
	const parameters = { ...one.parameters, options };
	const result = await runSync(sandbox.current, items, parameters, { ...run, node, connections });
	const after = JSON.parse(JSON.stringify(staticData)) as IDataObject;
	if (data !== undefined) stored[data] = after;
	if (copy !== undefined) stored[copy] = after;
	return result;
}

const A: List = { on: 'A' };
const B: List = { on: 'B' };
const everyone = { isWhole: true };

/** Makes the store look as versions left it that marked everything with the credential. */
function storeAsBefore({ rows }: SeenItemsTable, more: readonly string[] = []): void {
	for (const [key, marks] of rows) {
		const [credential = ''] = marks.flatMap((mark) => /^of credential (.*)$/.exec(mark)?.[1] ?? []);
		const earlier = [...marks.filter((mark) => !mark.startsWith('of ')), ...more];
		rows.set(
			key,
			earlier.map((mark) => `${credential} ${mark}`),
		);
	}
}

describe('what an earlier version left in the store', () => {
	it.each<[string, string, List[], string[]]>([
		['counts', 'deactivated', [B], []],
		['does not count after a list with everyone', 'available', [{ ...B, isWhole: true }, A], []],
		['does not count if a run never ended', 'available', [B], ['reading']],
	])('%s', async (_, state, later, more) => {
		await list(A);
		storeAsBefore(seenItems!, more);
		for (const one of later) await list(one);
		expect(gone.state).toBe(state);
	});
});

describe('lists that different n8n processes receive', () => {
	it.each<[string, string, List[]]>([
		['after two lists in a row, on two workers', 'deactivated', [A, B]],
		['after two lists in a row, on one worker', 'deactivated', [A, A]],
		['not after one list', 'available', [A]],
		[
			'not if the list between had them, on another worker',
			'available',
			[A, { ...B, ...everyone }, A],
		],
		[
			...(['with the second list after that', 'deactivated'] as const),
			[A, { ...B, ...everyone }, A, B],
		],
		[
			...(['not if a refused list between had them', 'available'] as const),
			[A, { ...B, ...everyone, isRefused: true }, A],
		],
		[
			...(['not if an incomplete list between had them', 'available'] as const),
			[A, { ...B, ...everyone, isShort: true }, A],
		],
		[
			'although an incomplete list without them was between',
			'deactivated',
			[A, { ...B, isShort: true }, A],
		],
		[
			...(['not if a dry run between had them', 'available'] as const),
			[A, { ...B, ...everyone, parameters: { dryRun: true } }, A],
		],
		[
			...(['not if n8n could not store the list between', 'available'] as const),
			[A, { ...B, ...everyone, failsFrom: 2 }, A],
		],
		[
			...(['with the third list after that', 'deactivated'] as const),
			[A, { ...B, ...everyone, failsFrom: 2 }, A, B, A],
		],
		[
			...([
				'not because of an older copy that n8n has stored, after a restart',
				'available',
			] as const),
			[
				{ ...A, data: 'a', copy: 'b' },
				{ ...A, ...everyone, data: 'a' },
				{ ...B, data: 'b' },
			],
		],
		[
			...(['after a restart, if n8n has lost what it stored', 'deactivated'] as const),
			[
				{ ...A, data: 'a' },
				{ ...B, data: 'b' },
			],
		],
		[
			...(['not if the node had another name when a list had them', 'available'] as const),
			[
				{ ...A, data: 'a' },
				{ ...A, ...everyone, data: 'a', nodeName: 'Renamed' },
				{ ...B, data: 'a' },
			],
		],
		[
			...(['although the node got another name between', 'deactivated'] as const),
			[
				{ ...A, data: 'a' },
				{ ...B, data: 'a', nodeName: 'Renamed' },
			],
		],
	])('a feed closes %s', async (_, state, lists) => {
		for (const one of lists) await list(one);
		expect(gone.state).toBe(state);
	});

	it('a process that was given nothing knows nothing, if n8n has no store either', async () => {
		seenItems = undefined;
		for (const one of [A, B, { ...B, ...everyone }, A]) await list(one);
		expect(gone.state).toBe('available');
	});

	it('20 people who left close after two lists, and none after one', async () => {
		const left = members.slice(0, 20);
		const rows = memberListOf(members.slice(20));
		const closed = (): number => left.filter(({ state }) => state === 'deactivated').length;
		const parameters = { maxClosePercent: 100 };
		await list({ ...A, parameters }, rows);
		expect(closed()).toBe(0);
		await list({ ...B, parameters }, rows);
		expect(closed()).toBe(20);
	});

	it('those who had to stay open count for the limit only once', async () => {
		const more = addMembers(sandbox.current, 3, () => ({ customer_id: null }));
		const rows = memberListOf(members);
		const unknown = { email: '', id: 'c-of-one-of-them' };
		const parameters = { close: 'all' };
		await list({ ...A, parameters }, [...rows, ...memberListOf(more.slice(0, 1)), unknown]);
		await list({ ...B, parameters }, [...rows, unknown]);
		const { error } = await list({ on: 'C', parameters }, rows);
		expect(error).toBeUndefined();
		expect(more.map(({ state }) => state)).toEqual(Array(3).fill('available'));
	});
});

describe('two lists at the same time, on two workers', () => {
	/** After five minutes, the first list would be too old to close any feed. */
	const soon = { after: 2 };

	/** Lets the second list arrive and end while the first one, which lacks someone, is running. */
	async function overlap(first: List, second: List, third: List): Promise<void> {
		let isBetween = false;
		const store = seenItems!;
		store.before = async (call) => {
			// The first list has read what was remembered.
			if (isBetween || call < 2) return;
			isBetween = true;
			await list({ ...second, ...soon });
		};
		await list(first);
		await list(third);
		expect(isBetween).toBe(true);
	}

	it('the slower one, which is older, does not outlive the newer one', async () => {
		await list(A);
		await overlap({ ...B, isWhole: true }, { on: 'C' }, A);
		expect(gone.state).toBe('available');
	});

	it.each([
		['the older one lacks them', { isWhole: false }, { isWhole: true }],
		['the newer one lacks them', { isWhole: true }, { isWhole: false }],
	])('do not count, if %s', async (_, older, newer) => {
		await overlap({ ...A, ...older }, { ...B, ...newer }, A);
		expect(gone.state).toBe('available');
	});

	it('do not count for a third one, if the newer one has everyone and ends last', async () => {
		let later: Promise<RunResult> | undefined;
		let holdLater = (): void => undefined;
		let endLater = (): void => undefined;
		const isHeld = new Promise<void>((resolve) => (holdLater = resolve));
		const isThirdOver = new Promise<void>((resolve) => (endLater = resolve));
		seenItems!.before = async (call) => {
			if (later === undefined && call === 2) {
				later = list({ ...B, isWhole: true, ...soon });
				await isHeld;
			} else if (later !== undefined && call === 3) {
				seenItems!.before = async () => await Promise.resolve();
				holdLater();
				await isThirdOver;
			}
		};
		await list(A);
		await list({ on: 'C' });
		expect(gone.state).toBe('available');
		endLater();
		await later;
		await list(A);
		await list(B);
		expect(gone.state).toBe('deactivated');
	});

	it('delay a closing by two lists at most', async () => {
		await overlap(A, B, A);
		await list(B);
		expect(gone.state).toBe('deactivated');
	});
});

it("each worker's daily log has what Supercast saw, whichever worker made the changes", async () => {
	dates.pass(minutesUntil(8));
	const others = memberListOf(members.filter((member) => member !== gone));
	const joined = { email: 'new@example.com', id: 'c-new' };
	for (const one of [A, B]) await list({ ...one, ...everyone });
	for (const one of [A, B, A]) await list(one, [...others, joined]);
	expect(gone.state).toBe('deactivated');
	const { subscribers } = sandbox.current.state;
	const open = subscribers.filter(({ state }) => state === 'available').length;
	dates.pass(24 * 60);
	for (const one of [A, B]) {
		const { output } = await list({ ...one, output: 'summary' }, [...others, joined]);
		const [title, text] = [output[0]?.json.title, output[0]?.json.text];
		expect(title).toContain(`Yesterday: 1 joined, 1 left, ${open} open`);
		for (const email of [joined.email, gone.email]) expect(text).toContain(email);
	}
});

describe('what n8n has stored for other nodes', () => {
	it('stays, if a worker was given none of it', async () => {
		await list({ ...A, data: undefined });
		const staticData = given(undefined);
		const nodes = { Schedule: 'schedule' as const };
		const options = { staticData, seenItems, nodes };
		await runSync(sandbox.current, memberListOf(members), {}, options);
		// n8n saves the whole object if it has changed.
		expect(Object.values(staticData).every((one) => Object.keys(one as object).length === 0)).toBe(
			true,
		);
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

it('at most 2,000 names are stored', async () => {
	addMembers(sandbox.current, 2_500);
	await list({ ...A, parameters: { maxClosePercent: 100 } }, memberListOf(members));
	const [row = []] = [...seenItems!.rows.values()];
	// n8n stores 27 bytes for each.
	expect(row.length).toBeLessThan(4_050);
	await list({ ...B, parameters: { maxClosePercent: 100 } }, memberListOf(members));
	expect(writesOf(sandbox.current)).toHaveLength(2_000);
});
