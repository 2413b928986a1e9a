import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { createClient, credentialTypeOf } from '../api/client';
import type { Authentication, SupercastClient } from '../api/client';
import { InputError, ServiceError } from '../api/errors/errors';
import { normalizeBaseUrl } from '../api/http/address';
import { asRecord, textOf } from '../api/json';
import { LARGEST_PAGE } from '../api/paging/readPages';
import { pageReader, requestRecord } from '../api/records';
import { runtime } from '../api/clock';
import { toNodeError } from '../execution/nodeErrors';
import { timeOf } from '../operations/validation';
import { listRequest, readRequest, type RecordKind } from '../operations/kinds';
import { detect } from './detect';
import { eventIdOf, EVENTS, keptFields, nearLimit } from './events';
import type { Change, TriggerEvent, Watch } from './events';
import { idHash, StateStore, type PollClock, type Session } from './state';

/** The time limit of a poll in n8n before 2.38, and the share of it that requests may use. */
const DEFAULT_BUDGET_MS = 300_000;
const SHARE_FOR_REQUESTS = 0.9;
/**
 * A share of the window of Supercast's limit: usually 3 seconds, because the next poll follows
 * soon. If the poll of an activation fails, n8n does not publish the workflow, so that poll waits longer.
 */
const WAIT = 1 / 20;
const FIRST_WAIT = 5 / 4;

const workflows = new Map<string, Map<string, Session>>();

/**
 * Returns one item for each matching change. A test in the editor remembers nothing.
 * @throws NodeApiError or NodeOperationError. Then the state does not change.
 */
export async function poll(
	context: IPollFunctions,
	clock: PollClock,
): Promise<INodeExecutionData[][] | null> {
	const event = context.getNodeParameter('event') as TriggerEvent;
	const watch = EVENTS[event]({
		states: context.getNodeParameter('states', []) as string[],
		email: textOf(asRecord(context.getNodeParameter('filters', {})).email),
		now: clock.now(),
	});
	const { kind } = watch;
	const store = context.getMode() === 'manual' ? undefined : storeOf(context, event, clock);
	const session: Session = store?.session ?? { isWritten: true };
	// Two polls at the same time would find the same changes.
	if (session.isBusy === true) return null;
	const budgetMs = (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS) * SHARE_FOR_REQUESTS;
	const signal = AbortSignal.timeout(Math.floor(budgetMs));
	const firstWaitMs = FIRST_WAIT * runtime.windowMs;
	const waits = session.isWritten !== true && firstWaitMs < budgetMs;
	const maxWaitMs = waits ? firstWaitMs : WAIT * runtime.windowMs;
	session.isBusy = true;
	try {
		const authentication = context.getNodeParameter('authentication') as Authentication;
		const client = await createClient(context, authentication, { maxWaitMs, signal });
		const fetchPage = pageReader(client, listRequest(kind));
		if (store === undefined) {
			const { records, total = 0 } = await fetchPage(1, LARGEST_PAGE);
			const example = watch.sampleOf(exampleOf(kind.path, records));
			const [item] = itemsOf(context, event, watch, [example], total);
			return [[{ json: { sample: true, ...item?.json, eventId: `${event}:sample` } }]];
		}
		const { includeExisting } = asRecord(context.getNodeParameter('options', {}));
		const changes = await detect({
			...{ watch, fetchPage, signal, store, clock },
			isGone: async (note) => await isGone(client, kind, note),
			source: await sourceOf(context, credentialTypeOf(authentication)),
			includeExisting: includeExisting === true,
		});
		if (changes.length === 0) return null;
		return [itemsOf(context, event, watch, changes, session.state?.known.size ?? 0)];
	} catch (error) {
		throw toNodeError(context, explained(error, kind.plural, signal.aborted, waits));
	} finally {
		session.isBusy = false;
	}
}

function storeOf(context: IPollFunctions, event: string, clock: PollClock): StateStore {
	const key = `${clock.processStartedAt} ${context.getWorkflow().id}`;
	const sessions = workflows.get(key) ?? new Map<string, Session>();
	workflows.set(key, sessions);
	const workflow = context.getWorkflowStaticData('global');
	const node = context.getWorkflowStaticData('node');
	// Durable cursors give the node a separate object, without n8n's mark for changes.
	const data = '__dataChanged' in node ? { workflow } : { workflow, cursor: node };
	const { repeatAfterRestart } = asRecord(context.getNodeParameter('options', {}));
	const repeatMs = Math.max(0, Number(repeatAfterRestart) || 0) * 60_000;
	return new StateStore(data, `${context.getNode().id} ${event}`, sessions, clock, repeatMs);
}

async function sourceOf(context: IPollFunctions, type: string): Promise<string> {
	const credential = await context.getCredentials<{ baseUrl: string; subdomain?: string }>(type);
	const { id } = context.getNode().credentials?.[type] ?? {};
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	return idHash(JSON.stringify([id, baseUrl, credential.subdomain]));
}

/** Whether Supercast has deleted the record with this note. */
async function isGone(client: SupercastClient, kind: RecordKind, note: string): Promise<boolean> {
	const { uuid, email } = keptFields(note);
	return await requestRecord(client, readRequest(kind, textOf(uuid ?? email))).then(
		() => false,
		(error: unknown) => {
			if (error instanceof ServiceError && [404, 410].includes(error.status ?? 0)) return true;
			throw error;
		},
	);
}

/** One item for each change, the oldest first. */
function itemsOf(
	context: IPollFunctions,
	event: TriggerEvent,
	watch: Watch,
	changes: Change[],
	known: number,
): INodeExecutionData[] {
	const isSimplified = context.getNodeParameter('simplify', true) as boolean;
	const warning = nearLimit(watch, known);
	const at = ({ record }: Change): number => timeOf(record?.[watch.time]);
	const number = ({ record }: Change): number => Number(record?.id);
	changes.sort((one, other) => at(one) - at(other) || number(one) - number(other) || 0);
	return changes.map((change) => {
		const { record, isRepeated = false } = change;
		const fields = watch.fieldsOf(change);
		if (isRepeated) fields.repeated = true;
		const { id, uuid, email } = record ?? fields;
		const name = id ?? uuid ?? (record ? idHash(watch.idOf(record)) : email);
		const eventId = eventIdOf(change, watch, event);
		const shown = (record && isSimplified && watch.kind.simplify?.(record)) || record;
		return { json: { id: name, eventId, ...fields, ...shown, ...(warning && { warning }) } };
	});
}

/** Says what to do about a request that failed. */
function explained(
	error: unknown,
	plural: string,
	isLate: boolean,
	isActivation: boolean,
): unknown {
	if (!(error instanceof ServiceError)) return error;
	if (isLate) {
		return new InputError(
			`The list of ${plural} could not be read within the time that n8n allows for a poll`,
			"The next poll reads the list again. If this happens often, choose a longer interval in 'Poll Times'. Other nodes may be using up the credential's requests.",
		);
	}
	if (!isActivation || error.status !== 429) return error;
	const { message, description, failure, attempts } = error;
	// n8n shows only the message of an error that prevents it from publishing the workflow.
	return new ServiceError(`${message}. Try again in a minute`, description, failure, attempts);
}

const ZEROS = '00000000-0000-4000-8000-000000000000';
const TIMES = { created_at: '2026-01-31T09:00:00Z', updated_at: '2026-01-31T09:00:00Z' };

/** Replacements by the format of a text, for every text that could name or open something real. */
const EXAMPLES: Array<[RegExp, string]> = [
	[/^[^@\s]+@[^@\s]+$/, 'sample@example.com'],
	[/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, ZEROS],
	[/^\w+:\/\//, 'https://example.com/sample'],
];

/** Fields whose texts a workflow may compare, and that name nobody. */
const KEPT = /^(state|status|explicit|language|time_zone|plan_name|.*currency)$/;

/** Examples of records, by the path of their kind, for an empty list (fields: decision 0007). */
const RECORDS: Record<string, IDataObject> = {
	subscribers: {
		...{ uuid: ZEROS, email: 'sample@example.com', customer_id: 'sample' },
		...{ first_name: 'Sample', last_name: 'Sample', state: 'available', plan_name: 'Sample' },
		subscriptions: [{ feed_url: 'https://example.com/sample' }],
		...TIMES,
	},
	usage_alerts: {
		id: 0,
		subscriber: { uuid: ZEROS, email: 'sample@example.com' },
		created_at: TIMES.created_at,
	},
	episodes: { id: 0, title: 'Sample', published_at: TIMES.created_at, ...TIMES },
	questions: { id: 0, title: 'Sample', body: 'Sample', created_at: TIMES.created_at },
};

/** Names, addresses and IDs are made up, because a workflow acts on whatever a test returns. */
function exampleOf(path: string, [record]: readonly IDataObject[]): IDataObject {
	const { [path]: example = {} } = RECORDS;
	return JSON.parse(JSON.stringify(record ?? example), (field, value: unknown) => {
		// A draft, for example, has no date of publication.
		if (value === null) return example[field] ?? null;
		if (typeof value === 'number') return field.endsWith('id') ? 0 : value;
		if (typeof value !== 'string' || KEPT.test(field) || timeOf(value) > 0) return value;
		return EXAMPLES.find(([form]) => form.test(value))?.[1] ?? 'Sample';
	}) as IDataObject;
}
