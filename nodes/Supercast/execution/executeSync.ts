import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { DiaryBook } from '../access/sync/diary/keep';
import { skippedReport, type SyncResult } from '../access/sync/report';
import { READ_ONCE, type SyncSettings } from '../access/settings';
import { Sync, type SyncTools } from '../access/sync/sync';
import {
	authenticationOf,
	createClient,
	credentialTypeOf,
	requestsPerMinute,
	type Authentication,
} from '../api/client';
import { runtime, withinTime } from '../api/clock';
import { InputError } from '../api/errors/errors';
import { readRequestOptions } from '../operations/properties';
import type { ItemParameters } from '../operations/types';
import { isStopped } from './context';
import { readItems, runConcurrently } from './items';
import { refuseSeveralChannels } from './itemClients';
import { failedItem, toNodeError } from './nodeErrors';
import { mayGetMore, readTimesOf, refusePartialList } from './listArrival';
import { diaryFor, noteStop } from './memory/syncDiary';
import { outputOf, showFailures, type BadItem } from './syncOutput';
import { SyncMemory } from './memory/syncMemory';

/** How long a Sync waits for another one with the same credential. */
const LONGEST_WAIT_MS = 30 * 60_000;

/** Added to the errors that occur before the first change. */
const NOTHING_CHANGED = 'Nothing was changed.';

/** A Sync that is running in this process. */
interface Running {
	node: string;
	ended: Promise<unknown>;
	/** The lists that came meanwhile, and did nothing. */
	skipped: Sync[];
}

/** By credential. */
const running = new Map<string, Running>();

/** What the steps of a run share. */
interface ListRun {
	context: IExecuteFunctions;
	sync: Sync;
	authentication: Authentication;
	credential: string;
	memory: SyncMemory;
	diary: DiaryBook;
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
		const memory = new SyncMemory(context, credential);
		const sync = new Sync(context.getInputData().length);
		const diary = diaryFor(context, credential);
		const run = { context, sync, authentication, credential, memory, diary, receivedAt, cameAt };
		return await runList(run).catch(async (error: unknown) => {
			await forgetListed(run, sync);
			noteFailure(run, error);
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
	const { context, sync, receivedAt, cameAt } = run;
	const badItems = await readMembers(context, sync);
	const settings = sync.check();
	await refuseSeveralChannels(context);
	const times = readTimesOf(context, receivedAt);
	const work = async (): Promise<SyncResult> =>
		await sync.run({
			...(await toolsFor(run)),
			...times,
			settings,
			badItems: badItems.length,
			receivedAt,
			cameAt: cameAt - (receivedAt - times.readAt),
		});
	const result = settings.dryRun ? await work() : await afterOtherSyncs(run, settings, work);
	if (settings.dryRun) await forgetListed(run, sync);
	if (result.error !== undefined) {
		if (!context.continueOnFail()) throw toNodeError(context, result.error);
		noteFailure(run, result.error);
	}
	return await outputOf(context, result, badItems);
}

/** Notes in the diary that this check stopped, if it was to change something. */
function noteFailure({ context, diary }: ListRun, error: unknown): void {
	const isDry = context.getNode().parameters.dryRun !== false;
	if (isDry || isStopped(context) || !(error instanceof Error)) return;
	noteStop(diary, runtime.clock.date(), error);
}

/** A list that does not count shows at least that those who are on it are not missing. */
async function forgetListed({ memory, receivedAt }: ListRun, sync: Sync): Promise<void> {
	await memory.keep(sync.afterUncounted(await memory.load(), receivedAt));
}

/** Reads the items, which together are the list. Throws NodeOperationError or InputError. */
async function readMembers(context: IExecuteFunctions, sync: Sync): Promise<BadItem[]> {
	refusePartialList(context);
	const inputs = context.getInputData();
	const add = (item: ItemParameters, index: number): void =>
		sync.add(index, item, inputs[index]?.json ?? {});
	const read = await readItems(context, NOTHING_CHANGED, add, { once: READ_ONCE });
	const badItems = read.flatMap((error, index) => (error ? [{ error, item: index }] : []));
	sync.refuseWrongColumn();
	if (badItems[0] && !context.continueOnFail()) throw badItems[0].error;
	return badItems;
}

type Tools = Pick<
	SyncTools,
	| 'client'
	| 'diary'
	| 'forEach'
	| 'isStopped'
	| 'mayGetMore'
	| 'memory'
	| 'now'
	| 'perMinute'
	| 'recall'
	| 'remember'
	| 'rest'
>;

async function toolsFor({ context, authentication, memory, diary }: ListRun): Promise<Tools> {
	const credential = await context.getCredentials<object>(credentialTypeOf(authentication));
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	return {
		memory: await memory.load(),
		recall: async (names) => await memory.recall(names),
		remember: async (after) => await memory.keep(after),
		diary,
		perMinute: requestsPerMinute(credential),
		client: await createClient(context, authentication, options),
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

function credentialOf(context: IExecuteFunctions, authentication: Authentication): string {
	const { id, name } = context.getNode().credentials?.[credentialTypeOf(authentication)] ?? {};
	return id ?? name ?? '';
}

/**
 * Waits until no other Sync with the same credential runs in this process. If the other one is an
 * earlier run of this node, does nothing, because the next execution will have a newer list. But a
 * manual execution waits.
 */
async function afterOtherSyncs(
	run: ListRun,
	settings: SyncSettings,
	work: () => Promise<SyncResult>,
): Promise<SyncResult> {
	const { context, credential, sync } = run;
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const signal = context.getExecutionCancelSignal?.();
	const limit = { clock: runtime.clock, ms: LONGEST_WAIT_MS, signal };
	for (let other = running.get(credential); other; other = running.get(credential)) {
		if (other.node === node && context.getMode() !== 'manual') {
			other.skipped.push(sync);
			return skippedReport(settings);
		}
		const { ended } = other;
		const outcome = await withinTime(limit, async () => await ended);
		if (outcome !== 'late' && outcome !== 'stopped') continue;
		throw new InputError(
			'Another Sync with the same credential is still running',
			'Wait until the other Sync ends, then run this one again. Schedule the two Syncs at different times.',
		);
	}
	const skipped: Sync[] = [];
	const done = work().finally(async () => {
		running.delete(credential);
		for (const one of skipped) await forgetListed(run, one);
	});
	running.set(credential, { node, ended: Promise.allSettled([done]), skipped });
	return await done;
}
