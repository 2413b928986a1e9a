/** What the runs of all operations share: the client, the stop signal, and failed items. */

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { createClient, type Authentication, type SupercastClient } from '../api/client';
import { asRecord, isRecord, textOf } from '../api/json';
import type { ItemParameters, Locator } from '../operations/types';

/** An error in n8n's format. */
export type NodeError = NodeApiError | NodeOperationError;

/** Whether someone has stopped the execution. */
export function isStopped(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal?.()?.aborted === true;
}

/** Any context of n8n. Only those that run items can be a tool's. */
export type MaybeTool = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteFunctions, 'isToolExecution'>>;

/** Whether an AI agent runs the node. n8n gives the tool a separate type, which ends in "Tool". */
export function isTool(context: MaybeTool): boolean {
	const { type, rewireOutputLogTo } = context.getNode();
	const isToolCall = context.isToolExecution?.() === true;
	return isToolCall || type.endsWith('Tool') || rewireOutputLogTo === 'ai_tool';
}

/** Returns a function that creates the client at its first call and reuses it after that. */
export function clientOpener(
	context: IExecuteFunctions,
	maxWaitMs: number,
): () => Promise<SupercastClient> {
	let client: Promise<SupercastClient> | undefined;
	return async () => {
		client ??= createClient(context, authenticationOf(context), { maxWaitMs });
		return await client;
	};
}

export function authenticationOf(context: IExecuteFunctions): Authentication {
	return context.getNodeParameter('authentication', 0) as Authentication;
}

/**
 * The output for a failed item with "Continue on Fail". It sets only `json.error`, so that n8n
 * moves the item to the error output and adds the input fields. If an item has an error object, n8n
 * does neither.
 *
 * @param items Numbers of the input items that failed.
 */
export function failedItem(error: NodeError, items: number[]): INodeExecutionData {
	const remedy = error.description ? `. ${error.description.replace(/\n/g, ' ')}` : '';
	return { json: { error: `${error.message}${remedy}` }, pairedItem: pairedTo(items) };
}

/**
 * The input items of an output item, in n8n's format. An empty list means that there are none.
 * Without a list, n8n would choose the pairing itself.
 */
export function pairedTo(items: number[]): INodeExecutionData['pairedItem'] {
	const [first] = items;
	return items.length === 1 && first !== undefined
		? { item: first }
		: items.map((item) => ({ item }));
}

/** Shows hints next to the output. Versions of n8n that do not support hints show none. */
export function showHints(
	context: Partial<IExecuteFunctions>,
	hints: ReadonlyArray<{ message: string; type?: 'info' | 'warning' }>,
): void {
	for (const hint of hints) context.addExecutionHints?.({ ...hint, location: 'outputPane' });
}

/**
 * The parameters of a run. Resolving a parameter takes about as much work as sending a request. So
 * each parameter is resolved once per item, or once for all items if it contains no expression.
 */
export class Parameters {
	private readonly raw: IDataObject;
	private readonly isTool: boolean;
	private readonly sameForAll = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {
		this.raw = context.getNode().parameters;
		this.isTool = isTool(context);
	}

	/** The parameters of one item. */
	of(index: number): ItemParameters {
		const own = new Map<string, unknown>();
		const read = (name: string, fallback?: unknown): unknown => {
			const values = this.isConstant(name) ? this.sameForAll : own;
			if (!values.has(name)) {
				values.set(name, this.context.getNodeParameter(name, index, fallback));
			}
			return values.get(name);
		};
		return {
			timezone: this.context.getTimezone(),
			isTool: this.isTool,
			parameter: read,
			collection: (name) => asRecord(read(name)) as IDataObject,
			locator: (name) => readLocator(read(name)),
		};
	}

	private isConstant(name: string): boolean {
		if (this.sameForAll.has(name)) return true;
		// n8n marks an expression with an equals sign at the start of the text.
		return name in this.raw && !JSON.stringify(this.raw[name]).includes('"=');
	}
}

function readLocator(typed: unknown): Locator {
	// An expression for the whole parameter returns just the value.
	const { mode, value } = isRecord(typed) ? typed : { mode: 'list', value: typed };
	const isText = typeof value === 'string' || Number.isFinite(value);
	return { mode: textOf(mode), value: isText ? textOf(value) : '' };
}
