import type { IDataObject } from 'n8n-workflow';

import { InputError } from './errors/errors';
import { asRecord, isRecord, textOf } from './json';
import type { ApiRequest } from './types';

export const EXPRESSION_HINT =
	'If you use an expression, check that its field exists and has a value in this item.';

/** What n8n accepts in the editor. Invisible characters pass, so that the node can name them. */
export const EMAIL_PATTERN = '\\s*[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+\\s*';

/** Invisible characters: controls, formats, separators, and letters without a shape. */
const HIDDEN = /[\p{C}\p{Z}\p{DI}]/u;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu');

/** An email address without the characters that need quotes (RFC 5322, section 3.2.3). */
const EMAIL =
	/^[^\s@<>()[\]:;,\\"]+@[^\s@.<>()[\]:;,\\"'/?#%&=!*]+(\.[^\s@.<>()[\]:;,\\"'/?#%&=!*]+)+$/;

/** An address as people paste it: with a name, as a link, or between brackets or quotes. */
const PASTED = [
	/^[^<>@]*<\s*(?:mailto:)?([^<>]+?)\s*>[,;.]*$/i,
	/^mailto:([^?]+)(?:\?.*)?$/i,
	/^["'([]?(.+?)["')\],;.:]+$/,
];

const CHARACTERS: Record<string, string> = {
	'00A0': 'no-break space',
	'00AD': 'soft hyphen',
	'0000': 'null character',
	'0009': 'tab',
	'000A': 'line break',
	'000D': 'line break',
	'0020': 'space',
	'200B': 'zero-width space',
	'200C': 'zero-width non-joiner',
	'200D': 'zero-width joiner',
	'200E': 'left-to-right mark',
	'200F': 'right-to-left mark',
	'2060': 'word joiner',
	FEFF: 'byte order mark',
};

/** The first invisible character, such as `zero-width space (U+200B)`, or undefined. */
export function hiddenCharacter(text: string): string | undefined {
	const [character] = HIDDEN.exec(text) ?? [];
	if (character === undefined) return undefined;
	const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return `${CHARACTERS[number] ?? 'invisible character'} (U+${number})`;
}

/** Whether a text has any visible characters. */
export function isVisible(text: string): boolean {
	return text.replace(EVERY_HIDDEN, '') !== '';
}

/** Whether a text is an email address: a name, an @, and a domain with a dot. */
export function isEmail(text: string): boolean {
	return EMAIL.test(text) && !HIDDEN.test(text);
}

export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * Reads an email address, trimmed and in composed form (NFC).
 * @throws InputError if it is empty or malformed. It names the address or character to correct.
 */
export function requireEmail(typed: unknown, label: string): string {
	const email = textOf(typed).trim().normalize('NFC');
	if (email === '' && (typeof typed !== 'object' || typed === null)) {
		throw new InputError(`'${label}' is empty`, `Enter an email address. ${EXPRESSION_HINT}`);
	}
	if (typeof typed === 'string' && isEmail(email)) return email;
	const hidden = hiddenCharacter(email.replaceAll(' ', ''));
	const visible = email.replace(EVERY_HIDDEN, (one) => (one === ' ' ? one : ''));
	const pasted = PASTED.map((form) => form.exec(visible)?.[1] ?? '');
	const address = [visible, ...pasted].find(isEmail);
	throw new InputError(
		hidden === undefined
			? `'${label}' is not an email address: "${visible.slice(0, 100) || 'an object'}"`
			: `'${label}' contains an invisible character: ${hidden}`,
		address === undefined
			? 'Enter it in the form name@example.com.'
			: `Enter only the address: ${address}`,
	);
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
export function hasName(record: unknown): record is IDataObject {
	if (!isRecord(record)) return false;
	const { uuid, email, id } = record;
	return `${textOf(uuid)}${textOf(email)}${textOf(id)}`.trim() !== '';
}

/**
 * Converts an email, uuid or ID for a comparison that ignores case. An accented letter may be one
 * character or two (NFC, NFD), and a domain may be in Punycode.
 */
export function nameKey(name: unknown): string {
	const key = textOf(name).trim().toLowerCase().normalize('NFC');
	const at = key.lastIndexOf('@');
	const address = `http://${key.slice(at + 1)}`;
	if (at < 0 || !/[^ -~]/.test(address) || !URL.canParse(address)) return key;
	return `${key.slice(0, at)}@${new URL(address).hostname}`;
}

/** The identifiers of a subscriber. One that Supercast does not return is empty. */
export interface Names {
	uuid: string;
	email: string;
}

/** The name of a subscriber in Supercast's paths. */
export function nameOf({ uuid, email }: Names): string {
	return uuid.trim() === '' ? email : uuid;
}

/** The identifiers of one person. One that is unknown is empty or missing. */
export interface PersonNames extends Partial<Names> {
	customerIds?: readonly string[];
}

/** All identifiers of a person, in a form in which they can be compared with those of others. */
export function keysOf({ uuid, email, customerIds = [] }: PersonNames): string[] {
	const names = [email, uuid].map(nameKey).filter((key) => key !== '');
	const ids = customerIds.map(customerIdOf).filter((id) => id !== '');
	// A customer ID may look like an email.
	return [...names, ...ids.map((id) => `customer ID ${id}`)];
}

/** A customer ID as it is compared: case-sensitive, trimmed, and in composed form (NFC). */
export function customerIdOf(value: unknown): string {
	return textOf(value).trim().normalize('NFC');
}

/** Whether two emails, UUIDs or IDs name the same record. An empty one names no record. */
export function isSameName(one: unknown, other: unknown): boolean {
	const key = nameKey(one);
	return key !== '' && key === nameKey(other);
}

/**
 * Whether a response about a feed is about another subscriber. The fields of a feed are not
 * documented. A feed's own uuid says nothing about its subscriber.
 */
export function isAboutAnother(record: IDataObject, { path }: Pick<ApiRequest, 'path'>): boolean {
	const [collection, name = ''] = path;
	if (collection !== 'feeds') return false;
	const { uuid, email, subscriber, subscriber_uuid: other } = record;
	const uuids = [other, asRecord(subscriber).uuid, textOf(email) === '' ? '' : uuid];
	const shown = name.includes('@') ? emailsOf(record) : uuids.filter((one) => textOf(one) !== '');
	return shown.length > 0 && !shown.some((one) => isSameName(one, name));
}
