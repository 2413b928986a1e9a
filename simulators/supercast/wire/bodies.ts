import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { parse, type ParsedQs } from 'qs';
import type { Settings } from '../settings';
import { ApiError, malformed } from './errors';

/**
 * Decodes a query or a form as Rails does. Throws a 400 if the percent-encoding is invalid
 * (specification, section 7).
 */
export function parseForm(text: string): ParsedQs {
	try {
		decodeURIComponent(text);
	} catch {
		throw malformed('it could not be decoded');
	}
	return parse(text, { depth: 5 });
}

/** Reads JSON and form bodies (the vendor's client sends forms). Anything else is malformed. */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		done(null, parseJson(String(body)));
	});
	await app.register(formbody, { parser: parseForm });
}

function parseJson(text: string): unknown {
	if (text === '') return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		throw malformed('the body is not JSON');
	}
}

/**
 * The parameters of a create or update request. The vendor's client wraps them in the singular
 * resource name. A published integration sends them without a wrapper.
 */
export function unwrap(
	body: unknown,
	name: string,
	{ flatBodies }: Pick<Settings, 'flatBodies'>,
): Record<string, unknown> {
	if (!isObject(body)) throw missing(name);
	const isWrapped = Object.hasOwn(body, name);
	if (!isWrapped && flatBodies === 'reject') throw missing(name);
	const inner = isWrapped ? body[name] : body;
	if (!isObject(inner) || Object.keys(inner).length === 0) throw missing(name);
	return inner;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In the specification, missing parameters lead to 422. Rails itself would send 400. */
function missing(name: string): ApiError {
	return new ApiError(422, `param is missing or the value is empty: ${name}`);
}
