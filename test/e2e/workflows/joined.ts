import type { Workflow, WorkflowNode } from '../../harness/n8n/setup';

/** A workflow as n8n keeps it. */
export interface SavedWorkflow extends Workflow {
	connections: Record<
		string,
		{ main: Array<Array<{ node: string; type: string; index: number }>> }
	>;
	settings: object;
	versionId: string;
}

interface SyncParameters extends Record<string, unknown> {
	options: Record<string, string>;
}

const TRIGGER = 'Every 5 Minutes';
const MEMBERS = 'Who Is a Member';
const EACH = 'Each Record';
/** The nodes after it, in the files that look for new members every minute. */
const ALL = 'All Records';
const NEW = 'New Records';
/** What concerns the whole list stands beside the other nodes. */
const LIST = 'The List';

/** Where the nodes of a second system end. */
const ENDS = ['Sync', ALL, NEW];

const leadTo = (node: string, index = 0) => ({ main: [[{ node, type: 'main', index }]] });
const afterNode = (workflow: SavedWorkflow, name: string): string =>
	workflow.connections[name]?.main[0]?.find(({ node }) => node !== LIST)?.node ?? '';
const inside = (expression = ''): string => expression.replace(/^=\{\{|\}\}$/g, '');

function syncOf({ nodes }: Workflow): SyncParameters {
	return nodes.find(({ name }) => name === 'Sync')?.parameters as SyncParameters;
}

/** A list of pages ends with the node that splits them. A list of rows has no such node. */
const lastOf = ({ connections }: Pick<SavedWorkflow, 'connections'>): string =>
	EACH in connections ? EACH : MEMBERS;

/** What **Sync** needs to tell the records of two systems apart. */
export const RECORD_ID = "{{ $json.recordId ? $json.prefix + $json.recordId : '' }}";

/** Makes one list of two systems, by the steps in `workflows/README.md`. Changes the first workflow. */
export function joinLists(first: SavedWorkflow, second: SavedWorkflow): void {
	const { options } = syncOf(first);
	const [prefix, other] = [prefixOf(first), prefixOf(second)];
	const [expected, others] = [expectedIn(first), expectedIn(second)];
	const last = ALL in first.connections ? ALL : lastOf(first);
	const names = paste(first, second);
	for (const to of first.connections[last]?.main[0] ?? []) to.node = 'Merge';
	first.nodes.push(merge);
	Object.assign(first.connections, {
		[names.get(lastOf(second)) ?? '']: leadTo('Merge', 1),
		Merge: leadTo('Sync'),
	});
	options.customerIdPrefix = `${prefix}, ${other}`;
	options.recordId = `=${RECORD_ID}`;
	options.recordsExpected = `={{ Number(${expected}) + Number(${renamedIn(others, names)}) }}`;
}

/** The number of records in a list. A list of rows gives no number, so its rows count. */
function expectedIn(workflow: SavedWorkflow): string {
	if (lastOf(workflow) === MEMBERS) return "$('Rows in Use').all().length";
	return inside(syncOf(workflow).options.recordsExpected);
}

function prefixOf({ nodes }: Workflow): string {
	const { assignments } = nodes.find(({ name }) => name === MEMBERS)?.parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	return assignments.find(({ name }) => name === 'prefix')?.value ?? '';
}

/** A text whose expressions read nodes by their new names. */
function renamedIn(text: string | undefined, names: ReadonlyMap<string, string>): string {
	return [...names].reduce(
		(all, [from, to]) => all.replaceAll(`$('${from}')`, `$('${to}')`),
		text ?? '',
	);
}

/** Pastes the nodes between the trigger and Sync, and returns their new names. */
function paste(first: SavedWorkflow, second: SavedWorkflow): Map<string, string> {
	const pasted: string[] = [];
	for (let at = afterNode(second, TRIGGER); !ENDS.includes(at); at = afterNode(second, at))
		pasted.push(at);
	pasted.push(LIST);
	// n8n gives another name to a node whose name is taken, also in expressions.
	const isTaken = (name: string) => first.nodes.some((node) => node.name === name);
	const names = new Map(pasted.map((name) => [name, isTaken(name) ? `${name}1` : name]));
	const taken = second.nodes.filter(({ name }) => names.has(name));
	const text = renamedIn(JSON.stringify(taken), names);
	for (const node of JSON.parse(text) as WorkflowNode[]) {
		const name = names.get(node.name) ?? '';
		const to = second.connections[node.name]?.main[0] ?? [];
		const links = to.map((link) => ({ ...link, node: names.get(link.node) ?? '' }));
		first.connections[name] = { main: [links] };
		first.nodes.push({ ...node, name, id: `second-${String(node.id)}` });
	}
	const [start = ''] = names.values();
	first.connections[TRIGGER]?.main[0]?.push({ node: start, type: 'main', index: 0 });
	return names;
}

const merge: WorkflowNode = {
	...{ id: 'merge', name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3.2 },
	...{ position: [0, 0], parameters: {} },
};
