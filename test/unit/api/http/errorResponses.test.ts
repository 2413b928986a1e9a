import fc from 'fast-check';
import { connect } from 'node:net';

import {
	answerWithoutCause,
	codeWithoutCause,
	parseErrorResponse,
	parseThrownError,
	readRetryAfter,
	textsOf,
} from '../../../../nodes/Supercast/api/http/parseErrorResponse';
import { NOT_SENT_CODE } from '../../../../nodes/Supercast/api/types';
import { decide } from '../../../../nodes/Supercast/api/retry/retryPolicy';
import { request } from '../../../doubles/retriedSupercast';

describe('error responses', () => {
	const NOW = Date.UTC(2026, 0, 1);
	const PAGE = ' <!DOCTYPE html>';

	function read(status: number, body: unknown, headers: Record<string, unknown> = {}) {
		return parseErrorResponse({ status, headers, body }, NOW);
	}

	describe('a response with an error status', () => {
		it.each(['Not found', PAGE])('of 404 with the text %j is from another site', (body) => {
			expect(read(404, body)).toEqual({ kind: 'notJson', status: 404, truncated: false });
		});

		it.each([undefined, null, '', ' ', [], 7])(
			'is a 404 that counts only if it comes again, with a body of %j',
			(body) => {
				expect(read(404, body)).toEqual({ kind: 'status', status: 404, body, isBare: true });
			},
		);

		it('is the API’s 404 with a JSON object', () => {
			const body = { message: 'Not found' };
			expect(read(404, body)).toEqual({ kind: 'status', status: 404, body });
		});

		it.each([400, 402, 403, 422, 499])('of %d on a web page is from another site', (status) => {
			expect(read(status, PAGE)).toEqual({ kind: 'notJson', status, truncated: false });
			expect(read(status, '<html>')).toEqual({ kind: 'notJson', status, truncated: false });
			for (const body of ['No < more', undefined, { message: '<' }, ['<']]) {
				expect(read(status, body)).toEqual({ kind: 'status', status, body });
			}
		});

		it.each([302, 401, 429, 500, 502])('of %d means the same on a web page', (status) => {
			expect(read(status, PAGE)).toEqual({ kind: 'status', status, body: PAGE });
		});

		it('shows a protection against bots by its page', () => {
			const page = '<title>Just a moment...</title>';
			expect(read(403, page)).toMatchObject({ kind: 'notJson', isBarrier: true });
			expect(read(403, PAGE)).not.toHaveProperty('isBarrier');
		});

		const INVALID = 'Bearer realm="api", error="invalid_token"';

		it.each<[number, unknown, Record<string, unknown>]>([
			[400, {}, { 'www-authenticate': INVALID }],
			[403, { error: 'invalid_token' }, {}],
			[403, { error: 'expired_token' }, {}],
			[403, { error: 'denied', error_description: 'The access token has expired' }, {}],
			[400, { message: 'Token is expired' }, {}],
		])('of %d with %j and %j refuses the token, as a 401 does', (status, body, headers) => {
			expect(read(status, body, headers)).toMatchObject({ isTokenRefused: true });
		});

		it.each<[number, unknown]>([
			[422, { error: 'invalid_token' }],
			[403, { message: 'The invite token is invalid' }],
			[400, { message: 'Access was revoked' }],
		])('of %d with %j says nothing about the token', (status, body) => {
			expect(read(status, body)).not.toHaveProperty('isTokenRefused');
		});

		it("keeps the target of a redirect, and the wait by the sender's clock", () => {
			expect(read(302, '', { location: 'https://x.example/' })).toMatchObject({
				location: 'https://x.example/',
			});
			expect(read(302, '', { location: ['x'] })).toHaveProperty('location', undefined);
			expect(read(429, {}, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 });
			const date = new Date(NOW + 60_000).toUTCString();
			const later = new Date(NOW + 90_000).toUTCString();
			expect(read(429, {}, { 'retry-after': later, date })).toMatchObject({ retryAfterMs: 30_000 });
			expect(read(429, {}, { 'retry-after': later })).toMatchObject({ retryAfterMs: 90_000 });
			expect(read(429, {})).toHaveProperty('retryAfterMs', undefined);
		});
	});

	describe('an error of n8n', () => {
		it('is a response that broke off if its status is a success', () => {
			for (const status of [200, 299]) {
				const error = { cause: { response: { status, data: {} } } };
				expect(parseThrownError(error, NOW)).toEqual({ kind: 'notJson', status, truncated: true });
			}
			const answered = { response: { status: 300, data: 'x' } };
			expect(parseThrownError(answered, NOW)).toEqual({ kind: 'status', status: 300, body: 'x' });
		});

		it('is read through five causes', () => {
			const nested = (depth: number): object =>
				depth === 0 ? { response: { status: 422 } } : { cause: nested(depth - 1) };
			expect(parseThrownError(nested(5), NOW)).toMatchObject({ status: 422 });
			expect(parseThrownError(nested(6), NOW)).toMatchObject({ kind: 'network' });
		});

		it('is read only so far, even if it is its own cause', () => {
			const error: { cause?: unknown } = {};
			error.cause = error;
			expect(parseThrownError(error, NOW)).toMatchObject({ kind: 'network' });
		});

		it('reveals nothing about the request', () => {
			const config = { headers: { Authorization: 'Bearer token_that_nobody_may_see' } };
			const response = { status: 422, data: { message: 'No' }, config };
			for (const error of [
				{ response },
				{ cause: { response } },
				{ cause: { cause: { response } } },
			]) {
				const body = { message: 'No' };
				const failure = parseThrownError({ ...error, config }, NOW);
				expect(failure).toEqual({ kind: 'status', status: 422, body });
			}
		});

		it.each([undefined, null, 'text', new Error('x')])('can be %p', (error) => {
			expect(parseThrownError(error, NOW)).toMatchObject({ kind: 'network' });
		});

		it('is read from the outermost response, not from what caused it', () => {
			const error = { response: { status: 422 }, cause: { response: { status: 500 } } };
			expect(parseThrownError(error, NOW)).toMatchObject({ status: 422 });
		});

		const FORBIDDEN = {
			message: 'Blocked',
			description: 'The address is internal.',
			level: 'info',
		};

		it.each([
			['n8n sent nothing', FORBIDDEN],
			['n8n sent nothing, which is the cause', { level: 'error', cause: FORBIDDEN }],
		])("keeps n8n's words if %s", (_, error) => {
			const reason = 'Blocked. The address is internal.';
			const code = NOT_SENT_CODE;
			expect(parseThrownError(error, NOW)).toEqual({ kind: 'network', code, reason });
		});

		it.each([
			['another level', { ...FORBIDDEN, level: 'error' }],
			['a code', { ...FORBIDDEN, code: 'ECONNRESET' }],
			['no words', { ...FORBIDDEN, description: '' }],
		])('may have been sent if it has %s', (_, error) => {
			expect(parseThrownError(error, NOW)).not.toHaveProperty('reason');
		});

		it('keeps the code of the connection, if it has one', () => {
			const broke = { kind: 'network', code: 'ECONNRESET' };
			expect(parseThrownError({ cause: { code: 'ECONNRESET' } }, NOW)).toEqual(broke);
			expect(parseThrownError({ code: 'ECONNRESET', cause: null }, NOW)).toEqual(broke);
			expect(parseThrownError({ cause: { code: 7 } }, NOW)).toEqual({ ...broke, code: 'UNKNOWN' });
		});

		it('sent nothing if each of several addresses refused to connect', () => {
			const connect = { code: 'ENETUNREACH', syscall: 'connect' };
			const read = { code: 'ENETUNREACH', syscall: 'read' };
			const error = (errors: object[]) => ({ cause: { code: 'ENETUNREACH', errors } });
			expect(parseThrownError(error([connect, connect]), NOW)).toHaveProperty('isUnsent', true);
			expect(parseThrownError(error([connect, read]), NOW)).toHaveProperty('isUnsent', undefined);
			expect(parseThrownError(error([]), NOW)).toHaveProperty('isUnsent', undefined);
		});
	});
});

const body = { message: 'No such subscriber' };

describe('an error that n8n has stripped of its cause', () => {
	it.each([
		[
			'a refusal',
			{ httpCode: '422', context: { data: body } },
			{ kind: 'status', status: 422, body },
		],
		[
			'a refusal with a text, which may come from another site',
			{ httpCode: '422', context: { data: 'text' } },
			{ kind: 'notJson', status: 422, truncated: false },
		],
		[
			'a refusal without a body',
			{ httpCode: '404', context: { data: null } },
			{ kind: 'notJson', status: 404, truncated: false },
		],
		[
			'a refusal without a context',
			{ httpCode: '500' },
			{ kind: 'notJson', status: 500, truncated: false },
		],
		[
			'a success that broke off',
			{ httpCode: '200', context: { data: body } },
			{ kind: 'notJson', status: 200, truncated: true },
		],
		[
			'the last success',
			{ httpCode: '299', context: { data: body } },
			{ kind: 'notJson', status: 299, truncated: true },
		],
		[
			'the first status that is none',
			{ httpCode: '300', context: { data: body } },
			{ kind: 'status', status: 300, body },
		],
		[
			'a refusal that broke off',
			{ httpCode: '422', context: { data: body }, messages: ['stream has been aborted'] },
			{ kind: 'notJson', status: 422, truncated: true },
		],
		[
			'a name that only holds "aborted"',
			{ httpCode: '422', context: { data: body }, message: 'not_aborted, aborted_not' },
			{ kind: 'status', status: 422, body },
		],
		['a lost connection', { httpCode: 'ECONNRESET' }, { kind: 'network', code: 'ECONNRESET' }],
		['nothing', {}, { kind: 'network', code: 'UNKNOWN' }],
	])('still shows %s', (_, error, failure) => {
		expect(parseThrownError(error, 0)).toEqual(failure);
	});

	it('has an answer only if its code is a status', () => {
		expect(answerWithoutCause({ httpCode: '199' })).toBeUndefined();
		expect(answerWithoutCause({ httpCode: 'ECONNRESET' })).toBeUndefined();
		expect(answerWithoutCause({ httpCode: '200' })).toEqual({ status: 200, isCutOff: true });
	});

	it('is not read if it has a cause, which says more', () => {
		const error = { httpCode: '404', context: { data: body }, cause: {} };
		expect(answerWithoutCause(error)).toBeUndefined();
		expect(parseThrownError({ ...error, cause: { response: { status: 500 } } }, 0)).toEqual({
			kind: 'status',
			status: 500,
		});
	});
});

describe('the code of such an error', () => {
	it.each([
		['of Node', { httpCode: 'ECONNRESET', message: 'ETIMEDOUT' }, 'ECONNRESET'],
		['of the HTTP client', { httpCode: 'ERR_CANCELED' }, 'ERR_CANCELED'],
		['of a certificate', { httpCode: 'CERT_HAS_EXPIRED' }, 'CERT_HAS_EXPIRED'],
		['in the message', { message: 'connect ECONNREFUSED 127.0.0.1:1' }, 'ECONNREFUSED'],
		['in one of the messages', { messages: ['x', 'read ECONNRESET'] }, 'ECONNRESET'],
		['beside a status', { httpCode: '404', message: 'EPIPE' }, 'EPIPE'],
		['not a sentence', { httpCode: 'Not A_CODE', message: 'EPIPE' }, 'EPIPE'],
		['not a code with more behind it', { httpCode: 'ECONNRESET!', message: 'EPIPE' }, 'EPIPE'],
		['not a list', { httpCode: ['ECONNRESET'], message: 'EPIPE' }, 'EPIPE'],
		['not a short word', { message: 'EASY, the END' }, 'UNKNOWN'],
		['not the end of a word', { message: 'xECONNRESET' }, 'UNKNOWN'],
		['unknown without texts', undefined, 'UNKNOWN'],
	])('is %s: %j', (_, error, code) => {
		expect(codeWithoutCause(error)).toBe(code);
	});

	it('is looked for in texts that stay separate', () => {
		expect(textsOf({ messages: ['a', 'b'], message: 'c' })).toBe('a\nb\nc');
	});
});

/** An error in the form of n8n's request helper. */
function thrown(inner: object): object {
	return { name: 'NodeApiError', cause: { name: 'AxiosError', ...inner } };
}

/** What is known about a delete after such an error. */
function afterDelete(error: object) {
	const state = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };
	const decision = decide(parseThrownError(thrown(error), 0), request('DELETE'), state);
	expect(decision.action).toBe('repeat');
	return decision;
}

describe('a connection that was never made', () => {
	it.each(['ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT'])('with %s sent nothing', (code) => {
		const one = { code, syscall: 'connect' };
		const several = { code, errors: [one, { code: 'ENETUNREACH', syscall: 'connect' }] };
		for (const error of [one, several, { code, cause: one }, { code, cause: several }]) {
			expect(afterDelete(error).maybeProcessed).toBe(false);
		}
	});

	it('is not one that broke, since Supercast may have read everything', () => {
		for (const code of ['ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH']) {
			expect(afterDelete({ code, syscall: 'read' }).maybeProcessed).toBe(true);
			expect(afterDelete({ code }).maybeProcessed).toBe(true);
		}
	});

	it('has the words that Node uses', async () => {
		const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
			connect({ host: '127.0.0.1', port: 1 }).once('error', resolve);
		});
		expect(error.syscall).toBe('connect');
	});
});

describe('Retry-After', () => {
	const NOW = Date.UTC(2026, 10, 21, 9, 0, 0);

	it('can be seconds or a date', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 100_000 }), (seconds) => {
				const date = new Date(NOW + seconds * 1000).toUTCString();
				expect(readRetryAfter(String(seconds), NOW)).toBe(seconds * 1000);
				expect(readRetryAfter(` ${date} `, NOW)).toBe(seconds * 1000);
			}),
		);
	});

	it.each([
		['spaces around the seconds', ' 7 ', 7_000],
		['a fraction of a second', '1.25', 1_250],
		['a date without the day of the week', '21 Nov 2026 09:00:30 GMT', 30_000],
		['a date with a numeric time zone', 'Sat, 21 Nov 2026 11:00:30 +0200', 30_000],
	])('can have %s', (_, header, ms) => {
		expect(readRetryAfter(header, NOW)).toBe(ms);
	});

	it.each([
		['absent', undefined],
		['empty', ''],
		['zero', '0'],
		['negative', '-5'],
		['a date in the past', new Date(NOW - 5000).toUTCString()],
		['the present moment', new Date(NOW).toUTCString()],
		['no date at all', 'soon'],
		['a date in digits, which HTTP does not have', '2030-01-01'],
		['a number too large to be one', '9'.repeat(400)],
		['several values', ['1', '2']],
	])('says nothing when it is %s', (_, header) => {
		expect(readRetryAfter(header, NOW)).toBeUndefined();
	});

	it('is never negative, infinite or not a number, whatever its content', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.anything()), (header) => {
				const ms = readRetryAfter(header, NOW);
				if (ms === undefined) return;
				expect(ms).toBeGreaterThan(0);
				expect(ms).toBeLessThan(Infinity);
			}),
		);
	});
});
