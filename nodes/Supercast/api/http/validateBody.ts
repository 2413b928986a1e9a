import type { IDataObject } from 'n8n-workflow';

import { hasName, isAboutAnother, isSameName } from '../identity';
import { isRecord, textOf } from '../json';
import type { ApiRequest, ApiResponse, Attempt } from '../types';

/**
 * Checks that a successful response contains what was requested, because a 200 with `{}` does not
 * mean that a member has access. Unwraps bodies nested under their own name or under `data`.
 */
export function validateBody(response: ApiResponse, request: ApiRequest): Attempt {
	const { body, status } = response;
	const { path, expects } = request;
	if (typeof body !== 'object' && body !== undefined) {
		// The response is JSON that was cut off, or comes from another website.
		const truncated = typeof body === 'string' && /^\s*[[{]/.test(body);
		return { failure: { kind: 'notJson', status, truncated } };
	}
	const unexpected = (): Attempt => ({
		failure: { kind: 'unexpected', status, came: inWords(body) },
	});
	if (expects === 'list') {
		const lists = isRecord(body) ? [body[path[0]!], body.data] : [body];
		const list = lists.find((one): one is unknown[] => Array.isArray(one));
		if (list === undefined) return unexpected();
		const entries = list.map((one) => (isRecord(one) ? unwrap(one, path) : one));
		return { response: { ...response, body: entries } };
	}
	const record = isRecord(body) ? unwrap(body, path) : undefined;
	if (body === undefined || (record !== undefined && Object.keys(record).length === 0)) {
		return expects === 'record' ? unexpected() : { response: { ...response, body: undefined } };
	}
	if (record === undefined || isErrorBody(record, request)) return unexpected();
	if (!isRequestedRecord(record, request)) return unexpected();
	return { response: { ...response, body: record } };
}

function unwrap(body: IDataObject, [collection = '']: readonly string[]): IDataObject {
	const inner = [body[collection.replace(/s$/, '')], body.data].find(isRecord);
	return hasName(body) ? body : (inner ?? body);
}

/**
 * Whether an object says that the request failed, in spite of its status. Supercast's error bodies
 * have a `message` (vendor's client). The other forms are those of common web services.
 */
function isErrorBody(record: IDataObject, { method, expects }: ApiRequest): boolean {
	const { error, errors, success, ok, deleted, status } = record;
	if (success === false || ok === false) return true;
	const isNamed = hasName(record);
	if (deleted === false && (method === 'DELETE' || !isNamed)) return true;
	if (isNamed) return false;
	if (isSaid(error) || isSaid(errors)) return true;
	if (Number(status) >= 400 || /^(error|fail(ed|ure)?)$/i.test(textOf(status))) return true;
	const [[key, value] = [], ...more] = Object.entries(record);
	if (more.length > 0) return false;
	// Words, such as `{ "message": "Feed updated" }`, may confirm a change, but they are no record.
	// A null, such as `{ "subscriber": null }`, is neither.
	const mayConfirm = method !== 'POST' && expects !== 'record' && expects !== 'list';
	return value === null || (key === 'message' && !mayConfirm);
}

function isSaid(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return Boolean(value);
}

/**
 * Whether a record is the one in the path, or has the email that was sent. The fields of feeds and
 * the responses to actions are not documented, and may not identify the record.
 */
function isRequestedRecord(record: IDataObject, request: ApiRequest): boolean {
	const { path, body, expects } = request;
	const [collection, name, action] = path;
	const changed = textOf(Object.values(body ?? {}).find(isRecord)?.email);
	const asked = name ?? changed;
	// A change of a feed is sent again if the response is about another person.
	if (collection === 'feeds') return expects !== 'record' || !isAboutAnother(record, request);
	if (action !== undefined || asked === '') return true;
	const { uuid, email, id } = record;
	for (const shown of [uuid, email, id]) {
		if (isSameName(shown, asked) || isSameName(shown, changed)) return true;
	}
	// The response to a change is not documented, and may identify the same record in another way.
	const sameKind = asked.includes('@') ? email : /^\d+$/.test(asked) ? id : uuid;
	return expects !== 'record' && textOf(sameKind).trim() === '';
}

/** Describes a value's type only, because values may be personal data. */
function inWords(body: unknown): string {
	if (body === undefined || body === null) return 'nothing';
	if (Array.isArray(body)) return 'a list';
	const fields = Object.keys(body).slice(0, 5);
	if (fields.length === 0) return 'an empty object';
	return `an object with ${fields.map((field) => `'${field.slice(0, 40)}'`).join(', ')}`;
}
