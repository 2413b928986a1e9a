/** What a change of ours has left, and whether a read contradicts it. */

import type { IDataObject } from 'n8n-workflow';

import { customerIdOf, emailsOf, isSameIdentifier, isUuid, identifierKey } from '../identity';
import { asRecord, textOf } from '../json';
import { mayBeState, shownState } from '../states';
import type { ApiRequest } from '../types';

/** What Supercast has shown after a change. It is the truth for as long as a read may be older. */
export interface WrittenState {
	at: number;
	/** The UUID of the record. Empty if it is unknown. */
	uuid: string;
	/** Whether there is no such record any more. */
	isGone: boolean;
	/** The fields that decide who gets access, as far as the change has set them. */
	fields: IDataObject;
}

type Compare = (shown: unknown, left: unknown) => boolean;

/** The fields that decide who gets access. */
const FIELD_COMPARISONS: Record<string, Compare> = {
	state: mayBeState,
	email: isSameIdentifier,
	customer_id: (shown, left) => customerIdOf(shown) === customerIdOf(left),
};

/** What a change has left, and under which names. Undefined if it is not about a person. */
export function writtenBy(
	{ method, path, body }: ApiRequest,
	shown: IDataObject,
	at: number,
): Array<{ key: string; left: WrittenState }> {
	const [collection, name = ''] = path;
	if (!isOfPerson(collection)) return [];
	const sent = fieldsSent(body);
	const uuid = uuidIn(shown) || (isUuid(name) ? name : '');
	const own = method === 'POST' ? { ...sent, state: shown.state } : sent;
	const left: WrittenState = {
		at,
		uuid,
		isGone: method === 'DELETE',
		fields: fieldsLeft(own, shown),
	};
	const { email = '' } = left.fields;
	const isRenamed = isOtherEmail(name, email);
	const keys = [uuid, ...emailsOf(shown), email, isRenamed ? '' : name].map(identifierKey);
	const all = [...new Set(keys)].filter((key) => key !== '').map((key) => ({ key, left }));
	// Nobody has the old email any more.
	return isRenamed ? [...all, { key: identifierKey(name), left: { ...left, isGone: true } }] : all;
}

/** The fields in the body of a request, without their wrapper. */
export function fieldsSent(body: IDataObject | undefined): Record<string, unknown> {
	return asRecord(Object.values(body ?? {})[0]);
}

/** Whether these requests are about a person who has access. */
export function isOfPerson(collection: string): boolean {
	return collection === 'subscribers' || collection === 'feeds';
}

function isOtherEmail(name: string, email: unknown): boolean {
	return name.includes('@') && email !== '' && !isSameIdentifier(name, email);
}

/** The fields that were sent, without those that Supercast shows differently. */
function fieldsLeft(sent: Record<string, unknown>, shown: IDataObject): IDataObject {
	const fields: IDataObject = {};
	for (const [key, isSame] of Object.entries(FIELD_COMPARISONS)) {
		const value = key === 'state' ? shownState(sent[key]) : textOf(sent[key]);
		if (sent[key] === undefined || (key === 'state' && value === '')) continue;
		if (shown[key] === undefined || isSame(shown[key], value)) fields[key] = value;
	}
	return fields;
}

function uuidIn({ uuid, subscriber_uuid: other, email, subscriber }: IDataObject): string {
	// A feed's own uuid says nothing about its subscriber.
	const own = textOf(email) === '' ? '' : textOf(uuid);
	return textOf(other) || textOf(asRecord(subscriber).uuid) || own;
}

/** The names under which to look for what is known of the record that a read shows. */
export function keysOfShown(path: readonly string[], shown: IDataObject): string[] {
	return [path[1] ?? '', uuidIn(shown), ...emailsOf(shown)].map(identifierKey).filter(Boolean);
}

/** The fields in which a read contradicts what a change has left. Undefined if it does not. */
export function contradicted(shown: IDataObject, { uuid, isGone, fields }: WrittenState) {
	const shownUuid = uuidIn(shown);
	if (uuid !== '' && shownUuid !== '' && !isSameIdentifier(uuid, shownUuid)) return undefined;
	const others = Object.entries(fields).filter(([key, value]) => {
		const isSame = FIELD_COMPARISONS[key];
		return isSame !== undefined && shown[key] !== undefined && !isSame(shown[key], value);
	});
	return isGone || others.length > 0 ? Object.fromEntries(others) : undefined;
}
