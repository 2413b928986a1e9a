import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { textOf } from '../api/json';
import type { ApiRequest, Subject } from '../api/types';
import type { Identifier } from './locators';
import type { ItemParameters } from './types';

/** One kind of record in Supercast: its path and its names. */
export interface RecordKind {
	/** The name in sentences, such as `usage alert`. */
	singular: string;
	/** The plural in sentences, such as `usage alerts`. */
	plural: string;
	/** The first segment of its paths, such as `usage_alerts`. */
	path: string;
	/**
	 * The key that contains the fields in a body, such as `usage_alert` (the vendor's Ruby client).
	 */
	wrapper: string;
	/** Whether Supercast reads these records only as a list (the vendor's Ruby client). */
	isListOnly?: boolean;
	/** Whether the records are people, whom Supercast finds by email or uuid. */
	isPerson?: boolean;
}

/** A kind of record with a parameter that selects a single record. */
export interface NamedRecordKind extends RecordKind {
	/** The parameter that selects one record. */
	locator: INodeProperties;
	/** Reads the locator. Throws InputError if it is empty or malformed. */
	identify: (item: ItemParameters) => Identifier;
}

/** A kind of record that has more fields than most workflows need. */
export interface Simplifiable {
	/** Keeps at most ten fields. */
	simplify: (record: IDataObject) => IDataObject;
}

/**
 * Identifies a record in a list. A uuid identifies only people: a usage alert may contain the uuid
 * of its subscriber.
 *
 * @returns Undefined if the record has no ID.
 */
export function recordKey({ isPerson }: RecordKind, record: IDataObject): string | undefined {
	const names = isPerson === true ? ['uuid', 'email', 'id'] : ['id'];
	const name = names.find((one) => textOf(record[one]).trim() !== '');
	return name === undefined ? undefined : `${name} ${textOf(record[name])}`;
}

/** How error messages name one record of a kind. */
export function recordSubject(kind: RecordKind, name: string, verb?: string): Subject {
	const text = `${kind.singular} "${name}"`;
	return { text, isRecord: true, ...(verb === undefined ? {} : { verb }) };
}

/** How error messages name a record that does not exist yet. */
export function newRecordSubject(kind: RecordKind, name: string): Subject {
	return { text: name === '' ? kind.singular : `${kind.singular} "${name}"`, isRecord: false };
}

/** Builds the request for the list of a kind. */
export function listRequest(kind: RecordKind): ApiRequest {
	return { method: 'GET', path: [kind.path], subject: listSubject(kind), expects: 'list' };
}

/** How error messages name the list of a kind. */
export function listSubject(kind: RecordKind): Subject {
	return { text: `list of ${kind.plural}`, isRecord: false };
}
