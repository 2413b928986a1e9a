import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { SyncList } from '../access/members';
import type { Sync, SyncTools } from '../access/sync';
import type { SyncResult } from '../access/report';
import { credentialTypeOf } from '../api/client';
import { runtime, withinTime } from '../api/clock';
import { InputError } from '../api/errors/errors';
import { readRequestOptions } from '../operations/properties';
import {
	Parameters,
	authenticationOf,
	clientOpener,
	failedItem,
	isStopped,
	pairedTo,
	showHints,
} from './context';
import { toNodeError } from './nodeErrors';
import { runConcurrently } from './pool';
import { mayGetMore, refusePartialList } from './wholeList';

/** The number of items to read within a few dozen milliseconds, before n8n can do other work. */
const READ_AT_ONCE = 500;

/** How long a Sync waits for another one with the same credential. */
const LONGEST_WAIT_MS = 30 * 60_000;

/** Added to the errors that occur before the first change. */
const NOTHING_CHANGED = 'Nothing was changed.';

/** The Syncs that are running in this process, by credential. */
const running = new Map<string, { node: string; ended: Promise<void> }>();

/**
 * Runs Sync, which takes all input items as one list.
 *
 * @returns The output items, each paired with the input items that it comes from. With "Continue on
 * Fail", invalid items and failed changes become items with `error`.
 * @throws NodeApiError or NodeOperationError if something fails and "Continue on Fail" is off, or
 * if the execution was stopped.
 */
export async function executeSync(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const receivedAt = runtime.clock.date();
	try {
		refusePartialList(context);
		const { sync, badItems } = await readItems(context);
		const work = async (): Promise<SyncResult> => await run(context, sync, receivedAt);
		const result = sync.settings.dryRun ? await work() : await inTurn(context, work);
		return outputOf(context, badItems, result);
	} catch (error) {
		// Errors from failed changes are node errors already, and keep their description.
		const isOver = isStopped(context);
		const nodeError = toNodeError(context, error, undefined, isOver ? '' : NOTHING_CHANGED);
		if (!context.continueOnFail() || isOver) throw nodeError;
		return [failedItem(nodeError, [])];
	}
}

async function readItems(
	context: IExecuteFunctions,
): Promise<{ sync: Sync; badItems: INodeExecutionData[] }> {
	const parameters = new Parameters(context);
	const list = new SyncList();
	const badItems: INodeExecutionData[] = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		try {
			list.add(index, parameters.of(index), json);
		} catch (error) {
			const nodeError = toNodeError(context, error, index, NOTHING_CHANGED);
			if (!context.continueOnFail()) throw nodeError;
			badItems.push(failedItem(nodeError, [index]));
		}
		// Resolving expressions takes a long time, so let n8n do other work in between.
		if (index % READ_AT_ONCE === 0) await sleep(0);
	}
	return { sync: list.finish(badItems.length), badItems };
}

async function run(
	context: IExecuteFunctions,
	sync: Sync,
	receivedAt: number,
): Promise<SyncResult> {
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	const client = await clientOpener(context, options.maxWaitMs)();
	const forEach: SyncTools['forEach'] = async (things, work) => {
		const { failure } = await runConcurrently({
			count: things.length,
			width: options.parallelRequests,
			orderingKey: () => undefined,
			task: async (index) => await work(things[index]!),
		});
		if (failure !== undefined) throw failure.error;
	};
	return await sync.run({
		client,
		receivedAt,
		forEach,
		now: () => runtime.clock.date(),
		mayGetMore: mayGetMore(context),
		isStopped: () => isStopped(context),
	});
}

/**
 * Waits until no other Sync with the same credential runs in this process. If the other one is an
 * earlier execution of the same workflow, this one does nothing, because the next one will have a
 * newer list.
 */
async function inTurn(
	context: IExecuteFunctions,
	work: () => Promise<SyncResult>,
): Promise<SyncResult> {
	const type = credentialTypeOf(authenticationOf(context));
	const { id, name = '' } = context.getNode().credentials?.[type] ?? {};
	const key = `${type} ${id ?? name}`;
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const { clock } = runtime;
	const signal = context.getExecutionCancelSignal?.();
	const until = clock.now() + LONGEST_WAIT_MS;
	for (let other = running.get(key); other !== undefined; other = running.get(key)) {
		if (other.node === node && context.getMode() !== 'manual') return SKIPPED;
		const { ended } = other;
		const limit = { clock, ms: Math.max(0, until - clock.now()), signal };
		if ((await withinTime(limit, async () => await ended)) === undefined) continue;
		throw new InputError(
			'Another Sync with the same credential is still running',
			'Wait until the other Sync ends, then run this one again. Schedule the two Syncs at different times.',
		);
	}
	let leave = (): void => undefined;
	running.set(key, { node, ended: new Promise<void>((resolve) => (leave = resolve)) });
	try {
		return await work();
	} finally {
		running.delete(key);
		leave();
	}
}

const SKIPPED: SyncResult = {
	records: [],
	failures: [],
	hints: [
		{
			type: 'info',
			message:
				'An earlier execution of this workflow is still running Sync, so this one did nothing. The next one will read a new list.',
		},
	],
};

function outputOf(
	context: IExecuteFunctions,
	badItems: INodeExecutionData[],
	{ records, failures, error, hints }: SyncResult,
): INodeExecutionData[] {
	showHints(context, hints);
	if (error !== undefined && !context.continueOnFail()) throw toNodeError(context, error);
	const failed = failures.map((failure) =>
		failedItem(toNodeError(context, failure.error), failure.items),
	);
	const done = records.map(({ json, items }) => ({ json, pairedItem: pairedTo(items) }));
	return [...done, ...failed, ...badItems];
}
