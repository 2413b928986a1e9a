import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { parse } from 'qs';
import { ApiError, malformed } from './errors';

/** A body that could not be parsed; refused only once the request may be answered at all. */
export const UNPARSEABLE = Symbol('unparseable');

/** Decodes a query or form; percent-encoding that means nothing is no value but an error. */
export function parseForm(text: string): object | typeof UNPARSEABLE {
	try {
		decodeURIComponent(text);
	} catch {
		return UNPARSEABLE;
	}
	return parse(text, { depth: 5 });
}

/** JSON and form bodies (vendor's client sends forms); anything else is malformed. */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		done(null, parseJson(String(body)));
	});
	await app.register(formbody, { parser: (text) => wrap(parseForm(text)) });
}

function parseJson(text: string): unknown {
	if (text === '') return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return wrap(UNPARSEABLE);
	}
}

/** Fastify's parsers want an object where a symbol is meant. */
function wrap(parsed: object | typeof UNPARSEABLE): Record<string, unknown> {
	return parsed === UNPARSEABLE ? { [UNPARSEABLE]: true } : { ...parsed };
}

/** Whether a parsed body stands for one that could not be parsed. */
export function isUnparseable(body: unknown): boolean {
	return typeof body === 'object' && body !== null && UNPARSEABLE in body;
}

/** Refuses a body that could not be parsed (specification, section 7: 400). */
export function requireParseable(body: unknown): void {
	if (isUnparseable(body)) throw malformed('the body could not be parsed');
}

/**
 * The parameters of a create or change: wrapped in the singular resource name as the vendor's
 * client sends them, or flat as a published integration does.
 */
export function unwrap(body: unknown, name: string): Record<string, unknown> {
	if (!isObject(body)) throw missing(name);
	const inner = Object.hasOwn(body, name) ? body[name] : body;
	if (!isObject(inner) || Object.keys(inner).length === 0) throw missing(name);
	return inner;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The specification's 422 covers missing parameters, where Rails itself would say 400. */
function missing(name: string): ApiError {
	return new ApiError(422, `param is missing or the value is empty: ${name}`);
}
