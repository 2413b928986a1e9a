import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { identifierKey } from '../api/identity';
import type { QueuePlace } from '../api/ledger/personQueues';
import { textOf } from '../api/json';
import { runConcurrently } from '../operations/concurrently';
import { taskForTool } from '../operations/output';
import { readRequestOptions } from '../operations/properties';
import type { ItemParameters, ItemTask, Operation } from '../operations/types';
import { findOperation } from '../resources';
import { isStopped } from './context';
import { executeSync } from './executeSync';
import { showHint } from './hints';
import { clientsOf, type ItemClient } from './itemClients';
import { readItems } from './items';
import { failedItem, hintOfFailures, toNodeError, type NodeError } from './nodeErrors';

/** Each item may add a different hint, so the editor shows only some of them. */
const MOST_HINTS = 3;

type RequestOptions = ReturnType<typeof readRequestOptions>;

/** An item whose parameters are valid. */
interface ReadItem {
	task: ItemTask;
	options: RequestOptions;
}

/** An item, or why its parameters are not valid. */
type ReadResult = NodeError | ReadItem;

/** What the items have produced so far. Both lists use the items' indexes, and may have gaps. */
interface Results {
	outputs: INodeExecutionData[][];
	failures: NodeError[];
	hints: Set<string>;
}

/**
 * Runs the chosen operation: Sync once for all input items, and any other once for each item. If one
 * item has invalid input, nothing is sent, unless "Continue on Fail" is on.
 * @throws NodeApiError or NodeOperationError for the first failed item, or after a stop.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = textOf(context.getNodeParameter('resource', 0));
	const name = textOf(context.getNodeParameter('operation', 0));
	const operation = findOperation(resource, name);
	if (operation === undefined) {
		return await executeItems(context, () => refuseUnknown(resource, name));
	}
	if (!('prepare' in operation)) return await executeSync(context);
	return await executeItems(context, (item) => readItem(operation, item));
}

function refuseUnknown(resource: string, name: string): never {
	throw new InputError(
		`The operation "${name}" does not exist for the resource "${resource}"`,
		"Choose the 'Operation' again in the node.",
	);
}

function readItem(operation: Operation, item: ItemParameters): ReadItem {
	const options = readRequestOptions(item.collection('options'));
	const task = operation.prepare(item);
	return { task: item.isTool ? taskForTool(task, item) : task, options };
}

async function executeItems(
	context: IExecuteFunctions,
	read: (item: ItemParameters) => ReadItem,
): Promise<INodeExecutionData[]> {
	const others = context.getInputData().length - 1;
	const items = await readItems(context, othersSentence(others, 0), read);
	// An expression may give each item different options. All items use the first valid ones.
	const options = items.find(isRead)?.options ?? readRequestOptions({});
	const results: Results = { outputs: [], failures: [], hints: new Set() };
	const queue = new ItemQueue(items);
	const work = workOn(context, options, queue, results);
	const running = runConcurrently(items, options.parallelRequests, work, outputNamesOf);
	const failure = await running.finally(() => queue.leave());
	if (failure !== undefined) {
		const done = Object.keys(results.outputs).length;
		throw toNodeError(context, failure.error, failure.index, othersSentence(others, done));
	}
	showHints(context, results, items.length);
	return results.outputs.flat();
}

/** The places of all items in the queues of their channels, which they take together, in their order. */
class ItemQueue {
	private places: Array<QueuePlace | undefined> | undefined;

	constructor(private readonly items: readonly ReadResult[]) {}

	placeOf(clients: readonly ItemClient[], index: number): QueuePlace | undefined {
		this.places ??= this.items.map((item, number) => {
			const changes = isRead(item) ? item.task.changes : undefined;
			const client = clients[number];
			if (changes === undefined || client?.status !== 'fulfilled') return undefined;
			return client.value.channel.queues.enter(changes);
		});
		return this.places[index];
	}

	/** Others need not wait for items that do not run any more. */
	leave(): void {
		for (const place of this.places ?? []) place?.leave();
	}
}

/** Returns the function that runs one item, and puts its output or its failure into `results`. */
function workOn(
	context: IExecuteFunctions,
	options: RequestOptions,
	queue: ItemQueue,
	{ outputs, failures, hints }: Results,
): (item: ReadResult, index: number) => Promise<void> {
	let clients: Promise<ItemClient[]> | undefined;
	const run = async (item: ReadResult, index: number): Promise<INodeExecutionData[]> => {
		if (!isRead(item)) throw item;
		clients ??= clientsOf(context, context.getInputData().length, options);
		const all = await clients;
		const client = all[index];
		if (client?.status !== 'fulfilled') throw client?.reason;
		const place = queue.placeOf(all, index);
		const records = await item.task.run(client.value, (hint) => hints.add(hint), place);
		// One object for all records of an item takes less memory, as in n8n's own nodes.
		const pairedItem = { item: index };
		return records.map((json) => ({ json, pairedItem }));
	};
	return async (item, index) => {
		outputs[index] = await run(item, index).catch((error: unknown) => {
			if (!context.continueOnFail() || isStopped(context)) throw error;
			const failure = toNodeError(context, error, index);
			failures[index] = failure;
			return [failedItem(failure, { item: index })];
		});
	};
}

function isRead(item: ReadResult): item is ReadItem {
	return !(item instanceof Error);
}

/** Tasks that share a name keep their order. */
function outputNamesOf(item: ReadResult): string[] {
	return isRead(item) ? [item.task.record ?? []].flat().map(identifierKey) : [];
}

function showHints(context: IExecuteFunctions, { failures, hints }: Results, items: number): void {
	const failed = failures.filter(Boolean);
	const who = items === 1 ? 'The item' : `${failed.length} of ${items} items`;
	const failure = hintOfFailures(who, failed);
	if (failure !== undefined) showHint(context, failure, 'warning');
	for (const message of [...hints].slice(0, MOST_HINTS)) showHint(context, message);
}

function othersSentence(others: number, done: number): string {
	if (others === 0) return '';
	if (done === 0) return 'No other item was completed.';
	if (done === others) {
		return done === 1 ? 'The other item was completed.' : 'All other items were completed.';
	}
	return `${done} of the other ${others} items ${done === 1 ? 'was' : 'were'} completed.`;
}
