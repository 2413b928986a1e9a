import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { credentialTypeOf } from '../api/client';
import { InputError } from '../api/errors/errors';
import { runtime } from '../api/runtime';
import { readRequestOptions } from '../operations/requestOptions';
import type { ListOperation, ListResult, ListTask, ListTools } from '../operations/types';
import { refusePartialList } from './listRefusals';
import { toNodeError } from './nodeErrors';
import { Parameters } from './parameters';
import {
	authenticationOf,
	clientOpener,
	failedItem,
	isStopped,
	pairedTo,
	showHints,
} from './runContext';
import { runConcurrently } from './runConcurrently';

/**
 * How long to keep the slots of finished work free, so that the next requests are sent together.
 */
const REFILL_MS = 50;

/**
 * The number of items to read before n8n can do other work. Reading them takes some tens of
 * milliseconds.
 */
const READ_AT_ONCE = 500;

/** Added to the errors that occur before the first change. */
const NOTHING_CHANGED = 'Nothing was changed.';

/** The credentials of the list operations that are running in this process. */
const inUse = new Set<string>();

/** A list that has been read, and its invalid items. */
interface ReadList {
	task: ListTask;
	badItems: INodeExecutionData[];
}

/**
 * Runs an operation that takes all input items as one list.
 *
 * @returns The output items, each paired with the input items that it comes from. With "Continue on
 * Fail", invalid items and failed changes become items with `error`.
 * @throws NodeApiError or NodeOperationError if something fails and "Continue on Fail" is off, or
 * if the execution was stopped.
 */
export async function executeList(
	context: IExecuteFunctions,
	operation: ListOperation,
): Promise<INodeExecutionData[]> {
	try {
		refusePartialList(context);
		const { task, badItems } = await readList(context, operation);
		const result = await withCredential(context, async () => await run(context, task));
		return outputOf(context, badItems, result);
	} catch (error) {
		const nodeError = toNodeError(context, error, undefined, nothingChanged(context));
		if (!context.continueOnFail() || isStopped(context)) throw nodeError;
		return [failedItem(nodeError, [])];
	}
}

/**
 * The last sentence of an error's description. Errors from failed changes don't get it, because
 * they are already node errors.
 */
function nothingChanged(context: IExecuteFunctions): string {
	return isStopped(context) ? '' : NOTHING_CHANGED;
}

async function readList(context: IExecuteFunctions, operation: ListOperation): Promise<ReadList> {
	const items = context.getInputData();
	const parameters = new Parameters(context);
	const reader = operation.startList();
	const badItems: INodeExecutionData[] = [];
	for (const [index, { json }] of items.entries()) {
		try {
			reader.add(index, { parameters: parameters.of(index), json });
		} catch (error) {
			const nodeError = toNodeError(context, error, index, NOTHING_CHANGED);
			if (!context.continueOnFail()) throw nodeError;
			badItems.push(failedItem(nodeError, [index]));
		}
		// Resolving expressions takes a long time, so let n8n do other work in between.
		if (index % READ_AT_ONCE === 0) await sleep(0);
	}
	return { task: reader.finish(badItems.length), badItems };
}

async function run(context: IExecuteFunctions, task: ListTask): Promise<ListResult> {
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	const client = await clientOpener(context, options.maxWaitMs)();
	const forEach: ListTools['forEach'] = async (things, work) => {
		const { failure } = await runConcurrently({
			count: things.length,
			width: options.parallelRequests,
			orderingKey: () => undefined,
			task: async (index) => await work(things[index]!),
			pause: async () => await sleep(REFILL_MS),
		});
		if (failure !== undefined) throw failure.error;
	};
	const now = runtime.clock.date();
	return await task.run({ client, now, forEach, isStopped: () => isStopped(context) });
}

/** Makes sure that only one list operation per credential runs at a time in this process. */
async function withCredential<T>(context: IExecuteFunctions, work: () => Promise<T>): Promise<T> {
	const type = credentialTypeOf(authenticationOf(context));
	const { id, name = '' } = context.getNode().credentials?.[type] ?? {};
	const key = `${type} ${id ?? name}`;
	if (inUse.has(key)) {
		throw new InputError(
			'Another Sync with the same credential is running',
			'Wait until the other Sync ends, then run this one again. Schedule the two Syncs at different times.',
		);
	}
	inUse.add(key);
	try {
		return await work();
	} finally {
		inUse.delete(key);
	}
}

function outputOf(
	context: IExecuteFunctions,
	badItems: INodeExecutionData[],
	{ records, failures, error, hints }: ListResult,
): INodeExecutionData[] {
	showHints(context, hints);
	if (error !== undefined && !context.continueOnFail()) throw toNodeError(context, error);
	const failed = failures.map((failure) =>
		failedItem(toNodeError(context, failure.error), failure.items),
	);
	const done = records.map(({ json, items }) => ({ json, pairedItem: pairedTo(items) }));
	return [...done, ...failed, ...badItems];
}
