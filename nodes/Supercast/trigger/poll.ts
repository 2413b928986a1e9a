/** Runs one poll of the trigger, from n8n's context to output items. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { createClient, credentialTypeOf, type Authentication } from '../api/client';
import { InputError } from '../api/errors/errors';
import { normalizeBaseUrl } from '../api/http/address';
import { asRecord, isRecord, textOf } from '../api/json';
import { LARGEST_PAGE } from '../api/paging/readPages';
import { findRecord, pageReader } from '../api/records';
import { toNodeError } from '../n8n/nodeErrors';
import { listSubject, recordSubject, type RecordKind } from '../operations/recordKind';
import { detect, type PollInput } from './detect';
import { EVENTS, keptFields, TimeIsUpError } from './events';
import type { Change, TriggerEvent, Watch } from './events';
import { idHash } from './knownIds';
import { StateStore, type PollClock, type Session } from './state';

/** How many records a test in the editor shows. */
const SAMPLES = 3;
/** How many missing records one poll looks up. */
const MOST_CHECKS = 50;
/**
 * The time limit of a poll in n8n versions before 2.38, which do not set a limit. Requests may use
 * only a share of the time limit.
 */
const DEFAULT_BUDGET_MS = 300_000;
const SHARE_FOR_REQUESTS = 0.9;
/**
 * How long to retry one request. The limit is short because the next poll follows soon. After a
 * refusal, n8n itself polls less often.
 */
const MAX_WAIT_MS = 3_000;

/**
 * What this process knows about each trigger, and how many triggers it remembers before it forgets
 * them all.
 */
const sessions = new Map<string, Session & { isBusy?: boolean }>();
const MOST_SESSIONS = 100;

/** What to watch, and how to read the list within the time of the poll. */
type Input = Pick<PollInput, 'fetchPage' | 'checkGone' | 'clock' | 'watch'>;

/**
 * Returns one item for each change that matches the node's event, or null if there is none. A test
 * in the editor returns a few existing records in the format of a real event, and remembers
 * nothing.
 *
 * @throws NodeApiError with Supercast's status, or NodeOperationError. If it throws, the state does
 * not change.
 */
export async function poll(
	context: IPollFunctions,
	clock: PollClock,
): Promise<INodeExecutionData[][] | null> {
	const name = context.getNodeParameter('event') as TriggerEvent;
	const { email } = asRecord(context.getNodeParameter('filters', {}));
	const event = EVENTS[name]({
		states: context.getNodeParameter('states', []) as string[],
		email: textOf(email).trim().toLowerCase(),
		now: clock.now(),
	});
	try {
		const service = await openService(context, event.kind);
		const input = { ...service, clock, watch: event };
		const isTest = context.getMode() === 'manual';
		const changes = isTest ? await samples(input) : await newChanges(context, input);
		if (changes.length === 0) return null;
		const isSimplified = context.getNodeParameter('simplify', true) as boolean;
		return [inOrder(changes, event).map((one) => ({ json: itemOf(one, event, isSimplified) }))];
	} catch (error) {
		throw toNodeError(context, error);
	}
}

async function newChanges(context: IPollFunctions, input: Input): Promise<Change[]> {
	const { clock } = input;
	const name = `${context.getNode().id} ${context.getNodeParameter('event') as string}`;
	const key = `${clock.processStartedAt} ${context.getWorkflow().id} ${name}`;
	const session = sessions.get(key) ?? {};
	// Two polls at the same time would find the same changes.
	if (session.isBusy) return [];
	if (sessions.size >= MOST_SESSIONS) sessions.clear();
	sessions.set(key, session);
	session.isBusy = true;
	try {
		const { includeExisting } = asRecord(context.getNodeParameter('options', {}));
		return await detect({
			...input,
			store: new StateStore(context.getWorkflowStaticData('global'), name, session, clock),
			source: await sourceOf(context),
			includeExisting: includeExisting === true,
		});
	} finally {
		session.isBusy = false;
	}
}

async function samples({ fetchPage, watch }: Input): Promise<Change[]> {
	const { records } = await fetchPage(1, LARGEST_PAGE);
	const found = records.flatMap((record) => watch.sampleOf(record) ?? []);
	if (found.length > 0) return found.slice(0, SAMPLES);
	const reason =
		records.length === 0 ? 'the list is empty' : 'no record matches the event and its filters';
	throw new InputError(
		`There are no ${watch.kind.plural} to show as a sample`,
		`The connection works, but ${reason}. After you publish the workflow, it starts when the event occurs.`,
	);
}

/** Sorts the changes from oldest to newest, if the records show when the event occurred. */
function inOrder(changes: readonly Change[], { time }: Watch): Change[] {
	const at = ({ record }: Change): number => Date.parse(textOf(record?.[time]));
	const number = ({ record }: Change): number => Number(record?.id);
	return [...changes].sort((one, other) => at(one) - at(other) || number(one) - number(other) || 0);
}

/**
 * One output item. Unless the record was deleted, it has the fields that the operation Get returns.
 * It also has an `id`, and the fields that the event adds.
 */
function itemOf(change: Change, event: Watch, isSimplified: boolean): IDataObject {
	const { record } = change;
	const fields = event.fieldsOf(change);
	if (record === undefined) return { id: fields.uuid ?? fields.email, ...fields };
	const id = record.id ?? record.uuid ?? idHash(event.idOf(record));
	return { id, ...fields, ...((isSimplified && event.kind.simplify?.(record)) || record) };
}

async function openService(
	context: IPollFunctions,
	kind: RecordKind,
): Promise<Pick<Input, 'fetchPage' | 'checkGone'>> {
	const budgetMs = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const signal = AbortSignal.timeout(Math.floor(budgetMs * SHARE_FOR_REQUESTS));
	// This event handler is added before the client's, so that this error comes first.
	const error = new TimeIsUpError(
		`The list of ${kind.plural} could not be read within the time that n8n allows for a poll`,
		"The next poll reads the list again. If this happens often, choose a longer interval in 'Poll Times'. Other nodes may be using up the credential's requests.",
	);
	const timeIsUp = new Promise<never>((_, reject) => {
		signal.addEventListener('abort', () => reject(error), { once: true });
	});
	timeIsUp.catch(() => undefined);
	const authentication = context.getNodeParameter('authentication') as Authentication;
	const client = await createClient(context, authentication, { maxWaitMs: MAX_WAIT_MS, signal });
	const list = { method: 'GET', path: [kind.path], subject: listSubject(kind) } as const;
	const readPage = pageReader(client, list);
	return {
		fetchPage: async (number, size) => {
			const page = await Promise.race([timeIsUp, readPage(number, size)]);
			return { ...page, records: page.records.filter(isRecord) };
		},
		checkGone: async (missing) => {
			const checks = [...missing].slice(0, MOST_CHECKS).map(async ([hash, note]) => {
				const { uuid, email } = keptFields(note);
				const path = [kind.path, textOf(uuid ?? email)];
				const subject = recordSubject(kind, textOf(uuid ?? email));
				const record = await findRecord(client, { method: 'GET', path, subject });
				return [hash, record === undefined] as const;
			});
			return new Map(await Promise.race([timeIsUp, Promise.all(checks)]));
		},
	};
}

/**
 * Identifies where the list comes from. Another credential, host or channel may have another list.
 */
async function sourceOf(context: IPollFunctions): Promise<string> {
	const type = credentialTypeOf(context.getNodeParameter('authentication') as Authentication);
	const credential = await context.getCredentials<{ baseUrl: string; subdomain?: string }>(type);
	const { id } = context.getNode().credentials?.[type] ?? {};
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	return idHash(JSON.stringify([id, baseUrl, credential.subdomain]));
}
