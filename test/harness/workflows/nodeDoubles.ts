/**
 * Replaces n8n's nodes around the Supercast node. They do what n8n's do, as far as the workflows for
 * members use them. Tests with a real n8n run the real ones.
 */

import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';

/** What reaches out of n8n. */
export interface Outside {
	/** The pages that a node reads. Throws for a refusal, after which the node fails. */
	read: (context: IExecuteFunctions, node: INode, item: number) => Promise<IDataObject[]>;
	/** Sends an email. Throws if the server does not take it. */
	send: (email: IDataObject) => void;
	/** What the nodes that remove duplicates have seen, by their scope. */
	seen: Map<string, Set<string>>;
}

type Work = (
	context: IExecuteFunctions,
) => Promise<INodeExecutionData[][]> | INodeExecutionData[][];

function double(work: Work, inputs = 1, outputs = 1): INodeType {
	const ends = (count: number) => Array.from({ length: count }, () => NodeConnectionTypes.Main);
	return {
		description: {
			...{ displayName: 'Double', name: 'double', group: ['transform'], version: 1 },
			...{ description: 'Replaces a node of n8n', defaults: { name: 'Double' }, properties: [] },
			...{ inputs: ends(inputs), outputs: ends(outputs) },
		},
		async execute(this: IExecuteFunctions) {
			return await work(this);
		},
	};
}

const passOn: Work = (context) => [context.getInputData()];

/** The types of nodes in the workflows, by their names. */
export function nodeDoubles(outside: Outside): Record<string, INodeType> {
	const types: Record<string, INodeType> = {
		scheduleTrigger: double(passOn, 0),
		errorTrigger: double(passOn, 0),
		webhook: double(passOn, 0),
		httpRequest: double(async (context) => [await readAll(context, outside)]),
		splitOut: double((context) => [context.getInputData().flatMap(splitBy(context))]),
		extractFromFile: double((context) => [context.getInputData().flatMap(rowsIn(context))]),
		filter: double((context) => [context.getInputData().filter((_, at) => isKept(context, at))]),
		set: double((context) => [context.getInputData().map(fieldsSet(context))]),
		merge: double((context) => [[0, 1].flatMap((input) => context.getInputData(input) ?? [])], 2),
		removeDuplicates: double((context) => withoutDuplicates(context, outside.seen), 1, 2),
		emailSend: double((context) => sendAll(context, outside)),
		respondToWebhook: double(passOn),
	};
	return Object.fromEntries(
		Object.entries(types).map(([name, type]) => [`n8n-nodes-base.${name}`, type]),
	);
}

function textParameter(context: IExecuteFunctions, name: string, item: number, usual = ''): string {
	const value: unknown = context.getNodeParameter(name, item, usual);
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As n8n's node: once for each item. A failure is an item if On Error is set to continue. */
async function readAll(context: IExecuteFunctions, { read }: Outside) {
	const found: INodeExecutionData[] = [];
	for (const item of context.getInputData().keys()) {
		const pages = await read(context, context.getNode(), item).catch((error: Error) => {
			if (!context.continueOnFail()) throw error;
			return [{ error: { message: error.message } }];
		});
		found.push(...pages.map((json) => ({ json, pairedItem: { item } })));
	}
	return found;
}

function splitBy(context: IExecuteFunctions) {
	return ({ json }: INodeExecutionData, item: number): INodeExecutionData[] => {
		const field = textParameter(context, 'fieldToSplitOut', item);
		const at = (value: unknown, name: string): unknown =>
			(value as IDataObject | null | undefined)?.[name];
		const found = field.split('.').reduce<unknown>(at, json);
		const list = typeof found === 'object' && found !== null ? Object.values(found) : [found];
		const isAlone = textParameter(context, 'include', item, 'noOtherFields') === 'noOtherFields';
		// n8n takes the field itself out of the others, but here nothing reads it.
		const others = isAlone ? {} : json;
		return (found === undefined ? [] : list).map((entry: unknown) => ({
			json: (isAlone && typeof entry === 'object' && entry !== null
				? entry
				: { ...others, [field]: entry }) as IDataObject,
			pairedItem: { item },
		}));
	};
}

/** Rows without quotation marks. */
function rowsIn(context: IExecuteFunctions) {
	return ({ json }: INodeExecutionData, item: number): INodeExecutionData[] => {
		const delimiter = textParameter(context, 'options.delimiter', item, ',');
		const [header = '', ...rows] = (json.text as string).split('\n').filter(Boolean);
		const names = header.split(delimiter);
		return rows.map((row) => {
			const cells = row.split(delimiter);
			const values = names.map((name, at) => [name, cells[at] ?? '']);
			return { json: Object.fromEntries(values) as IDataObject, pairedItem: { item } };
		});
	};
}

function fieldsSet(context: IExecuteFunctions) {
	return (_: INodeExecutionData, item: number): INodeExecutionData => {
		const { assignments } = context.getNodeParameter('assignments', item) as {
			assignments: Array<{ name: string; value: IDataObject[string] }>;
		};
		const values = assignments.map(({ name, value }) => [name, value ?? null]);
		return { json: Object.fromEntries(values) as IDataObject, pairedItem: { item } };
	};
}

function isKept(context: IExecuteFunctions, item: number): boolean {
	const { conditions, combinator } = context.getNodeParameter('conditions', item) as {
		conditions: Array<{ leftValue: unknown }>;
		combinator: string;
	};
	const all = conditions.map(({ leftValue }) => Boolean(leftValue));
	return combinator === 'or' ? all.includes(true) : !all.includes(false);
}

function withoutDuplicates(context: IExecuteFunctions, all: Outside['seen']) {
	const items = context.getInputData();
	const scope = textParameter(context, 'options.scope', 0, 'node');
	const key = scope === 'workflow' ? scope : context.getNode().name;
	const seen = all.get(key) ?? new Set();
	all.set(key, seen);
	if (context.getNodeParameter('operation', 0) === 'clearDeduplicationHistory') {
		seen.clear();
		return [items, []];
	}
	const values = items.map((_, at) => textParameter(context, 'dedupeValue', at));
	const isNew = values.map((value) => !seen.has(value));
	for (const value of values) seen.add(value);
	return [items.filter((_, at) => isNew[at]), items.filter((_, at) => !isNew[at])];
}

function sendAll(context: IExecuteFunctions, { send }: Outside): INodeExecutionData[][] {
	return [
		context.getInputData().map((_, item) => {
			try {
				const names = ['subject', 'text', 'html'];
				const fields = names.map((name) => [name, context.getNodeParameter(name, item, '')]);
				send(Object.fromEntries(fields) as IDataObject);
				return { json: { accepted: true }, pairedItem: { item } };
			} catch (error) {
				if (!context.continueOnFail()) throw error;
				return { json: { error: (error as Error).message }, pairedItem: { item } };
			}
		}),
	];
}
