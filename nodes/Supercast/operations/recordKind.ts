import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Identifier } from './identifiers/identifier';
import type { ApiRequest, Subject } from '../api/types';
import type { ItemParameters } from './types';

/** One kind of record in Supercast: its address and its names. */
export interface RecordKind {
	/** In sentences: `usage alert`. */
	singular: string;
	/** In sentences: `usage alerts`. */
	plural: string;
	/** First segment of its addresses: `usage_alerts`. */
	path: string;
	/** Key that a body is wrapped in: `usage_alert` (the vendor's Ruby client). */
	wrapper: string;
}

/** A kind of record from which the user can select one. */
export interface NamedRecordKind extends RecordKind {
	/** The parameter that selects one record. */
	locator: INodeProperties;
	/** Reads that parameter. Throws InputError when it is empty. */
	identify: (item: ItemParameters) => Identifier;
}

/** A kind of record with more fields than an automation needs. */
export interface Simplifiable {
	/** Keeps at most ten fields. */
	simplify: (record: IDataObject) => IDataObject;
}

/** How an error names one record of a kind. */
export function recordSubject(kind: RecordKind, name: string, verb?: string): Subject {
	const text = `${kind.singular} "${name}"`;
	return { text, isRecord: true, ...(verb === undefined ? {} : { verb }) };
}

/** How an error names a record that does not exist yet. */
export function newRecordSubject(kind: RecordKind, name: string): Subject {
	return { text: name === '' ? kind.singular : `${kind.singular} "${name}"`, isRecord: false };
}

/** Makes the request for the list of a kind. */
export function listRequest(kind: RecordKind): ApiRequest {
	return { method: 'GET', path: [kind.path], subject: listSubject(kind), expects: 'list' };
}

/** How an error names the list of a kind. */
export function listSubject(kind: RecordKind): Subject {
	return { text: `list of ${kind.plural}`, isRecord: false };
}
