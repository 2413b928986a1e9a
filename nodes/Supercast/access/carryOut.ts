/** Carries out what the rules decided about one person. */

import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { hasName } from '../api/identity';
import { textOf } from '../api/json';
import { findRecord, requestChange, showsWhatWasSent } from '../api/records';
import { recordSubject } from '../operations/kinds';
import { creation, findTaken, lookUp } from '../subscriber/requests';
import { feedSubject, setFeedState } from '../subscriber/feedState';
import { subscribers as kind } from '../subscriber/kind';
import type { Known } from './people';
import { isEmpty, keep, type AccessDecision } from './rules';

/** How to carry out a decision. */
export interface Carrying {
	client: SupercastClient;
	/** Reads what the rules need to know of a record. */
	known: (record: IDataObject) => Known;
	/** Decides again about the person, because the subscriber may have changed. */
	decide: (subscriber: Known) => AccessDecision;
}

/** What was done, and the record in Supercast's last response, if it sent one. */
export interface Carried {
	decision: AccessDecision;
	record?: IDataObject;
}

/** The name of a subscriber in Supercast's paths. */
export function nameOf({ uuid, email }: Known): string {
	return uuid === '' ? email : uuid;
}

/**
 * Creates a subscriber. Continues with the existing one if someone else has created it.
 *
 * @throws ServiceError if a request fails.
 */
export async function createUnlessTaken(
	decision: AccessDecision,
	carrying: Carrying,
): Promise<Carried> {
	const { client, known } = carrying;
	const email = decision.member?.email ?? '';
	const request = creation(email, decision.write);
	const create = async (): Promise<Carried> => {
		const { body, wasLookedUp } = await client.request(request);
		// It is not documented whether Supercast responds to a create request with the record.
		if (!hasName(body)) return { decision };
		// The response was lost, and someone else may have created the subscriber in the meantime.
		const isOurs = wasLookedUp !== true || showsWhatWasSent(body, request);
		if (!isOurs) return await adopt(body, carrying);
		return { decision: { ...decision, subscriber: known(body) }, record: body };
	};
	return await create().catch(async (error: unknown) => {
		const taken = await findTaken(client, email, error);
		if (taken === undefined) throw error;
		return await adopt(taken, carrying);
	});
}

/** Continues with a subscriber who exists already. */
export async function adopt(record: IDataObject, carrying: Carrying): Promise<Carried> {
	const decision = carrying.decide(carrying.known(record));
	const changed = await open(decision, carrying);
	return { decision, record: changed ?? record };
}

/**
 * Writes the fields, and then opens the feeds. If a run ends in between, the next one opens them. A
 * field that Supercast refuses does not keep a member out.
 *
 * @returns The record in the response to the fields. Undefined if nothing was written, or if the
 * response is empty.
 * @throws ServiceError if a request fails.
 */
export async function open(
	{ action, subscriber, write }: AccessDecision,
	{ client }: Carrying,
): Promise<IDataObject | undefined> {
	if (subscriber === undefined || (action !== 'reopened' && action !== 'updated')) return undefined;
	const name = nameOf(subscriber);
	const label = subscriber.email || name;
	const writing = async (): Promise<IDataObject | undefined> =>
		await requestChange(client, {
			method: 'PATCH',
			path: [kind.path, name],
			body: { [kind.wrapper]: write },
			subject: recordSubject(kind, label),
		});
	let refusal: ServiceError | undefined;
	const written = isEmpty(write)
		? undefined
		: await writing().catch((error: unknown) => {
				if (!(error instanceof ServiceError && error.status === 422)) throw error;
				refusal = error;
				return undefined;
			});
	if (action === 'reopened') {
		const isMoved = name === subscriber.email && refusal === undefined;
		const current = (isMoved ? textOf(write.email) : '') || name;
		await setFeedState(client, current, 'available', feedSubject(label, { verb: 'opening' }));
	}
	if (refusal !== undefined) throw refusal;
	return written;
}

/**
 * Reads the subscriber again, decides again, and then closes the feeds. Does both before each try,
 * because the person may get access while a try waits.
 *
 * @returns The decision that was carried out in the end.
 */
export async function close(
	decision: AccessDecision,
	{ client, known, decide }: Carrying,
): Promise<AccessDecision> {
	const { subscriber } = decision;
	if (subscriber === undefined) return decision;
	const name = nameOf(subscriber);
	const label = subscriber.email || name;
	const check = async (): Promise<AccessDecision> => {
		const record = await findRecord(client, lookUp(name));
		return record === undefined ? keep(decision, 'goneSince') : decide(known(record));
	};
	const current = await check();
	if (current.action !== 'closed') return current;
	const beforeRetry = async (): Promise<void> => {
		const now = await check();
		if (now.action !== 'closed') throw new Withdrawn(now);
	};
	const subject = feedSubject(label, { verb: 'closing' });
	const withdrawn = await setFeedState(client, name, 'inactive', subject, beforeRetry).then(
		() => current,
		(error: unknown) => {
			if (error instanceof Withdrawn) return error.decision;
			throw error;
		},
	);
	// An earlier try may have closed the feeds, although its response was lost.
	return withdrawn.subscriber?.state === 'deactivated' ? current : withdrawn;
}

/** Ends the tries of a closing that is no longer right. */
class Withdrawn extends Error {
	constructor(readonly decision: AccessDecision) {
		super('The subscriber changed between two tries');
	}
}
