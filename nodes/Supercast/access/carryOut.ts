/** Carries out what the rules decided about one person. */

import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { textOf } from '../api/json';
import { findRecord, requestChange } from '../api/records';
import { changeRequest, recordSubject } from '../operations/kinds';
import { feedSubject, setFeedState } from '../subscriber/feedState';
import { createOrFind, lookUp } from '../subscriber/requests';
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
 * Carries out a decision. If the subscriber to create exists already, continues with that one.
 *
 * @throws ServiceError if a request fails.
 */
export async function carryOut(decision: AccessDecision, carrying: Carrying): Promise<Carried> {
	const { action, member, write } = decision;
	if (action === 'closed') return { decision: await close(decision, carrying) };
	if (action !== 'created') return { decision, record: await open(decision, carrying) };
	const { record, existed } = await createOrFind(carrying.client, member?.email ?? '', write);
	if (record === undefined) return { decision };
	if (existed) return await adopt(record, carrying);
	return { decision: { ...decision, subscriber: carrying.known(record) }, record };
}

/** Continues with a subscriber as Supercast now shows them. */
export async function adopt(record: IDataObject, carrying: Carrying): Promise<Carried> {
	const decision = carrying.decide(carrying.known(record));
	return { decision, record: (await open(decision, carrying)) ?? record };
}

/**
 * Writes the fields, and then opens the feeds. If a run ends in between, the next one opens them. A
 * field that Supercast refuses does not keep a member out.
 *
 * @returns The record in the response to the fields, if there is one.
 */
async function open(
	{ action, subscriber, write }: AccessDecision,
	{ client }: Carrying,
): Promise<IDataObject | undefined> {
	if (subscriber === undefined || (action !== 'reopened' && action !== 'updated')) return undefined;
	const name = nameOf(subscriber);
	const label = subscriber.email || name;
	const request = { ...changeRequest(kind, name, write), subject: recordSubject(kind, label) };
	let refusal: ServiceError | undefined;
	const written = isEmpty(write)
		? undefined
		: await requestChange(client, request).catch((error: unknown) => {
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
async function close(
	decision: AccessDecision,
	{ client, known, decide }: Carrying,
): Promise<AccessDecision> {
	const name = nameOf(decision.subscriber!);
	const check = async (): Promise<AccessDecision> => {
		const record = await findRecord(client, lookUp(name));
		return record === undefined ? keep(decision, 'goneSince') : decide(known(record));
	};
	const first = await check();
	if (first.action !== 'closed') return first;
	let latest = first;
	const beforeRetry = async (): Promise<void> => {
		latest = await check();
		if (latest.action !== 'closed') throw new Error('The subscriber changed between two tries');
	};
	const label = decision.subscriber!.email || name;
	const subject = feedSubject(label, { verb: 'closing' });
	return await setFeedState(client, name, 'inactive', subject, beforeRetry).then(
		() => first,
		(error: unknown) => {
			if (latest.action === 'closed') throw error;
			// An earlier try may have closed the feeds, although its response was lost.
			return latest.subscriber?.state === 'deactivated' ? first : latest;
		},
	);
}
