/** Carries out the decision about one person. */

import type { IDataObject } from 'n8n-workflow';

import { updateAndConfirm } from '../api/changes';
import type { SupercastClient } from '../api/client';
import { contradiction } from '../api/confirm';
import { ServiceError, withUnknownOutcome } from '../api/errors/errors';
import { identifierOf, identifiersIn } from '../api/identity';
import { isSameValue, textOf } from '../api/json';
import type { Outcome } from '../api/queue';
import { subscriptionsOf } from '../api/states';
import type { Subject } from '../api/types';
import { changeRequest, recordSubject } from '../operations/kinds';
import { subscribers as kind } from '../subscriber/kind';
import { readSubscriberAgain } from '../subscriber/findPerson';
import { createOrFind, feedSubject, setFeedState } from '../subscriber/requests';
import { isDeactivated } from '../subscriber/states';
import { CHANGES, fieldsOf, isEmpty, keep, type Decision, type SubscriberDecision } from './rules';
import {
	currentSubscriber,
	isFullyClosed,
	NO_SUBSCRIBER,
	type CurrentSubscriber,
} from './subscribers';

/** The final decision about one person, as it was carried out. */
export type AppliedDecision = Decision & {
	/**
	 * The subscriber as Supercast shows them after the change, such as their feed addresses. Undefined
	 * if nothing changed, or if the responses confirm the changes without showing the subscriber.
	 */
	shown?: IDataObject;
	/** Why it could not be carried out, or only in part. */
	error?: Error;
};

/** What others must know about an applied decision. */
export function outcomeOf({ action, shown, subscriber }: AppliedDecision): Outcome {
	return {
		isChange: CHANGES.includes(action),
		names: identifiersIn(shown ?? subscriber?.fields ?? {}),
	};
}

/** Decides again about a person, when Supercast shows their latest record. */
export type Decide = (subscriber: CurrentSubscriber) => Decision;

/**
 * Carries out a decision about one person, and returns the final decision. Calls `decide` again
 * before closing feeds, and if a subscriber to create already exists or has closed feeds.
 * @throws ServiceError if the change fails, or if Supercast does not show it.
 */
export async function apply(
	client: SupercastClient,
	decision: Decision,
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
	decision: Decision & { action: 'created' },
	decide: Decide,
): Promise<AppliedDecision> {
	const { person, write: names } = decision;
	const other = fieldsOf(person);
	const create = async (write: IDataObject) => await createOrFind(client, person.email, write);
	let { leftOut } = other;
	const { record, existed } = await create({ ...names, ...other.fields }).catch(
		async (error: unknown) => {
			const refused = refusalOf(error, other.fields);
			leftOut = [...leftOut, refused];
			return await create(names);
		},
	);
	const subscriber = currentSubscriber(record);
	// Supercast may create a subscriber whose feeds are closed, or return an existing one.
	if (!existed && !isDeactivated(subscriber.state)) {
		return { ...decision, leftOut, subscriber, shown: record };
	}
	return await apply(client, decide(subscriber), decide);
}

/** What Supercast says about fields that it may have refused. Throws the error if there are none. */
function refusalOf(error: unknown, fields: IDataObject): string {
	const isRefusal = error instanceof ServiceError && error.status === 422;
	if (!isRefusal || isEmpty(fields)) throw error;
	return error.message;
}

/** Writes the fields, and then opens the feeds, even if Supercast refuses a field. */
async function open(
	client: SupercastClient,
	decision: SubscriberDecision,
): Promise<AppliedDecision> {
	const { action, subscriber } = decision;
	const written = await writeFields(client, decision);
	const { refusal, ...done } = written;
	if (action !== 'reopened') {
		if (refusal !== undefined) throw refusal;
		return done;
	}
	const name = nameAfter(subscriber, done.write);
	const subject = feedSubject(subscriber.email || name, { verb: 'opening' });
	const opened = await setFeedState(client, name, 'available', { subject });
	if (refusal !== undefined) throw refusal;
	return { ...done, shown: opened.subscriber };
}

/** The name of a subscriber after these fields were written. */
export function nameAfter({ uuid, email }: CurrentSubscriber, write: IDataObject): string {
	return identifierOf({ uuid, email: textOf(write.email) || email });
}

/** A decision whose fields were written, and what Supercast refused. */
type Written = AppliedDecision & { refusal?: ServiceError };

/** The fields by which people are found. Supercast's refusal of one of them is a failure. */
const NAMES = ['email', 'customer_id'];

async function writeFields(
	client: SupercastClient,
	decision: SubscriberDecision,
): Promise<Written> {
	const { subscriber, write } = decision;
	if (isEmpty(write)) return decision;
	const name = identifierOf(subscriber);
	const subject = recordSubject(kind, subscriber.email || name);
	const request = { ...changeRequest(kind, name, write), subject };
	return await updateAndConfirm(client, request).then(
		(shown): Written => ({ ...decision, shown }),
		async (error: unknown) => await afterRefusal(client, decision, error),
	);
}

/** What to do if Supercast has refused a field, or shows another email. Throws other errors. */
async function afterRefusal(
	client: SupercastClient,
	decision: SubscriberDecision,
	error: unknown,
): Promise<Written> {
	const { write } = decision;
	if (!(error instanceof ServiceError)) throw error;
	// Supercast shows the old email. Perhaps the member must confirm the new one first.
	if (error.failure.kind === 'unexpected' && 'email' in write) return withoutEmail(decision);
	if (error.status !== 422) throw error;
	const names = Object.fromEntries(Object.entries(write).filter(([key]) => NAMES.includes(key)));
	const isOfNames = Object.keys(names).length === Object.keys(write).length;
	if (isOfNames) return { ...decision, write: {}, refusal: error };
	const leftOut = [...(decision.leftOut ?? []), error.message];
	return await writeFields(client, { ...decision, write: names, leftOut });
}

function withoutEmail(decision: SubscriberDecision): SubscriberDecision {
	const write = { ...decision.write };
	delete write.email;
	const isLeft = decision.action === 'updated' && isEmpty(write);
	const action = isLeft ? 'unchanged' : decision.action;
	return { ...decision, action, write, reason: 'emailNotTaken' };
}

/** Thrown before a retry if the latest decision is not to close the feeds. */
class NoLongerClosed extends Error {
	constructor(readonly latest: Decision) {
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
	const check = async (): Promise<Decision> => {
		const record = await readSubscriberAgain(client, name);
		return record === undefined ? keep(decision, 'goneSince') : decide(currentSubscriber(record));
	};
	const first = await check();
	if (first.action !== 'closed') return first;
	const beforeRetry = async (mayBeMade: boolean): Promise<void> => {
		const latest = await check().catch((error: unknown) => {
			throw mayBeMade ? withUnknownOutcome(error) : error;
		});
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
function afterAll(latest: Decision, first: SubscriberDecision, subject: Subject): AppliedDecision {
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
