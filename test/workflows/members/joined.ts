import type { Workflow, WorkflowNode } from '../../harness/n8n/setup';

/** A workflow file with its connections. */
interface Connected extends Workflow {
	connections: Record<
		string,
		{ main: Array<Array<{ node: string; type: string; index: number }>> }
	>;
}

interface SyncParameters extends Record<string, unknown> {
	options: Record<string, string>;
	additionalFields: Record<string, string>;
}

const TRIGGER = 'Every 5 Minutes';

const leadTo = (node: string, index = 0) => ({ main: [[{ node, type: 'main', index }]] });
const afterNode = (workflow: Connected, name: string): string =>
	workflow.connections[name]?.main[0]?.[0]?.node ?? '';
/** The first expression of a text, without its braces. */
const inside = (text = ''): string => /\{\{(.*?)\}\}/.exec(text)?.[1] ?? '';

function syncOf({ nodes }: Workflow): SyncParameters {
	return nodes.find(({ name }) => name === 'Sync')?.parameters as SyncParameters;
}

/** Makes one list of two systems, by the steps in `workflows/README.md`. Changes the first workflow. */
export function joinLists(one: Workflow, another: Workflow): void {
	const [first, second] = [one as Connected, another as Connected];
	const [sync, other] = [syncOf(first), syncOf(second)];
	const last = lastOf(first);
	const names = paste(first, second);
	const expected = [sync, other].map(({ options }) => options.recordsExpected ?? '');
	const numbers = [inside(expected[0]), inside(renamedIn(expected[1] ?? '', names))];
	first.nodes.push(fieldsOf(sync, 'Fields'), fieldsOf(other, 'Fields1'), merge);
	Object.assign(first.connections, {
		[last]: leadTo('Fields'),
		[names.get(lastOf(second)) ?? '']: leadTo('Fields1'),
		Fields: leadTo('Merge'),
		Fields1: leadTo('Merge', 1),
		Merge: leadTo('Sync'),
	});
	const both = (field: string, separator: string) =>
		[sync[field], other[field]].filter(Boolean).join(separator);
	Object.assign(sync, {
		...{ status: fieldNamed('status'), email: fieldNamed('email'), customerId: fieldNamed('id') },
		additionalFields: { firstName: fieldNamed('firstName'), lastName: fieldNamed('lastName') },
		...{ openFor: both('openFor', '\n'), keepFor: both('keepFor', '\n') },
		...{ closeFor: both('closeFor', '\n'), customerIdPrefix: both('customerIdPrefix', ', ') },
		options: {
			...{ closeAfter: sync.options.closeAfter, output: 'summary' },
			recordId: fieldNamed('recordId'),
			recordsExpected: `={{ ${numbers.map((one) => `Number(${one})`).join(' + ')} }}`,
		},
	});
}

const fieldNamed = (name: string): string => `={{ $json.${name} }}`;

/** The node before Sync. */
function lastOf({ connections }: Connected): string {
	const isLast = (name: string) =>
		connections[name]?.main[0]?.some(({ node }) => node === 'Sync') === true;
	return Object.keys(connections).find(isLast) ?? '';
}

/** The fields of a record, from the expressions of Sync in the workflow of one system. */
function fieldsOf(sync: SyncParameters, name: string): WorkflowNode {
	const values = {
		...{ status: sync.status, email: sync.email, id: sync.customerId },
		recordId: `=${String(sync.customerIdPrefix)}${(sync.options.recordId ?? '').slice(1)}`,
		...{ firstName: sync.additionalFields.firstName, lastName: sync.additionalFields.lastName },
	};
	const assignments = Object.entries(values).map(([id, value]) => ({
		...{ id, name: id, value, type: 'string' },
	}));
	return {
		...{ id: name, name, type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [0, 0] },
		parameters: { assignments: { assignments }, options: {} },
	};
}

/** A text whose expressions read nodes by their new names. */
function renamedIn(text: string, names: ReadonlyMap<string, string>): string {
	return [...names].reduce((all, [from, to]) => all.replaceAll(`$('${from}')`, `$('${to}')`), text);
}

/** Pastes the nodes between the trigger and Sync, and returns their new names. */
function paste(first: Connected, second: Connected): Map<string, string> {
	const pasted: string[] = [];
	for (let at = afterNode(second, TRIGGER); at !== 'Sync'; at = afterNode(second, at))
		pasted.push(at);
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
