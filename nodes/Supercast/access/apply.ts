import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { textOf } from '../api/json';
import { findRecord, requestChange } from '../api/records';
import { changeRequest, recordSubject } from '../operations/kinds';
import { nameOf } from '../subscriber/customerId';
import { subscribers as kind } from '../subscriber/kind';
import { createOrFind, feedSubject, lookUp, setFeedState } from '../subscriber/requests';
import { knownSubscriber, type Known } from './people';
import { isEmpty, keep, type AccessDecision } from './rules';

/** What was decided about one person in the end, and done. */
export interface AppliedDecision extends AccessDecision {
	/**
	 * The subscriber as Supercast shows them after the change, such as their `first_name` and feed
	 * addresses. Undefined if nothing changed, or if no response has shown the subscriber.
	 */
	shown?: IDataObject;
}

/**
 * Applies a decision about one person, and returns what was decided in the end: `decide` decides
 * again if the subscriber to create exists, or before a closing. Throws ServiceError.
 */
export async function apply(
	client: SupercastClient,
	decision: AccessDecision,
	decide: (subscriber: Known) => AccessDecision,
): Promise<AppliedDecision> {
	const { action, member, write } = decision;
	if (action === 'closed') return await close(client, decision, decide);
	if (action !== 'created') return await open(client, decision);
	const { record, existed } = await createOrFind(client, member!.email, write);
	if (record === undefined) return decision;
	const subscriber = knownSubscriber(record);
	return existed
		? await open(client, decide(subscriber))
		: { ...decision, subscriber, shown: record };
}

/** Writes the fields, and then opens the feeds, even if Supercast refuses a field. */
async function open(client: SupercastClient, decision: AccessDecision): Promise<AppliedDecision> {
	const { action, subscriber, write } = decision;
	if (subscriber === undefined || (action !== 'reopened' && action !== 'updated')) return decision;
	const name = nameOf(subscriber);
	const label = subscriber.email || name;
	const request = { ...changeRequest(kind, name, write), subject: recordSubject(kind, label) };
	let refusal: ServiceError | undefined;
	if (!isEmpty(write)) {
		await requestChange(client, request).catch((error: unknown) => {
			if (!(error instanceof ServiceError && error.status === 422)) throw error;
			refusal = error;
		});
	}
	if (action === 'reopened') {
		const email = (refusal === undefined && textOf(write.email)) || subscriber.email;
		const current = nameOf({ ...subscriber, email });
		await setFeedState(client, current, 'available', feedSubject(label, { verb: 'opening' }));
	}
	if (refusal !== undefined) throw refusal;
	return decision;
}

/** Decides again before each try, because the person may get access while a try waits. */
async function close(
	client: SupercastClient,
	decision: AccessDecision,
	decide: (subscriber: Known) => AccessDecision,
): Promise<AppliedDecision> {
	const name = nameOf(decision.subscriber!);
	const check = async (): Promise<AccessDecision> => {
		const record = await findRecord(client, lookUp(name));
		return record === undefined ? keep(decision, 'goneSince') : decide(knownSubscriber(record));
	};
	const first = await check();
	if (first.action !== 'closed') return first;
	let latest = first;
	const beforeRetry = async (): Promise<void> => {
		latest = await check();
		if (latest.action !== 'closed') throw new Error('The subscriber changed between two tries');
	};
	const subject = feedSubject(decision.subscriber!.email || name, { verb: 'closing' });
	return await setFeedState(client, name, 'inactive', subject, beforeRetry).then(
		() => first,
		(error: unknown) => {
			if (latest.action === 'closed') throw error;
			// An earlier try may have closed the feeds, although its response was lost.
			return latest.subscriber?.state === 'deactivated' ? first : latest;
		},
	);
}
