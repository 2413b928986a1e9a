import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Authentication } from '../api/client';
import type { RequestContext } from '../api/http/send';
import { asRecord, isRecord, textOf } from '../api/json';
import type { ItemParameters } from '../operations/types';

/** Whether someone has stopped the execution. */
export function isStopped(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal?.()?.aborted === true;
}

/** Whether an AI agent runs the node. n8n gives the tool a separate type, which ends in "Tool". */
export function isTool(context: RequestContext): boolean {
	const { type, rewireOutputLogTo } = context.getNode();
	const isToolCall = 'isToolExecution' in context && context.isToolExecution();
	return isToolCall || type.endsWith('Tool') || rewireOutputLogTo === 'ai_tool';
}

export function authenticationOf(context: IExecuteFunctions): Authentication {
	return context.getNodeParameter('authentication', 0) as Authentication;
}

/** The input items of an output item. Without a list, n8n would choose the pairing itself. */
export function pairedTo(items: number[]): INodeExecutionData['pairedItem'] {
	const [first] = items;
	return items.length === 1 && first !== undefined
		? { item: first }
		: items.map((item) => ({ item }));
}

/**
 * Reads the parameters of an item. Resolving one takes about as much work as sending a request, so
 * one without an expression is resolved once for all items.
 */
export function parameterReader(context: IExecuteFunctions): (index: number) => ItemParameters {
	const { parameters } = context.getNode();
	const common = { timezone: context.getTimezone(), isTool: isTool(context) };
	// n8n marks an expression with an equals sign at the start of the text.
	const hasExpression = (name: string): boolean =>
		JSON.stringify(parameters[name] ?? null).includes('"=');
	const constants = new Set(Object.keys(parameters).filter((name) => !hasExpression(name)));
	const sameForAll = new Map<string, unknown>();
	return (index) => {
		const own = new Map<string, unknown>();
		const parameter = (name: string, fallback?: unknown): unknown => {
			const values = constants.has(name) ? sameForAll : own;
			if (!values.has(name)) values.set(name, context.getNodeParameter(name, index, fallback));
			return values.get(name);
		};
		return {
			...common,
			parameter,
			collection: (name) => asRecord(parameter(name)) as IDataObject,
			locator: (name) => locatorOf(parameter(name)),
		};
	};
}

function locatorOf(typed: unknown): ReturnType<ItemParameters['locator']> {
	// An expression for the whole parameter returns just the value.
	const { mode, value } = isRecord(typed) ? typed : { mode: 'list', value: typed };
	const isText = typeof value === 'string' || Number.isFinite(value);
	return { mode: textOf(mode), value: isText ? textOf(value) : '' };
}
