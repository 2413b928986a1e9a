/** Runs Sync: read the list, find out the channel, synchronize, tell. */

import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { readOtherFields } from '../access/recordFields';
import type { SyncSettings } from '../access/settings';
import { READ_ONCE } from '../access/settings';
import { ListReader, type ListArrival, type MemberList } from '../access/sync/list';
import { afterUncounted } from '../access/sync/memory';
import { synchronize, type SyncTools } from '../access/sync/sync';
import {
	authenticationOf,
	createClient,
	credentialTypeOf,
	requestsPerMinute,
	type Authentication,
	type SupercastClient,
} from '../api/client';
import { runtime } from '../api/clock';
import { readRequestOptions } from '../operations/properties';
import { report, skippedReport, type SyncReport } from '../report/report';
import { isStopped } from './context';
import { refuseSeveralChannels } from './itemClients';
import { readEach, runConcurrently } from './items';
import { listArrival, refusePartialList } from './listArrival';
import { MemoryPlace } from './memory/syncMemory';
import { failedItem, toNodeError, type NodeError } from './nodeErrors';
import { afterOtherSyncs } from './syncLock';
import { outputOf, showFailures } from './syncOutput';

/** Added to the errors that occur before the first change. */
const NOTHING_CHANGED = 'Nothing was changed.';

/** A list that Sync has read. */
interface ReceivedList {
	list: MemberList;
	settings: SyncSettings;
	arrival: ListArrival;
}

/**
 * Runs Sync, which takes all input items as one list.
 * @throws NodeApiError or NodeOperationError, also if the execution was stopped.
 */
export async function executeSync(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	try {
		const received = await receiveList(context);
		return await runSync(context, received);
	} catch (error) {
		// Errors from failed changes are node errors already, and keep their description.
		const isOver = isStopped(context);
		const nodeError = toNodeError(context, error, undefined, isOver ? '' : NOTHING_CHANGED);
		if (!context.continueOnFail() || isOver) throw nodeError;
		showFailures(context, 'Sync', [nodeError]);
		return [failedItem(nodeError, [])];
	}
}

/** Reads the items, which together are the list. Throws InputError if the settings are invalid. */
async function receiveList(context: IExecuteFunctions): Promise<ReceivedList> {
	const arrival = listArrival(context, runtime.clock.date());
	refusePartialList(context);
	const inputs = context.getInputData();
	const reader = new ListReader(readOtherFields);
	await readEach(context, READ_ONCE, (item, index) =>
		reader.add(index, item, inputs[index]?.json ?? {}),
	);
	const judging = reader.judgeAll(arrival.arrivedAt)[Symbol.iterator]();
	while (judging.next().done !== true) await sleep(0);
	await refuseSeveralChannels(context);
	return { list: reader.list, settings: reader.settings, arrival };
}

async function runSync(
	context: IExecuteFunctions,
	received: ReceivedList,
): Promise<INodeExecutionData[]> {
	const { list, settings } = received;
	const authentication = authenticationOf(context.getNodeParameter('authentication', 0));
	const place = new MemoryPlace(context, credentialOf(context, authentication));
	const forget = (some: MemberList): void => place.keep(afterUncounted(place.load(), some.records));
	const client = await clientFor(context, authentication).catch((error: unknown) => {
		forget(list);
		throw error;
	});
	const work = async (): Promise<SyncReport> =>
		await synchronizeAndTell(context, client, received, place);
	const result = settings.dryRun
		? await work()
		: await afterOtherSyncs({
				...{ context, list, work, forget, channel: client.channel },
				skip: () => skippedReport(settings),
			});
	if (result.error !== undefined && !context.continueOnFail()) {
		throw withReport(toNodeError(context, result.error), result);
	}
	return await outputOf(context, result);
}

/** n8n passes this on to an Error Trigger, so that an email about a failed run says the same. */
function withReport(error: NodeError, { records }: SyncReport): NodeError {
	const { title, text, html, alert } = records.at(-1)?.json ?? {};
	error.context.report = { title, text, html, alert };
	return error;
}

/** Synchronizes, and tells what was done. */
async function synchronizeAndTell(
	context: IExecuteFunctions,
	client: SupercastClient,
	{ list, settings, arrival }: ReceivedList,
	place: MemoryPlace,
): Promise<SyncReport> {
	const authentication = authenticationOf(context.getNodeParameter('authentication', 0));
	const credential = await context.getCredentials<object>(credentialTypeOf(authentication));
	let isKept = false;
	const tools: SyncTools = {
		client,
		...toolsOf(context, arrival),
		keep: (memory) => {
			isKept = true;
			place.keep(memory);
		},
	};
	const isByHand = context.getMode() === 'manual';
	const input = { list, settings, arrival, memory: place.load(), isByHand };
	const run = await synchronize(input, tools).catch((error: unknown) => {
		// A list that does not count shows at least that those who are on it are not missing.
		if (!isKept) place.keep(afterUncounted(place.load(), list.records));
		throw error;
	});
	await tools.rest();
	const channel = (await client.channelName?.()) ?? '';
	const result = report(run, { channel, perMinute: requestsPerMinute(credential) });
	if (result.told !== run.next.told) place.keep({ ...run.next, told: result.told });
	return result;
}

function toolsOf(
	context: IExecuteFunctions,
	{ arrivedAt, readingBeganAt }: ListArrival,
): Omit<SyncTools, 'client' | 'keep'> {
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	const sinceReading = runtime.clock.date() - Math.min(readingBeganAt, arrivedAt);
	return {
		listBeganAt: runtime.clock.now() - sinceReading,
		now: () => runtime.clock.date(),
		rest: async () => await runtime.clock.sleep(0),
		isStopped: () => isStopped(context),
		forEach: async (things, change) => {
			const failure = await runConcurrently(things, options.parallelRequests, change);
			if (failure !== undefined) throw failure.error;
		},
	};
}

async function clientFor(
	context: IExecuteFunctions,
	authentication: Authentication,
): Promise<SupercastClient> {
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	return await createClient(context, authentication, options);
}

function credentialOf(context: IExecuteFunctions, authentication: Authentication): string {
	const { id, name } = context.getNode().credentials?.[credentialTypeOf(authentication)] ?? {};
	return id ?? name ?? '';
}
