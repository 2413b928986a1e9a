import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import {
	createClient,
	credentialTypeOf,
	authenticationOf,
	type SupercastClient,
} from '../api/client';
import { runtime } from '../api/clock';
import { InputError, ServiceError } from '../api/errors/errors';
import { normalizeBaseUrl } from '../api/http/address';
import { asRecord, textOf } from '../api/json';
import { LARGEST_PAGE } from '../api/paging/page';
import { pageReader, requestRecord } from '../api/records';
import { isPassing } from '../api/retry/retryPolicy';
import { toNodeError } from '../execution/nodeErrors';
import { listRequest, readRequest, type RecordKind } from '../operations/kinds';
import { detect } from './detect';
import { EVENTS, keptFields, type TriggerEvent } from './events';
import { itemsOf, type ItemSettings } from './items';
import { idHash } from './knownIds';
import { exampleOf } from './sample';
import { StateStore, type PollClock } from './state';

/** The time limit of a poll in n8n before 2.38, and the share of it that requests may use. */
const DEFAULT_BUDGET_MS = 300_000;
const SHARE_FOR_REQUESTS = 0.9;
/**
 * How long to retry one request, as a share of the window of Supercast's limit. This is 3 seconds,
 * because the next poll follows soon.
 */
const WAIT = 1 / 20;

/** How many activations in a row may end without an error although Supercast is down or busy. */
const MOST_EXCUSED = 2;

const workflows = new Map<string, Map<string, StateStore['session']>>();

/** How long a poll may take. */
interface Patience {
	/** Ends every request when the poll's time is up. */
	signal: AbortSignal;
	/** How long to retry one request. */
	maxWaitMs: number;
}

/**
 * Returns one item for each matching change. A test in the editor remembers nothing.
 * @throws NodeApiError or NodeOperationError. Then the state does not change.
 */
export async function poll(
	context: IPollFunctions,
	clock: PollClock,
): Promise<INodeExecutionData[][] | null> {
	const settings = readPollSettings(context, clock);
	const patience = patienceOf(context);
	const work = context.getMode() === 'manual' ? pollOnce : pollInQueue;
	return await work(context, settings, patience, clock).catch((error: unknown) => {
		throw toNodeError(context, explained(error, settings.eventKind.kind.plural, patience));
	});
}

async function pollInQueue(
	context: IPollFunctions,
	settings: ItemSettings,
	patience: Patience,
	clock: PollClock,
): Promise<INodeExecutionData[][] | null> {
	const store = storeOf(context, settings.event, clock);
	const { session } = store;
	// Two polls at the same time would find the same changes.
	if (session.isBusy === true) return null;
	session.isBusy = true;
	return await pollOnce(context, settings, patience, clock, store)
		.then(
			(items) => {
				if (store.isSuperseded) return null;
				Object.assign(session, { excuses: 0, publishedAt: undefined });
				return items;
			},
			(error: unknown) => excused(error, store, patience, clock.now()),
		)
		.finally(() => (session.isBusy = false));
}

function readPollSettings(context: IPollFunctions, clock: PollClock): ItemSettings {
	const event = context.getNodeParameter('event') as TriggerEvent;
	const eventKind = EVENTS[event]({
		states: context.getNodeParameter('states', []) as string[],
		email: textOf(asRecord(context.getNodeParameter('filters', {})).email),
		now: clock.now(),
	});
	return { event, eventKind, isSimplified: context.getNodeParameter('simplify', true) === true };
}

function patienceOf(context: IPollFunctions): Patience {
	const budgetMs = (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS) * SHARE_FOR_REQUESTS;
	return { signal: AbortSignal.timeout(Math.floor(budgetMs)), maxWaitMs: WAIT * runtime.windowMs };
}

/**
 * Ends a poll that failed. It returns nothing if Supercast is down or busy during the poll of an
 * activation. If such a poll throws, n8n before 2.41 does not publish the workflow. n8n 2.41 shows
 * it as published, but never polls (seen). With the durable scheduler, every poll looks like an
 * activation, so the third one in a row throws.
 */
function excused(
	error: unknown,
	{ session, isActivation, isSuperseded }: StateStore,
	{ signal }: Patience,
	now: number,
): null {
	if (isSuperseded) throw error;
	const { excuses = 0, publishedAt = now } = session;
	const mayPass = error instanceof ServiceError && (signal.aborted || isPassing(error.failure));
	const isExcused = isActivation && mayPass && excuses < MOST_EXCUSED;
	session.excuses = isExcused ? excuses + 1 : 0;
	if (!isExcused) throw error;
	session.publishedAt = publishedAt;
	return null;
}

/** Without a store, returns a sample. */
async function pollOnce(
	context: IPollFunctions,
	settings: ItemSettings,
	patience: Patience,
	clock: PollClock,
	store?: StateStore,
): Promise<INodeExecutionData[][] | null> {
	const { kind } = settings.eventKind;
	const authentication = authenticationOf(context.getNodeParameter('authentication'));
	const client = await createClient(context, authentication, patience);
	if (store === undefined) return [[await sampleItem(client, settings)]];
	const { includeExisting } = asRecord(context.getNodeParameter('options', {}));
	const changes = await detect({
		eventKind: settings.eventKind,
		fetchPage: pageReader(client, listRequest(kind)),
		isGone: async (fingerprint) => await isGone(client, kind, fingerprint),
		signal: patience.signal,
		store,
		source: await sourceOf(context, credentialTypeOf(authentication)),
		includeExisting: includeExisting === true,
		clock,
	});
	if (changes.length === 0) return null;
	return [itemsOf(settings, changes, store.session.state?.known.size ?? 0)];
}

async function sampleItem(
	client: SupercastClient,
	settings: ItemSettings,
): Promise<INodeExecutionData> {
	const { event, eventKind } = settings;
	const fetchPage = pageReader(client, listRequest(eventKind.kind));
	const { records, total = 0 } = await fetchPage(1, LARGEST_PAGE);
	const example = eventKind.sampleOf(exampleOf(eventKind.kind.path, records));
	const [item] = itemsOf(settings, [example], total);
	return { json: { sample: true, ...item?.json, eventId: `${event}:sample` } };
}

function storeOf(context: IPollFunctions, event: string, clock: PollClock): StateStore {
	const key = `${clock.processStartedAt} ${context.getWorkflow().id}`;
	const sessions = workflows.get(key) ?? new Map<string, StateStore['session']>();
	workflows.set(key, sessions);
	const workflow = context.getWorkflowStaticData('global');
	const node = context.getWorkflowStaticData('node');
	// Durable cursors give the node a separate object, without n8n's mark for changes.
	const data = '__dataChanged' in node ? { workflow } : { workflow, cursor: node };
	const { repeatAfterRestart } = asRecord(context.getNodeParameter('options', {}));
	const repeatMs = Math.max(0, Number(repeatAfterRestart) || 0) * 60_000;
	const name = stateName(context, event, sessions, data.cursor ?? workflow);
	const store = new StateStore(data, name, sessions, clock, repeatMs);
	store.session.nodeName = context.getNode().name;
	return store;
}

/**
 * The name of a state: the node's ID and the event. If another node of this version of the workflow
 * has the same ID, as a copy may have, the node's name is added.
 */
function stateName(
	context: IPollFunctions,
	event: string,
	sessions: ReadonlyMap<string, StateStore['session']>,
	place: IDataObject,
): string {
	const { id, name } = context.getNode();
	const { data, nodeName } = sessions.get(`${id} ${event}`) ?? {};
	const isOther = data === place && nodeName !== name;
	return isOther ? `${id} ${event} ${name}` : `${id} ${event}`;
}

async function sourceOf(context: IPollFunctions, type: string): Promise<string> {
	const credential = await context.getCredentials<{ baseUrl: string; subdomain?: string }>(type);
	const { id } = context.getNode().credentials?.[type] ?? {};
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	return idHash(JSON.stringify([id, baseUrl, credential.subdomain]));
}

/** Whether Supercast has deleted the record with this fingerprint. */
async function isGone(
	client: SupercastClient,
	kind: RecordKind,
	fingerprint: string,
): Promise<boolean> {
	const { uuid, email } = keptFields(fingerprint);
	return await requestRecord(client, readRequest(kind, textOf(uuid ?? email))).then(
		() => false,
		(error: unknown) => {
			if (error instanceof ServiceError && [404, 410].includes(error.status ?? 0)) return true;
			throw error;
		},
	);
}

/** Says what to do about a request that failed. */
function explained(error: unknown, plural: string, { signal }: Patience): unknown {
	if (!(error instanceof ServiceError) || !signal.aborted) return error;
	return new InputError(
		`The list of ${plural} could not be read within the time that n8n allows for a poll`,
		"The next poll reads the list again. If this happens often, choose a longer interval in 'Poll Times'. Other nodes may be using up the credential's requests.",
	);
}
