/** Runs Sync: read the list, connect, wait for other Syncs, synchronize, tell. */

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readOtherFields } from '../access/recordFields';
import { READ_ONCE } from '../access/settings';
import { ListReader, type MemberList } from '../access/sync/list';
import { afterUncounted } from '../access/sync/memory';
import { refuseListWithoutIds } from '../access/sync/prefix';
import type { SyncInput } from '../access/sync/run';
import { synchronize } from '../access/sync/sync';
import {
	authenticationOf,
	createClient,
	credentialTypeOf,
	requestsPerMinute,
	type SupercastClient,
} from '../api/client';
import { runtime } from '../api/clock';
import { readRequestOptions } from '../operations/properties';
import { paced } from '../operations/steps';
import { report, SKIPPED, type SyncReport } from '../report/report';
import { isStopped } from './context';
import { refuseSeveralChannels } from './itemClients';
import { readEach } from './items';
import { listArrival, refusePartialList } from './listArrival';
import { MemoryPlace } from './memory/syncMemory';
import { failedItem, toNodeError, type NodeError } from './nodeErrors';
import { afterOtherSyncs } from './syncLock';
import { outputOf, showFailures } from './syncOutput';

/** Added to the errors that occur before the first change. */
const NOTHING_CHANGED = 'Nothing was changed.';

/**
 * Runs Sync, which takes all input items as one list.
 * @throws NodeApiError or NodeOperationError, also if the execution was stopped.
 */
export async function executeSync(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	try {
		const input = await readInput(context);
		const told = await runInTurn(context, input);
		if (told.error !== undefined && !context.continueOnFail()) {
			throw withReport(toNodeError(context, told.error), told);
		}
		return await outputOf(context, told);
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
async function readInput(context: IExecuteFunctions): Promise<SyncInput> {
	const arrival = listArrival(context, runtime.clock.date());
	refusePartialList(context);
	const inputs = context.getInputData();
	const reader = new ListReader(readOtherFields);
	await readEach(context, READ_ONCE, (item, index) =>
		reader.add(index, item, inputs[index]?.json ?? {}),
	);
	await paced(reader.judgeAll(arrival.arrivedAt), runtime.clock);
	await refuseSeveralChannels(context);
	const isByHand = context.getMode() === 'manual';
	return { list: reader.list, settings: reader.settings, arrival, isByHand };
}

/** A real run waits for other Syncs. A list that changes nothing still says who is not missing. */
async function runInTurn(context: IExecuteFunctions, input: SyncInput): Promise<SyncReport> {
	const { list, settings } = input;
	const place = new MemoryPlace(context, credentialOf(context));
	const forget = ({ records }: MemberList): void =>
		place.keep(afterUncounted(place.load(), records));
	const connect = async (): Promise<SyncConnection> => {
		refuseListWithoutIds(settings, list);
		return await connectSync(context);
	};
	const connection = await connect().catch((error: unknown) => {
		forget(list);
		throw error;
	});
	const work = async (): Promise<SyncReport> => {
		const memory = place.load();
		forget(list);
		const { client, parallelRequests, perMinute } = connection;
		const { clock } = runtime;
		const keep = place.keep.bind(place);
		const run = await synchronize(input, memory, { client, clock, parallelRequests, keep });
		const channel = (await client.channelName?.()) ?? '';
		const told = await paced(report(run, { channel, perMinute }), clock);
		if (told.told !== run.next.told) keep({ ...run.next, told: told.told });
		return told;
	};
	if (settings.dryRun) return await work();
	const { channel } = connection.client;
	return await afterOtherSyncs({ context, channel, list, work, skip: () => SKIPPED, forget });
}

/** A client, and what the node's settings and the credential say about requests. */
interface SyncConnection {
	client: SupercastClient;
	parallelRequests: number;
	perMinute: number;
}

async function connectSync(context: IExecuteFunctions): Promise<SyncConnection> {
	const authentication = authenticationOf(context.getNodeParameter('authentication', 0));
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	const client = await createClient(context, authentication, options);
	const credential = await context.getCredentials<object>(credentialTypeOf(authentication));
	return {
		client,
		parallelRequests: options.parallelRequests,
		perMinute: requestsPerMinute(credential),
	};
}

function credentialOf(context: IExecuteFunctions): string {
	const authentication = authenticationOf(context.getNodeParameter('authentication', 0));
	const { id, name } = context.getNode().credentials?.[credentialTypeOf(authentication)] ?? {};
	return id ?? name ?? '';
}

/** n8n passes this on to an Error Trigger, so that an email about a failed run says the same. */
function withReport(error: NodeError, { records }: SyncReport): NodeError {
	const { title, text, html, alert } = records.at(-1)?.json ?? {};
	error.context.report = { title, text, html, alert };
	return error;
}
