import type { IDataObject } from 'n8n-workflow';

import { hasIdentifier, isForOther, isSameIdentifier } from '../identity';
import { isRecord, textOf } from '../json';
import type { ApiRequest, ApiResponse, Attempt, Failure } from '../types';
import { barrierIn } from './parseErrorResponse';

/**
 * Checks that a successful response contains what was requested. A 200 with `{}` does not mean that
 * a member has access. Unwraps bodies nested under their own name or under `data`.
 */
export function validateBody(response: ApiResponse, request: ApiRequest): Attempt {
	const { body, status } = response;
	if (typeof body !== 'object' && body !== undefined) {
		return { failure: withoutJson(textOf(body).trim(), status) };
	}
	const found = request.expects === 'list' ? listIn(body, request) : recordIn(body, request);
	if (found === UNEXPECTED) {
		return { failure: { kind: 'unexpected', status, came: inWords(body) } };
	}
	return { response: { ...response, body: found } };
}

/** What a text is that n8n could not read as JSON. */
function withoutJson(text: string, status: number): Failure {
	if (/^(\[.*\]|\{.*\})$/s.test(text)) return { kind: 'malformed', status };
	// The response is JSON that was cut off, or comes from another website.
	const truncated = /^[[{]/.test(text);
	return { kind: 'notJson', status, truncated, ...(truncated ? {} : barrierIn(text)) };
}

/** Stands for a body without what was requested. */
const UNEXPECTED = Symbol('unexpected');

function listIn(body: unknown, { path }: ApiRequest): unknown[] | typeof UNEXPECTED {
	const [collection] = path;
	const lists = isRecord(body) ? [body[collection], body.data] : [body];
	const list = lists.find((one): one is unknown[] => Array.isArray(one));
	if (list === undefined) return UNEXPECTED;
	return list.map((one) => (isRecord(one) ? unwrap(one, collection) : one));
}

/** Returns undefined if the body is empty and is allowed to be. */
function recordIn(body: unknown, request: ApiRequest): IDataObject | typeof UNEXPECTED | undefined {
	const record = isRecord(body) ? unwrap(body, request.path[0]) : undefined;
	const isEmpty = record === undefined ? body === undefined : Object.keys(record).length === 0;
	if (isEmpty) return request.expects === 'record' ? UNEXPECTED : undefined;
	if (record === undefined || isErrorBody(record, request)) return UNEXPECTED;
	return isRequestedRecord(record, request) ? record : UNEXPECTED;
}

function unwrap(body: IDataObject, collection: string): IDataObject {
	return hasIdentifier(body) ? body : (nestedIn(body, collection) ?? body);
}

/** The record that a body contains under its own name or under `data`. */
function nestedIn(body: IDataObject, collection: string): IDataObject | undefined {
	return [body[collection.replace(/s$/, '')], body.data].find(isRecord);
}

/**
 * Whether an object says that the request failed, in spite of its status. Supercast's error bodies
 * have a `message` (vendor's client). The other forms are those of common web services.
 */
function isErrorBody(record: IDataObject, request: ApiRequest): boolean {
	const { success, ok, deleted } = record;
	if (success === false || ok === false) return true;
	const isNamed = hasIdentifier(record);
	if (deleted === false && (request.method === 'DELETE' || !isNamed)) return true;
	return !isNamed && (saysError(record) || isOnlyWords(record, request));
}

function saysError({ error, errors, status }: IDataObject): boolean {
	if (isSaid(error) || isSaid(errors)) return true;
	return Number(status) >= 400 || /^(error|fail(ed|ure)?)$/i.test(textOf(status));
}

/**
 * A message, such as `{ "message": "Feed updated" }`, may confirm a change, but it is not a record.
 * A null, such as `{ "subscriber": null }`, confirms nothing.
 */
function isOnlyWords(record: IDataObject, { method, expects }: ApiRequest): boolean {
	const [value, ...more] = Object.values(record);
	if (more.length > 0) return false;
	const mayConfirm = method !== 'POST' && expects !== 'record';
	return value === null || ('message' in record && !mayConfirm);
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
	// If the response to a feed change is about another person, the caller sends the change again.
	if (collection === 'feeds') return expects !== 'record' || !isForOther(record, request);
	const changed = textOf(Object.values(body ?? {}).find(isRecord)?.email);
	const asked = name ?? changed;
	if (action !== undefined || asked === '') return true;
	const { uuid, email, id } = record;
	const isNamed = [uuid, email, id].some(
		(shown) => isSameIdentifier(shown, asked) || isSameIdentifier(shown, changed),
	);
	// The response to a change is not documented, and may identify the same record in another way.
	return isNamed || (expects !== 'record' && lacksNameLike(record, asked));
}

/** Whether a record lacks the kind of name that was asked for: an email, an ID or a UUID. */
function lacksNameLike({ uuid, email, id }: IDataObject, asked: string): boolean {
	const otherKind = /^\d+$/.test(asked) ? id : uuid;
	return textOf(asked.includes('@') ? email : otherKind).trim() === '';
}

/** Describes a value's type only, because values may be personal data. */
function inWords(body: unknown): string {
	if (body === undefined || body === null) return 'nothing';
	if (Array.isArray(body)) return 'a list';
	const fields = Object.keys(body).slice(0, 5);
	if (fields.length === 0) return 'an empty object';
	return `an object with ${fields.map((field) => `'${field.slice(0, 40)}'`).join(', ')}`;
}
