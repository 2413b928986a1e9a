import type { IDataObject } from 'n8n-workflow';

import { isSameName } from '../identity';
import { isRecord, textOf } from '../json';
import type { ApiRequest, ApiResponse, Attempt } from '../types';

/** The fields by which Supercast identifies a record (vendor's client), in order of preference. */
const NAMES = ['uuid', 'email', 'id'] as const;

/** Kinds of records whose fields are not documented, and might not identify the record. */
const WITHOUT_NAME = new Set(['feeds']);

const MOST_FIELDS_NAMED = 5;

/**
 * Checks that a successful response contains what was requested. A status alone proves nothing: a
 * 200 with `{}` or `{ "error": "not found" }` does not mean that a member has access. Unwraps records
 * and lists that are nested under their own name or under `data`.
 */
export function validateBody(response: ApiResponse, request: ApiRequest): Attempt {
	const { body, status } = response;
	if (typeof body !== 'object' && body !== undefined) {
		// The response is JSON that was cut off, or comes from another website.
		const truncated = typeof body === 'string' && /^\s*[[{]/.test(body);
		return { failure: { kind: 'notJson', status, truncated } };
	}
	const { expects = 'change' } = request;
	const read = { list: listIn, record: recordIn, change: changeIn }[expects];
	const valid = read(body, request);
	if (valid !== undefined) return { response: { ...response, body: valid.body } };
	return { failure: { kind: 'unexpected', status, came: inWords(body) } };
}

function listIn(body: unknown, { path }: ApiRequest): { body: unknown[] } | undefined {
	const inner = isRecord(body) ? [body[collectionOf(path)], body.data] : [body];
	const list: unknown = inner.find((one) => Array.isArray(one));
	if (!Array.isArray(list)) return undefined;
	return { body: list.map((one: unknown) => (isRecord(one) ? unwrap(one, path) : one)) };
}

function recordIn(body: unknown, request: ApiRequest): { body: IDataObject } | undefined {
	if (!isRecord(body)) return undefined;
	const record = unwrap(body, request.path);
	const isEmpty = Object.keys(record).length === 0;
	const isUsable = !isEmpty && !isErrorBody(record, request) && isRequestedRecord(record, request);
	return isUsable ? { body: record } : undefined;
}

function changeIn(body: unknown, request: ApiRequest): { body?: IDataObject } | undefined {
	if (body === undefined) return {};
	const isEmpty = isRecord(body) && Object.keys(unwrap(body, request.path)).length === 0;
	return isEmpty ? {} : recordIn(body, request);
}

function unwrap(body: IDataObject, path: readonly string[]): IDataObject {
	if (NAMES.some((name) => isName(body[name]))) return body;
	const inner = [body[singular(collectionOf(path))], body.data].find(isRecord);
	return inner ?? body;
}

/**
 * Whether an object says that the request failed, in spite of its status. Supercast's error bodies
 * have a `message` (vendor's client). The other forms are those of common web services.
 */
function isErrorBody(record: IDataObject, { method }: ApiRequest): boolean {
	const { error, errors, success, ok, deleted, status } = record;
	const hasName = NAMES.some((name) => isName(record[name]));
	if (success === false || ok === false) return true;
	if (deleted === false && (method === 'DELETE' || !hasName)) return true;
	if (hasName) return false;
	if (isSaid(error) || isSaid(errors) || isErrorStatus(status)) return true;
	const [[key, value] = [], ...more] = Object.entries(record);
	// A record of null, such as `{ "subscriber": null }`, is no record.
	return more.length === 0 && (key === 'message' || value === null);
}

function isErrorStatus(status: unknown): boolean {
	return Number(status) >= 400 || /^(error|fail(ed|ure)?)$/i.test(textOf(status));
}

function isSaid(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return Boolean(value);
}

/** Whether a record is the one named in the path, or has the email that the request set. */
function isRequestedRecord(record: IDataObject, { path, body, expects }: ApiRequest): boolean {
	const changed = textOf(Object.values(body ?? {}).find(isRecord)?.email);
	const asked = nameIn(path) ?? changed;
	if (asked === '') return true;
	const shown = NAMES.map((name) => record[name]);
	if (shown.some((name) => isSameName(name, asked) || isSameName(name, changed))) return true;
	// The response to a change is not documented, and may identify the same record in another way.
	return expects !== 'record' && !isName(record[kindOfName(asked)]);
}

/** The name of the record in a path. Empty if the response might not contain that name. */
function nameIn([collection = '', name, ...more]: readonly string[]): string | undefined {
	return WITHOUT_NAME.has(collection) || more.length > 0 ? '' : name;
}

function kindOfName(name: string): (typeof NAMES)[number] {
	if (name.includes('@')) return 'email';
	return /^\d+$/.test(name) ? 'id' : 'uuid';
}

function isName(value: unknown): boolean {
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

function collectionOf([collection = '']: readonly string[]): string {
	return collection;
}

function singular(plural: string): string {
	return plural.replace(/s$/, '');
}

/** Describes the type of a response. Leaves out the values, which may be personal data. */
function inWords(body: unknown): string {
	if (body === undefined || body === null) return 'nothing';
	if (Array.isArray(body)) return 'a list';
	const fields = Object.keys(body).slice(0, MOST_FIELDS_NAMED);
	if (fields.length === 0) return 'an empty object';
	return `an object with ${fields.map((field) => `'${field.slice(0, 40)}'`).join(', ')}`;
}
