import type { Workflow, WorkflowNode } from '../../../harness/n8n/setup';

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
	email: string;
	customerId: string;
	additionalFields: Record<string, string>;
	options: Record<string, string>;
}

const TRIGGER = 'Every 5 Minutes';
const FIELDS = ['email', 'customerId', 'firstName', 'lastName'];

const leadTo = (node: string, index = 0) => ({ main: [[{ node, type: 'main', index }]] });
const afterNode = (workflow: SavedWorkflow, name: string): string =>
	workflow.connections[name]?.main[0]?.[0]?.node ?? '';
const inside = (expression = ''): string => expression.replace(/^=\{\{|\}\}$/g, '');

function syncOf({ nodes }: Workflow): SyncParameters {
	return nodes.find(({ name }) => name === 'Sync')?.parameters as SyncParameters;
}

/** Makes one list of two systems, by the steps in `workflows/README.md`. Changes the first workflow. */
export function joinLists(first: SavedWorkflow, second: SavedWorkflow): void {
	const sync = syncOf(first);
	const other = syncOf(second);
	const names = paste(first, second);
	first.nodes.push(editFields('First', sync), editFields('Second', other), merge);
	Object.assign(first.connections, {
		First: leadTo('Merge'),
		Second: leadTo('Merge', 1),
		Merge: leadTo('Sync'),
	});
	const { options } = sync;
	for (const field of ['recordsRead', 'recordsExpected'])
		options[field] =
			`={{ Number(${inside(options[field])}) + Number(${inside(renamedIn(other.options[field], names))}) }}`;
	options.customerIdPrefix = `${options.customerIdPrefix}, ${other.options.customerIdPrefix}`;
	const [email, customerId, firstName, lastName] = FIELDS.map((name) => `={{ $json.${name} }}`);
	Object.assign(sync, { email, customerId, additionalFields: { firstName, lastName } });
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
	for (let at = afterNode(second, TRIGGER); at !== 'Sync'; at = afterNode(second, at))
		pasted.push(at);
	// n8n gives another name to a node whose name is taken, also in expressions.
	const isTaken = (name: string) => first.nodes.some((node) => node.name === name);
	const names = new Map(pasted.map((name) => [name, isTaken(name) ? `${name}1` : name]));
	const taken = second.nodes.filter(({ name }) => names.has(name));
	const text = renamedIn(JSON.stringify(taken), names);
	for (const output of Object.values(first.connections).flatMap(({ main }) => main))
		for (const to of output) if (to.node === 'Sync') to.node = 'First';
	for (const node of JSON.parse(text) as WorkflowNode[]) {
		const next = afterNode(second, node.name);
		const name = names.get(node.name) ?? '';
		first.connections[name] = leadTo(next === 'Sync' ? 'Second' : (names.get(next) ?? ''));
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

function editFields(name: string, { additionalFields, ...sync }: SyncParameters): WorkflowNode {
	const values: Record<string, unknown> = { ...sync, ...additionalFields };
	const assignments = FIELDS.map((field) => ({
		...{ id: field, name: field, type: 'string', value: values[field] },
	}));
	return {
		...{ id: name, name, type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [0, 0] },
		parameters: { assignments: { assignments }, options: {} },
	};
}
