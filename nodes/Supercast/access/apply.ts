import type { IDataObject } from 'n8n-workflow';

import { updateAndConfirm } from '../api/changes';
import { ignoredFields } from '../api/sentFields';
import type { SupercastClient } from '../api/client';
import { contradiction } from '../api/confirm';
import { ServiceError } from '../api/errors/errors';
import { identifiersIn } from '../api/identity';
import { isSameValue, textOf } from '../api/json';
import { subscriptionsOf } from '../api/states';
import type { Outcome } from '../api/queue';
import type { Subject } from '../api/types';
import { changeRequest, recordSubject } from '../operations/kinds';
import { identifierOf } from '../subscriber/customerId';
import { findSubscriber } from '../subscriber/listing';
import { subscribers as kind } from '../subscriber/kind';
import { createOrFind, feedSubject, setFeedState } from '../subscriber/requests';
import {
	currentSubscriber,
	isFullyClosed,
	NOBODY,
	NO_SUBSCRIBER,
	type CurrentSubscriber,
} from './match';
import { CHANGES, isEmpty, keep, type AccessDecision, type SubscriberDecision } from './rules';
import { isDeactivated } from '../subscriber/states';

/** The final decision about one person, as it was applied. */
export type AppliedDecision = AccessDecision & {
	/**
	 * The subscriber as Supercast shows them after the change, such as their `first_name` and feed
	 * addresses. Undefined if nothing changed, or if the responses confirm the changes without
	 * showing the subscriber.
	 */
	shown?: IDataObject;
	/**
	 * Since when the feed should be closed and could not be, in milliseconds since 1970. Undefined if
	 * that happens for the first time.
	 */
	stuckSince?: number;
	/** How old the list is that shows who has which customer ID, in milliseconds. */
	listAgeMs?: number;
	/** Whether Supercast may have had a subscriber with the email before. */
	mayBeSecond?: boolean;
};

/** What others must know about an applied decision. */
export function outcomeOf({ action, shown, subscriber }: AppliedDecision): Outcome {
	return {
		isChange: CHANGES.includes(action),
		names: identifiersIn(shown ?? subscriber?.fields ?? {}),
	};
}

/** Decides again about a person, when Supercast shows their latest record. */
export type Decide = (subscriber: CurrentSubscriber) => AccessDecision;

/**
 * Applies a decision about one person, and returns the final decision. Calls `decide` again before
 * closing feeds, and if a subscriber to create already exists or has closed feeds.
 * @throws ServiceError if the change fails, or if Supercast does not show it.
 */
export async function apply(
	client: SupercastClient,
	decision: AccessDecision,
	decide: Decide,
): Promise<AppliedDecision> {
	switch (decision.action) {
		case 'closed':
			return await closeFeeds(client, decision, decide);
		case 'created':
			return await createSubscriber(client, decision, decide);
		case 'reopened':
		case 'updated':
			return await open(client, decision);
		default:
			return decision;
	}
}

async function createSubscriber(
	client: SupercastClient,
	decision: AccessDecision,
	decide: Decide,
): Promise<AppliedDecision> {
	const { member = NOBODY, write } = decision;
	const { record, existed } = await createOrFind(client, member.email, write);
	const subscriber = currentSubscriber(record);
	// Supercast may create a subscriber whose feeds are closed, or return an existing one.
	if (!existed && !isDeactivated(subscriber.state)) {
		return { ...decision, subscriber, shown: record };
	}
	return await apply(client, decide(subscriber), decide);
}

/** Writes the fields, and then opens the feeds, even if Supercast refuses a field. */
async function open(
	client: SupercastClient,
	decision: SubscriberDecision,
): Promise<AppliedDecision> {
	const { action, subscriber, write } = decision;
	const { shown, refusal, notTaken = {} } = await writeFields(client, subscriber, write);
	const done = withNotTaken(decision, notTaken);
	if (action !== 'reopened') {
		if (refusal !== undefined) throw refusal;
		return { ...done, shown };
	}
	const name = nameAfter(subscriber, refusal === undefined ? done.write : {});
	const subject = feedSubject(subscriber.email || name, { verb: 'opening' });
	const opened = await setFeedState(client, name, 'available', { subject });
	if (refusal !== undefined) throw refusal;
	return { ...done, shown: opened.subscriber };
}

/** Leaves out the fields that Supercast shows differently than they were written. */
function withNotTaken(decision: SubscriberDecision, ignored: IDataObject): SubscriberDecision {
	const fields = Object.entries(decision.write).filter(([field]) => !(field in ignored));
	const write = Object.fromEntries(fields);
	const notTaken = { ...decision.notTaken, ...ignored };
	if (decision.action !== 'updated' || !isEmpty(write)) return { ...decision, write, notTaken };
	return { ...decision, action: 'unchanged', write, notTaken, reason: 'notTaken' };
}

/** The name of a subscriber after these fields were written. */
export function nameAfter({ uuid, email }: CurrentSubscriber, write: IDataObject): string {
	return identifierOf({ uuid, email: textOf(write.email) || email });
}

/** The record that Supercast shows, and what it refused or did not take over. */
interface WriteOutcome {
	shown?: IDataObject;
	refusal?: ServiceError;
	notTaken?: IDataObject;
}

async function writeFields(
	client: SupercastClient,
	subscriber: CurrentSubscriber,
	write: IDataObject,
): Promise<WriteOutcome> {
	if (isEmpty(write)) return {};
	const name = identifierOf(subscriber);
	const subject = recordSubject(kind, subscriber.email || name);
	const request = { ...changeRequest(kind, name, write), subject };
	const written = updateAndConfirm(client, request).then((shown = {}): WriteOutcome => {
		const ignored = ignoredFields(shown, request).map((field) => [field, write[field]]);
		return { shown, notTaken: Object.fromEntries(ignored) as IDataObject };
	});
	return await written.catch((error: unknown): WriteOutcome => {
		if (!(error instanceof ServiceError)) throw error;
		// Supercast shows the old email. Perhaps the member must confirm the new one first.
		if (error.failure.kind === 'unexpected' && 'email' in write)
			return { notTaken: { email: write.email } };
		if (error.status !== 422) throw error;
		return { refusal: error };
	});
}

/** Thrown before a retry if the latest decision is not to close the feeds. */
class NoLongerClosed extends Error {
	constructor(readonly latest: AccessDecision) {
		super('The subscriber changed between two tries');
	}
}

/** Decides again before each try, because the person may get access while a try waits. */
async function closeFeeds(
	client: SupercastClient,
	decision: SubscriberDecision,
	decide: Decide,
): Promise<AppliedDecision> {
	const { subscriber } = decision;
	const name = identifierOf(subscriber);
	const subject = feedSubject(subscriber.email || name, { verb: 'closing' });
	const check = async (): Promise<AccessDecision> => {
		const record = await findSubscriber(client, name, kind, true);
		return record === undefined ? keep(decision, 'goneSince') : decide(currentSubscriber(record));
	};
	const first = await check();
	if (first.action !== 'closed') return first;
	const beforeRetry = async (): Promise<void> => {
		const latest = await check();
		if (latest.action !== 'closed') throw new NoLongerClosed(latest);
	};
	const mayHaveSeveral = subscriptionsOf(first.subscriber.fields).length > 1;
	const closed = setFeedState(client, name, 'inactive', { subject, beforeRetry, mayHaveSeveral });
	return await closed.then(
		(change) => ({ ...first, shown: change.subscriber }),
		(error: unknown) => {
			if (!(error instanceof NoLongerClosed)) throw error;
			return afterAll(error.latest, first, subject);
		},
	);
}

/** What to report if the subscriber changed between two tries. An earlier try may be the cause. */
function afterAll(
	latest: AccessDecision,
	first: SubscriberDecision,
	subject: Subject,
): AppliedDecision {
	if (latest.reason === 'goneSince') return latest;
	const { subscriber: now = NO_SUBSCRIBER } = latest;
	const { state: stateNow, fields: shown } = now;
	if (isFullyClosed(now)) return { ...first, shown };
	// Only `updated_at` differs, so an earlier try updated the record without closing the feeds.
	if (isTouchedOnly(shown, first.subscriber.fields)) {
		const state = `the state "${stateNow}"`;
		throw contradiction({ method: 'PATCH', subject }, state, 'the state "inactive"');
	}
	return latest;
}

function isTouchedOnly(shown: IDataObject, before: IDataObject): boolean {
	const time = { updated_at: undefined };
	return isSameValue({ ...shown, ...time }, { ...before, ...time });
}
