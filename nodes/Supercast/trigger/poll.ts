/** One poll of the trigger: from n8n's context to items. */

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../n8n/nodeErrors';
import { listSubject, type RecordKind } from '../operations/recordKind';
import { createClient, credentialTypeOf, type Authentication } from '../api/client';
import { InputError } from '../api/errors/errors';
import type { FetchPage } from '../api/paging/readPages';
import { pageReader } from '../api/records';
import { codeOf } from './codes';
import { detect } from './detect';
import { outputOf, WATCHED, type TriggerEvent } from './events';
import { MOST_KNOWN, type Clock } from './memory';
import { ListTooLongError } from './reading';
import { shelfOf } from './shelf';

/** How many records a test in the editor shows. */
const SAMPLES = 3;

/** For n8n before 2.38, which does not say how long a poll may take. */
const DEFAULT_BUDGET_MS = 300_000;

/** What is left of the budget for the rest of the poll. */
const SHARE_FOR_REQUESTS = 0.9;

/** How long one request is repeated. The next poll is near, and n8n waits longer after a refusal. */
const MAX_WAIT_MS = 3_000;

/**
 * Looks for new records.
 *
 * @returns One item for each, or null when there is none. A test in the editor gets a few records
 * that exist, and nothing is remembered of it.
 * @throws NodeApiError with the service's status, or NodeOperationError; the memory is untouched then.
 */
export async function poll(
	context: IPollFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][] | null> {
	const event = context.getNodeParameter('event') as TriggerEvent;
	const kind = WATCHED[event];
	try {
		const fetchPage = await listReader(context, kind);
		const records =
			context.getMode() === 'manual'
				? await samples(fetchPage, kind)
				: await newRecords(context, fetchPage, clock);
		if (records.length === 0) return null;
		const isSimplified = context.getNodeParameter('simplify', true) as boolean;
		return [records.map((record) => ({ json: outputOf(record, kind, isSimplified) }))];
	} catch (error) {
		throw toNodeError(context, error instanceof ListTooLongError ? tooLong(kind) : error);
	}
}

async function newRecords(
	context: IPollFunctions,
	fetchPage: FetchPage,
	clock: Clock,
): Promise<IDataObject[]> {
	const { includeExisting = false } = context.getNodeParameter('options', {}) as IDataObject;
	const event = context.getNodeParameter('event') as TriggerEvent;
	const news = await detect({
		fetchPage,
		shelf: shelfOf(context, event),
		source: await sourceOf(context),
		includeExisting: includeExisting === true,
		clock,
	});
	return news.map(({ record }) => record);
}

async function samples(fetchPage: FetchPage, kind: RecordKind): Promise<IDataObject[]> {
	const { records } = await fetchPage(1, SAMPLES);
	if (records.length > 0) return records.slice(0, SAMPLES);
	throw new InputError(
		`There are no ${kind.plural} to show as a sample`,
		`The test works, and the list is empty. Once the workflow is active, it starts when there is a new ${kind.singular}.`,
	);
}

/** Makes the function that reads a page of the list, as long as the poll has time left. */
async function listReader(context: IPollFunctions, kind: RecordKind): Promise<FetchPage> {
	const budgetMs = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const signal = AbortSignal.timeout(Math.floor(budgetMs * SHARE_FOR_REQUESTS));
	const client = await createClient(context, authenticationOf(context), {
		maxWaitMs: MAX_WAIT_MS,
		signal,
	});
	const subject = listSubject(kind);
	const read = pageReader(client, { method: 'GET', path: [kind.path], subject });
	let timeIsUp: Promise<never> | undefined;
	return async (page, size) => {
		timeIsUp ??= rejectedBy(signal, kind);
		if (signal.aborted) return await timeIsUp;
		return await Promise.race([timeIsUp, read(page, size)]);
	};
}

/** Not async: its error has to come before that of the request which the same signal ends. */
function rejectedBy(signal: AbortSignal, kind: RecordKind): Promise<never> {
	return new Promise((_, reject) => {
		const onAbort = (): void =>
			reject(
				new InputError(
					`The list of ${kind.plural} could not be read in the time that n8n gives a poll`,
					"Nothing is lost: the next poll reads it again. If this happens often, other nodes use up the requests of the credential, or the service is slow: poll less often, in 'Poll Times'.",
				),
			);
		if (signal.aborted) onAbort();
		signal.addEventListener('abort', onAbort, { once: true });
	});
}

/** Names the access: another credential, host or channel may show another list. */
async function sourceOf(context: IPollFunctions): Promise<string> {
	const type = credentialTypeOf(authenticationOf(context));
	const { baseUrl, subdomain } = await context.getCredentials<{
		baseUrl?: string;
		subdomain?: string;
	}>(type);
	const { id } = context.getNode().credentials?.[type] ?? {};
	return codeOf(JSON.stringify([id, baseUrl, subdomain]));
}

function authenticationOf(context: IPollFunctions): Authentication {
	return context.getNodeParameter('authentication') as Authentication;
}

function tooLong(kind: RecordKind): InputError {
	return new InputError(
		`The list of ${kind.plural} is too long to be watched`,
		`A list of more than ${MOST_KNOWN} records can be watched when it has the newest or the oldest first, which this one has not, and cannot be announced with 'Include Existing'.`,
	);
}
