import type { IDataObject } from 'n8n-workflow';

import { asRecord, isRecord, textOf } from './json';
import type { ApiRequest } from './types';

export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * The emails of a person, or of the person that a record is about. For usage alerts, the fields
 * `subscriber_email` and `subscriber` are inferred.
 */
export function emailsOf({ email, subscriber_email: other, subscriber }: IDataObject): string[] {
	const nested = asRecord(subscriber).email;
	return [email, other, nested].map((one) => textOf(one).trim()).filter((one) => one !== '');
}

/** Whether a response is a record with a uuid, an email or an ID. */
export function hasIdentifier(record: unknown): record is IDataObject {
	if (!isRecord(record)) return false;
	const { uuid, email, id } = record;
	return `${textOf(uuid)}${textOf(email)}${textOf(id)}`.trim() !== '';
}

const NOT_ASCII = /[^ -~]/;

/**
 * Converts an email, uuid or ID for a comparison that ignores case. An accented letter may be one
 * character or two (NFC, NFD), and a domain may be in Punycode.
 */
export function identifierKey(name: unknown): string {
	const typed = textOf(name).trim().toLowerCase();
	if (!NOT_ASCII.test(typed)) return typed;
	const key = typed.normalize('NFC');
	const at = key.lastIndexOf('@');
	const address = `http://${key.slice(at + 1)}`;
	if (at < 0 || !NOT_ASCII.test(address) || !URL.canParse(address)) return key;
	return `${key.slice(0, at)}@${new URL(address).hostname}`;
}

/** The identifiers of a subscriber. One that Supercast does not return is empty. */
export interface Identifiers {
	uuid: string;
	email: string;
}

/** The name of a subscriber in Supercast's paths. */
export function identifierOf({ uuid, email }: Identifiers): string {
	return uuid.trim() === '' ? email : uuid;
}

/** The identifiers of one person. One that is unknown is empty or missing. */
export interface PersonIdentifiers extends Partial<Identifiers> {
	customerIds?: readonly string[];
}

/** The identifiers in a record of a person, or in the fields that a request gives them. */
export function identifiersIn({ uuid, email, customer_id: id }: IDataObject): PersonIdentifiers {
	return { uuid: textOf(uuid), email: textOf(email), customerIds: [textOf(id)] };
}

/** Whom an event is about. */
export interface Whom {
	/** The names that the event tells. If they are of several kinds, each may find someone else. */
	named: PersonIdentifiers;
	/** The names that the event gives them. */
	gives?: PersonIdentifiers;
}

/** Whom a request is about that creates a person with these fields. */
export function newPerson({ email, ...gives }: IDataObject): Whom {
	return { named: identifiersIn({ email }), gives: identifiersIn(gives) };
}

/** All identifiers of a person, in a form in which they can be compared with those of others. */
export function keysOf({ uuid, email, customerIds = [] }: PersonIdentifiers): string[] {
	const names = [email, uuid].map(identifierKey).filter((key) => key !== '');
	const ids = customerIds.map(customerIdOf).filter((id) => id !== '');
	// A customer ID may look like an email.
	return [...names, ...ids.map((id) => `${ID_KEY}${id}`)];
}

const ID_KEY = 'customer ID ';

export type IdentifierKind = 'email' | 'id' | 'uuid';

/** The kind of a key. */
export function kindOf(key: string): IdentifierKind {
	if (key.startsWith(ID_KEY)) return 'id';
	return key.includes('@') ? 'email' : 'uuid';
}

/** A customer ID as it is compared: case-sensitive, trimmed, and in composed form (NFC). */
export function customerIdOf(value: unknown): string {
	return textOf(value).trim().normalize('NFC');
}

/** Whether two emails, UUIDs or IDs name the same record. An empty one names no record. */
export function isSameIdentifier(one: unknown, other: unknown): boolean {
	const key = identifierKey(one);
	return key !== '' && key === identifierKey(other);
}

/**
 * Whether a response about a feed is about another subscriber. The fields of a feed are not
 * documented. A feed's own uuid says nothing about its subscriber.
 */
export function isForOther(record: IDataObject, { path }: Pick<ApiRequest, 'path'>): boolean {
	const [collection, name = ''] = path;
	if (collection !== 'feeds') return false;
	const { uuid, email, subscriber, subscriber_uuid: other } = record;
	const uuids = [other, asRecord(subscriber).uuid, textOf(email) === '' ? '' : uuid];
	const shown = name.includes('@') ? emailsOf(record) : uuids.filter((one) => textOf(one) !== '');
	return shown.length > 0 && !shown.some((one) => isSameIdentifier(one, name));
}
