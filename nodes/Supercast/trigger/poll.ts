/** Runs one poll of the trigger, from n8n's context to output items. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { createClient, credentialTypeOf, type Authentication } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { normalizeBaseUrl } from '../api/http/address';
import { asRecord, textOf } from '../api/json';
import { LARGEST_PAGE } from '../api/paging/readPages';
import { findRecord, pageReader } from '../api/records';
import { runtime } from '../api/clock';
import { toNodeError } from '../execution/nodeErrors';
import { timeOf } from '../operations/validation';
import { listRequest, readRequest } from '../operations/kinds';
import { detect, type PollInput } from './detect';
import { eventIdOf, EVENTS, keptFields, nearLimit, TimeIsUpError } from './events';
import type { Change, TriggerEvent, Watch } from './events';
import { exampleOf } from './sample';
import { idHash, StateStore, type PollClock, type Session } from './state';

/**
 * The time limit of a poll in n8n versions before 2.38, which do not set a limit. Requests may use
 * only a share of the time limit.
 */
const DEFAULT_BUDGET_MS = 300_000;
const SHARE_FOR_REQUESTS = 0.9;
/**
 * How long to retry one request, as a share of the window of Supercast's limit. Usually 3 seconds,
 * because the next poll follows soon. After a refusal, n8n itself polls less often. But if the poll
 * of an activation fails, n8n does not publish the workflow, so it waits for the next window.
 */
const WAIT = 1 / 20;
const FIRST_WAIT = 5 / 4;

/** What this process knows about the triggers of each workflow, the last used one last. */
const workflows = new Map<string, Map<string, Session>>();
const MOST_WORKFLOWS = 1_000;

type Input = Pick<PollInput, 'fetchPage' | 'isGone' | 'watch'>;

/**
 * Returns one item for each change that matches the node's event, or null if there is none. A test
 * in the editor returns an example in the format of a real event, and remembers nothing.
 *
 * @throws NodeApiError with Supercast's status, or NodeOperationError. If it throws, the state does
 * not change.
 */
export async function poll(
	context: IPollFunctions,
	clock: PollClock,
): Promise<INodeExecutionData[][] | null> {
	const name = context.getNodeParameter('event') as TriggerEvent;
	const watch = EVENTS[name]({
		states: context.getNodeParameter('states', []) as string[],
		email: textOf(asRecord(context.getNodeParameter('filters', {})).email),
		now: clock.now(),
	});
	const isSimplified = context.getNodeParameter('simplify', true) as boolean;
	const toItem = (change: Change, eventId: string, warning?: string): INodeExecutionData => {
		const item = itemOf(change, watch, eventId, isSimplified);
		return { json: warning === undefined ? item : { ...item, warning } };
	};
	try {
		if (context.getMode() === 'manual') {
			const { fetchPage } = await openService(context, watch, false);
			const { records, total = 0 } = await fetchPage(1, LARGEST_PAGE);
			const example = watch.sampleOf(exampleOf(watch.kind.path, records));
			const { json } = toItem(example, `${name}:sample`, nearLimit(watch, total));
			return [[{ json: { sample: true, ...json } }]];
		}
		const { changes, warning } = await newChanges(context, watch, name, clock);
		if (changes.length === 0) return null;
		const items = inOrder(changes, watch).map((one) =>
			toItem(one, eventIdOf(one, watch, name), warning),
		);
		return [items];
	} catch (error) {
		throw toNodeError(context, error);
	}
}

async function newChanges(
	context: IPollFunctions,
	watch: Watch,
	event: TriggerEvent,
	clock: PollClock,
): Promise<{ changes: Change[]; warning?: string }> {
	const key = `${clock.processStartedAt} ${context.getWorkflow().id}`;
	const sessions = workflows.get(key) ?? new Map<string, Session>();
	workflows.delete(key);
	workflows.set(key, sessions);
	const [oldest] = workflows.keys();
	if (workflows.size > MOST_WORKFLOWS) workflows.delete(oldest!);
	const name = `${context.getNode().id} ${event}`;
	// Two polls at the same time would find the same changes.
	if (sessions.get(name)?.isBusy === true) return { changes: [] };
	const store = new StateStore(staticDataOf(context), name, sessions, clock);
	const { session } = store;
	session.isBusy = true;
	try {
		const { includeExisting } = asRecord(context.getNodeParameter('options', {}));
		const service = await openService(context, watch, session.isWritten !== true);
		const source = await sourceOf(context);
		const input = { ...service, watch, store, source, includeExisting: includeExisting === true };
		const changes = await detect({ ...input, clock });
		return { changes, warning: nearLimit(watch, session.state?.known.size ?? 0) };
	} finally {
		session.isBusy = false;
	}
}

/** Durable cursors give the node a separate object, without n8n's mark for changes. */
function staticDataOf(context: IPollFunctions) {
	const workflow = context.getWorkflowStaticData('global');
	const node = context.getWorkflowStaticData('node');
	return '__dataChanged' in node ? { workflow } : { workflow, cursor: node };
}

/** Sorts the changes from oldest to newest, if the records show when the event occurred. */
function inOrder(changes: readonly Change[], { time }: Watch): Change[] {
	const at = ({ record }: Change): number => timeOf(record?.[time]);
	const number = ({ record }: Change): number => Number(record?.id);
	return [...changes].sort((one, other) => at(one) - at(other) || number(one) - number(other) || 0);
}

/** One output item: the fields that the operation Get returns, and what the event adds. */
function itemOf(change: Change, watch: Watch, eventId: string, isSimplified: boolean): IDataObject {
	const { record } = change;
	const fields = watch.fieldsOf(change);
	if (record === undefined) return { id: fields.uuid ?? fields.email, eventId, ...fields };
	const id = record.id ?? record.uuid ?? idHash(watch.idOf(record));
	return { id, eventId, ...fields, ...((isSimplified && watch.kind.simplify?.(record)) || record) };
}

async function openService(
	context: IPollFunctions,
	watch: Watch,
	isActivation: boolean,
): Promise<Input> {
	const { kind } = watch;
	const budgetMs = (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS) * SHARE_FOR_REQUESTS;
	const signal = AbortSignal.timeout(Math.floor(budgetMs));
	// This event handler is added before the client's, so that this error comes first.
	const error = new TimeIsUpError(
		`The list of ${kind.plural} could not be read within the time that n8n allows for a poll`,
		"The next poll reads the list again. If this happens often, choose a longer interval in 'Poll Times'. Other nodes may be using up the credential's requests.",
	);
	const timeIsUp = new Promise<never>((_, reject) => {
		signal.addEventListener('abort', () => reject(error), { once: true });
	});
	timeIsUp.catch(() => undefined);
	const firstWaitMs = FIRST_WAIT * runtime.windowMs;
	const waits = isActivation && firstWaitMs < budgetMs;
	const maxWaitMs = waits ? firstWaitMs : WAIT * runtime.windowMs;
	const authentication = context.getNodeParameter('authentication') as Authentication;
	const client = await createClient(context, authentication, { maxWaitMs, signal });
	const readPage = pageReader(client, listRequest(kind));
	return {
		watch,
		fetchPage: async (number, size) =>
			await Promise.race([timeIsUp, readPage(number, size)]).catch((reason: unknown) => {
				throw waits ? withAdvice(reason) : reason;
			}),
		isGone: async (note) => {
			const { uuid, email } = keptFields(note);
			const request = readRequest(kind, textOf(uuid ?? email));
			const found = findRecord(client, request).catch((reason: unknown) => {
				if (reason instanceof ServiceError && reason.status === 410) return undefined;
				throw reason;
			});
			return (await Promise.race([timeIsUp, found])) === undefined;
		},
	};
}

/** n8n shows only the message of an error that prevents it from publishing the workflow. */
function withAdvice(error: unknown): unknown {
	if (!(error instanceof ServiceError) || error.status !== 429) return error;
	const { message, description, failure, attempts } = error;
	return new ServiceError(`${message}. Try again in a minute`, description, failure, attempts);
}

/** Identifies where the list comes from: the credential, host and channel. */
async function sourceOf(context: IPollFunctions): Promise<string> {
	const type = credentialTypeOf(context.getNodeParameter('authentication') as Authentication);
	const credential = await context.getCredentials<{ baseUrl: string; subdomain?: string }>(type);
	const { id } = context.getNode().credentials?.[type] ?? {};
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	return idHash(JSON.stringify([id, baseUrl, credential.subdomain]));
}
