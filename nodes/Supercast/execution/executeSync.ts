import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { DailyLogStore } from '../report/dailyLog/logRun';
import { logRun } from '../report/dailyLog/logRun';
import { refusalError } from '../report/refusals';
import { report, skippedReport, type SyncReport } from '../report/report';
import { READ_ONCE, type SyncSettings } from '../access/settings';
import { ListOfMembers } from '../access/sync/list/members';
import { isTrusted } from '../access/sync/list/snapshot';
import type { SyncRecord } from '../access/sync/record';
import type { SyncTools } from '../access/sync/carryOut';
import { synchronize } from '../access/sync/sync';
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
import type { ItemParameters } from '../operations/types';
import { isStopped } from './context';
import { isMadeByN8n } from './emptyItems';
import { readItems, runConcurrently } from './items';
import { failedItem, toNodeError } from './nodeErrors';
import { mayGetMore, readTimesOf, refusePartialList } from './listArrival';
import { refuseSeveralChannels } from './itemClients';
import { dailyLogFor, logStop } from './memory/syncDailyLog';
import { afterOtherSyncs } from './syncLock';
import { outputOf, showFailures, type BadItem } from './syncOutput';
import { SyncMemory } from './memory/syncMemory';

/** Added to the errors that occur before the first change. */
const NOTHING_CHANGED = 'Nothing was changed.';

/** What the steps of a run share. */
interface ListRun {
	context: IExecuteFunctions;
	list: ListOfMembers;
	authentication: Authentication;
	credential: string;
	/** Set once the list is accepted, because a refused one takes no request. */
	client?: Promise<SupercastClient>;
	memory: SyncMemory;
	dailyLog: DailyLogStore;
	/** When the list arrived, in milliseconds since 1970. */
	receivedAt: number;
	/** The same moment, on the clock of the client's decisions. */
	cameAt: number;
}

/**
 * Runs Sync, which takes all input items as one list.
 * @throws NodeApiError or NodeOperationError, also if the execution was stopped.
 */
export async function executeSync(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const cameAt = runtime.clock.now();
	const receivedAt = runtime.clock.date();
	try {
		const authentication = authenticationOf(context.getNodeParameter('authentication', 0));
		const credential = credentialOf(context, authentication);
		const memory = new SyncMemory(context, { credential });
		const list = new ListOfMembers(context.getInputData().length);
		const dailyLog = dailyLogFor(context, { credential });
		const run = { context, list, authentication, credential, memory, dailyLog, receivedAt, cameAt };
		return await runList(run).catch(async (error: unknown) => {
			await forgetListed(run, list);
			logFailure(run, error);
			throw error;
		});
	} catch (error) {
		// Errors from failed changes are node errors already, and keep their description.
		const isOver = isStopped(context);
		const nodeError = toNodeError(context, error, undefined, isOver ? '' : NOTHING_CHANGED);
		if (!context.continueOnFail() || isOver) throw nodeError;
		showFailures(context, 'Sync', [nodeError]);
		return [failedItem(nodeError, [])];
	}
}

async function runList(run: ListRun): Promise<INodeExecutionData[]> {
	const { context, list } = run;
	const badItems = await readMembers(context, list);
	const settings = list.check();
	await refuseSeveralChannels(context);
	const client = clientFor(context, run.authentication);
	await identify(run, client);
	const work = async (): Promise<SyncReport> => await tellRun(run, settings, badItems);
	const result = settings.dryRun
		? await work()
		: await afterOtherSyncs({
				...{ context, list, work, channel: (await client).channel },
				skip: () => skippedReport(settings),
				forget: async (skipped) => await forgetListed(run, skipped),
			});
	if (result.error !== undefined) {
		if (!context.continueOnFail()) throw toNodeError(context, result.error);
		logFailure(run, result.error);
	}
	return await outputOf(context, result, badItems);
}

/**
 * Runs Sync, remembers what it says, and tells it.
 * @throws InputError if Sync refuses to make its changes.
 */
async function tellRun(
	run: ListRun,
	settings: SyncSettings,
	badItems: BadItem[],
): Promise<SyncReport> {
	const { context, list, memory, receivedAt, cameAt } = run;
	const times = readTimesOf(context, receivedAt);
	const { perMinute, ...tools } = await toolsFor(run);
	const record = await synchronize(list, {
		...tools,
		...times,
		settings,
		badItems: badItems.length,
		reject: ({ item, error }) => {
			const nodeError = toNodeError(context, error, item, NOTHING_CHANGED);
			if (!context.continueOnFail()) throw nodeError;
			badItems.push({ error: nodeError, item });
		},
		receivedAt,
		cameAt: cameAt - (receivedAt - times.readAt),
	});
	const refusal = settings.dryRun ? undefined : refusalError(record);
	if (refusal !== undefined) throw refusal;
	if (record.next === undefined) await forgetListed(run, list);
	else await memory.keep(record.next);
	await tools.rest();
	return report(record, { perMinute, day: logDay(run, record) });
}

/** Notes a real run in the daily log, and returns it. */
function logDay({ dailyLog }: ListRun, record: SyncRecord): ReturnType<typeof logRun> | undefined {
	if (record.settings.dryRun) return undefined;
	const { snapshot, outcomes, endedAt } = record;
	const { endedAt: readAt, list } = snapshot;
	const read = { at: endedAt, readAt, subscribers: list.taken, areAll: isTrusted(snapshot) };
	return logRun(dailyLog, { ...read, outcomes });
}

/** Notes in the daily log that this sync run stopped, if it was to change something. */
function logFailure({ context, dailyLog }: ListRun, error: unknown): void {
	const isDry = context.getNode().parameters.dryRun !== false;
	if (isDry || isStopped(context) || !(error instanceof Error)) return;
	logStop(dailyLog, runtime.clock.date(), error);
}

/** A list that does not count shows at least that those who are on it are not missing. */
async function forgetListed({ memory, receivedAt }: ListRun, list: ListOfMembers): Promise<void> {
	await memory.keep(list.afterUncounted(await memory.load(), receivedAt));
}

/** Reads the items, which together are the list. Throws NodeOperationError or InputError. */
async function readMembers(context: IExecuteFunctions, list: ListOfMembers): Promise<BadItem[]> {
	refusePartialList(context);
	const inputs = context.getInputData();
	const add = (item: ItemParameters, index: number): void =>
		addItem(context, list, { index, item, json: inputs[index]?.json ?? {} });
	const read = await readItems(context, NOTHING_CHANGED, add, { once: READ_ONCE });
	const badItems = read.flatMap((error, index) => (error ? [{ error, item: index }] : []));
	list.refuseWrongColumn();
	// If no item is valid, the first one says more than that the list is empty.
	const isNoneValid = badItems.length === read.length;
	if (badItems[0] && (isNoneValid || !context.continueOnFail())) throw badItems[0].error;
	return badItems;
}

function addItem(
	context: IExecuteFunctions,
	list: ListOfMembers,
	{ index, item, json }: { index: number; item: ItemParameters; json: IDataObject },
): void {
	const isEmpty = Object.keys(json).length === 0;
	list.add(index, item, json, isEmpty && isMadeByN8n(context, index));
}

type Tools = Pick<
	SyncTools,
	'client' | 'forEach' | 'isStopped' | 'mayGetMore' | 'memory' | 'now' | 'recall' | 'rest'
> & {
	/** How many requests a minute the credential allows. 0 for no limit. */
	perMinute: number;
};

async function toolsFor({ context, authentication, client, memory }: ListRun): Promise<Tools> {
	const credential = await context.getCredentials<object>(credentialTypeOf(authentication));
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	return {
		memory: await memory.load(),
		recall: async (names) => await memory.recall(names),
		perMinute: requestsPerMinute(credential),
		client: await (client ?? clientFor(context, authentication)),
		now: () => runtime.clock.date(),
		mayGetMore: mayGetMore(context),
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

/** From here on, the run works with what is remembered of the channel. */
async function identify(run: ListRun, client: Promise<SupercastClient>): Promise<void> {
	const { context, credential } = run;
	const owner = { credential, channel: await channelOf(client) };
	run.client = client;
	run.memory = new SyncMemory(context, owner);
	run.dailyLog = dailyLogFor(context, owner);
}

/** What Supercast calls the channel. Undefined if that cannot be found out now. */
async function channelOf(client: Promise<SupercastClient>): Promise<string | undefined> {
	return await client.then(
		async (one) => await one.identity?.(),
		() => undefined,
	);
}

function credentialOf(context: IExecuteFunctions, authentication: Authentication): string {
	const { id, name } = context.getNode().credentials?.[credentialTypeOf(authentication)] ?? {};
	return id ?? name ?? '';
}
