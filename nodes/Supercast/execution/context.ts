import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';

import { runtime } from '../api/clock';
import type { RequestContext } from '../api/http/send';
import { asRecord, isRecord, textOf } from '../api/json';
import type { ItemParameters } from '../operations/types';
import { hasExpression, isSameForAll, PlainExpressions } from './plainFields';

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

/** Beyond n8n's documented interface (n8n-core, NodeExecutionContext). */
export function runDataOf(context: IExecuteFunctions): IRunExecutionData | undefined {
	return (context as { runExecutionData?: IRunExecutionData | null }).runExecutionData ?? undefined;
}

/** The names of the nodes from which items come, directly or through others. */
export function nodesBefore(
	context: IExecuteFunctions,
	name: string = context.getNode().name,
): string[] {
	return context.getParentNodes(name).map((node) => node.name);
}

/** When an earlier node ran, in milliseconds since 1970. */
export interface Span {
	start: number;
	end: number;
}

/**
 * When the nodes before this one ran, the earliest first. Runs of an earlier execution are among
 * them if its items came back, as for "Execute step" and a retry. Undefined if items are pinned, by
 * hand or with "Copy to editor", because nobody knows when these were read.
 */
export function spansBefore(context: IExecuteFunctions): Span[] | undefined {
	const before = nodesBefore(context);
	const { runData = {}, pinData } = runDataOf(context)?.resultData ?? {};
	// A workflow without pinned items has null here.
	if (before.some((name) => pinData?.[name] !== undefined)) return undefined;
	const spans = before
		.flatMap((name) => runData[name] ?? [])
		.map((run) => ({ start: run.startTime, end: run.startTime + (run.executionTime ?? 0) }));
	return spans.sort((one, other) => one.start - other.start);
}

/** Items of this execution are hardly older. For a retry, n8n may run all nodes again as quickly. */
const LATELY_MS = 60_000;

/** In other modes, n8n uses neither pinned items nor those of earlier executions. */
const BY_HAND = ['evaluation', 'manual', 'retry'];

/** Whether the items are pinned, those of a retry, or those of an earlier run by hand. */
function areItemsOld(context: IExecuteFunctions): boolean {
	const mode = context.getMode();
	if (!BY_HAND.includes(mode)) return false;
	const spans = spansBefore(context);
	if (spans === undefined || mode === 'retry') return true;
	return spans.some(({ start }) => runtime.clock.date() - start > LATELY_MS);
}

/** What all items have in common. */
function executionOf(
	context: IExecuteFunctions,
): Pick<ItemParameters, 'isOld' | 'isTool' | 'now' | 'timezone'> {
	return {
		timezone: context.getTimezone(),
		now: runtime.clock.date(),
		isTool: isTool(context),
		isOld: areItemsOld(context),
	};
}

/** How the items that together are a list are read. */
export interface ListSnapshot {
	/**
	 * Fields of collections, such as `options.limit`, that are resolved for the first item only,
	 * because they are the same for all items and their expressions may read whole lists.
	 */
	once: readonly string[];
}

/**
 * Reads the parameters of an item. Resolving one takes about as much work as sending a request, so
 * one without an expression is resolved once for all items. In a list, that may have thousands of
 * items, collections are resolved field by field, and the simplest expressions not at all.
 */
export function parameterReader(
	context: IExecuteFunctions,
	list?: ListSnapshot,
): (index: number) => ItemParameters {
	const reader = new ParameterReader(context, list);
	return (index) => new ParametersOfItem(reader, index);
}

class ParameterReader {
	readonly execution: ReturnType<typeof executionOf>;
	private readonly typed: Readonly<Record<string, unknown>>;
	private readonly inputs: readonly INodeExecutionData[] | undefined;
	private readonly sameForAll = new Map<string, unknown>();
	private readonly expressions = new PlainExpressions();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly list: ListSnapshot | undefined,
	) {
		this.execution = executionOf(context);
		this.typed = context.getNode().parameters;
		this.inputs = list && context.getInputData();
	}

	/** @param item Keeps the values that only this item has. */
	parameter(item: ParametersOfItem, name: string, fallback?: unknown): unknown {
		const typed = this.typed[name];
		if (this.list === undefined || !isRecord(typed))
			return this.resolve(item, name, typed, fallback);
		const fields = Object.entries(typed);
		return Object.fromEntries(
			fields.map(([key, value]) => [key, this.resolve(item, `${name}.${key}`, value)]),
		);
	}

	private resolve(
		item: ParametersOfItem,
		name: string,
		typed: unknown,
		fallback?: unknown,
	): unknown {
		const known = [this.sameForAll, item.resolved].find((values) => values?.has(name));
		if (known !== undefined) return known.get(name);
		const json = this.inputs && (this.inputs[item.index]?.json ?? {});
		const plain = json && this.expressions.valueOf(typed, json);
		if (plain !== undefined) return plain.value;
		const value = this.context.getNodeParameter(name, item.index, fallback);
		if (this.isSame(name, typed)) this.sameForAll.set(name, value);
		else (item.resolved ??= new Map()).set(name, value);
		return value;
	}

	private isSame(name: string, typed: unknown): boolean {
		if (this.list === undefined) return !hasExpression(typed);
		return this.list.once.includes(name) || isSameForAll(typed);
	}
}

/** Sync keeps one for each item of its list, so it holds as little as possible. */
class ParametersOfItem implements ItemParameters {
	/** The values that were resolved for this item alone. */
	resolved: Map<string, unknown> | undefined = undefined;

	constructor(
		private readonly reader: ParameterReader,
		readonly index: number,
	) {}

	get timezone(): string {
		return this.reader.execution.timezone;
	}

	get now(): number {
		return this.reader.execution.now;
	}

	get isTool(): boolean | undefined {
		return this.reader.execution.isTool;
	}

	get isOld(): boolean {
		return this.reader.execution.isOld;
	}

	parameter(name: string, fallback?: unknown): unknown {
		return this.reader.parameter(this, name, fallback);
	}

	collection(name: string): IDataObject {
		return asRecord(this.parameter(name)) as IDataObject;
	}

	locator(name: string): { mode: string; value: number | string } {
		const typed = this.parameter(name);
		// An expression for the whole parameter returns just the value.
		const { mode, value } = isRecord(typed) ? typed : { mode: 'list', value: typed };
		const isText = typeof value === 'string' || Number.isFinite(value);
		return { mode: textOf(mode), value: isText ? (value as number | string) : '' };
	}
}
