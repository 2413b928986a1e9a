import { accessTokenOf } from '../../../../nodes/Supercast/api/auth/accessToken';
import { parseTokenError } from '../../../../nodes/Supercast/api/auth/tokenEndpoint';
import { parseThrownError } from '../../../../nodes/Supercast/api/http/parseErrorResponse';

describe('an access token', () => {
	it.each([
		'a-token',
		' a-token\n',
		'Bearer a-token',
		' bearer  a-token ',
		'authorization:Bearer\ta-token',
		'Authorization:  Bearer a-token',
	])('an access token is recognized as it was pasted: %j', (typed) => {
		expect(accessTokenOf(typed)).toBe('a-token');
	});

	it.each(['bearer', 'a-bearer token', 'x-authorization: bearer a'])(
		'a token that only looks like a header stays as it is: %j',
		(typed) => {
			expect(accessTokenOf(typed)).toBe(typed);
		},
	);

	it('a missing token is empty', () => {
		expect(accessTokenOf(undefined)).toBe('');
	});
});

const TOKEN_URL = 'https://supercast.tech/oauth/token';
const API_URL = 'https://supercast.tech/api/v1/channel';

function thrown(cause: object | undefined, more: object = {}): Error {
	return Object.assign(new Error('by n8n'), { cause, ...more });
}

describe('an error of n8n that has lost its cause', () => {
	const refused = thrown(undefined, { httpCode: '422', context: { data: { message: 'no' } } });

	it("is the API's response if it kept a body", () => {
		expect(parseTokenError(refused, TOKEN_URL, false)).toBeUndefined();
		expect(parseThrownError(refused, 0)).toEqual({
			kind: 'status',
			status: 422,
			body: { message: 'no' },
		});
	});

	it('is no token failure when the execution was stopped', () => {
		const error = thrown(undefined, { httpCode: 'ERR_CANCELED' });
		expect(parseTokenError(error, TOKEN_URL, false)).toBeUndefined();
		expect(parseThrownError(error, 0)).toEqual({ kind: 'network', code: 'ERR_CANCELED' });
	});

	it('is no token failure when n8n did not send a request', () => {
		const error = thrown(undefined, { level: 'info', description: 'The address is internal.' });
		expect(parseTokenError(error, TOKEN_URL, false)).toBeUndefined();
	});

	it.each([
		['a refresh token that is spent', 'The provided authorization grant (e.g.', 'revoked'],
		['a wrong client secret', 'Client authentication failed (e.g.', 'wrongApplication'],
		['an unknown grant', 'The authorization grant type is not supported by', 'wrongApplication'],
		['a wrong scope', 'The requested scope is invalid, unknown, or malformed.', 'wrongScope'],
		['anything else', 'The words of the service, with a secret', 'refused'],
	])("recognizes a refusal for %s by n8n's words", (_, text, problem) => {
		const bare = thrown(undefined, { httpCode: 'EAUTH', messages: [text] });
		expect(parseTokenError(bare, TOKEN_URL, false)).toMatchObject({ kind: 'token', problem });
		if (problem === 'refused') return;
		const messages = [`Failed to acquire OAuth2 access token: ${text}`];
		const wrapped = thrown(undefined, { httpCode: null, messages });
		expect(parseTokenError(wrapped, TOKEN_URL, false)).toEqual({ kind: 'token', problem });
	});

	it.each([
		['HTTP status 404', '404', { problem: 'wrongAddress', detail: 'status 404' }],
		['Unsupported content type: text/html', '400', { problem: 'wrongAddress' }],
		[
			'Request failed with status code 503',
			'503',
			{ problem: 'unavailable', detail: 'status 503' },
		],
		['stream has been aborted', '200', { problem: 'unavailable', detail: 'status 200' }],
		['read ECONNRESET', 'ECONNRESET', { problem: 'unavailable', detail: 'ECONNRESET' }],
		['getaddrinfo ENOTFOUND x', 'ENOTFOUND', { problem: 'wrongAddress', detail: 'ENOTFOUND' }],
		['Invalid URL', 'ERR_INVALID_URL', { problem: 'wrongAddress', detail: 'ERR_INVALID_URL' }],
		[
			'The authorization server is currently unable to handle the request',
			'EAUTH',
			{ problem: 'unavailable', detail: 'temporarily_unavailable' },
		],
		['Unable to sign without access token', null, { problem: 'missing' }],
		['No refresh token', 'ERR_ASSERTION', { problem: 'missing' }],
	])(
		'is the token endpoint’s "%s" unless a request with a token went out',
		(text, httpCode, expected) => {
			const error = thrown(undefined, { httpCode, messages: [text], context: {} });
			expect(parseTokenError(error, TOKEN_URL, false)).toEqual({ kind: 'token', ...expected });
			expect(parseTokenError(error, TOKEN_URL, true)).toBeUndefined();
		},
	);
});

describe('an error of a request', () => {
	it.each([
		['for a token', TOKEN_URL, { kind: 'token', problem: 'unavailable', detail: 'ECONNRESET' }],
		['to the API', API_URL, undefined],
	])('%s is recognized by its address', (_, url, failure) => {
		const error = thrown({ code: 'ECONNRESET', config: { url } });
		expect(parseTokenError(error, TOKEN_URL, false)).toEqual(failure);
	});

	// n8n's OAuth2 client throws a response itself only with a status from 500, or if it was cut off.
	it.each([200, 302, 400, 401, 404, 499, 500, 503])(
		'of a token endpoint that is thrown with the response may pass, such as status %d',
		(status) => {
			const axios = {
				code: 'ERR_BAD_RESPONSE',
				config: { url: `${TOKEN_URL}?a=1` },
				response: { status },
			};
			const failure = { kind: 'token', problem: 'unavailable', detail: `status ${status}` };
			expect(parseTokenError(thrown(axios), `${TOKEN_URL}?b=2`, true)).toEqual(failure);
		},
	);

	it('of n8n 1.85 says that there is no token to send', () => {
		const error = thrown({ code: 'ERR_ASSERTION' }, { httpCode: 'ERR_ASSERTION' });
		const failure = { kind: 'token', problem: 'missing' };
		expect(parseTokenError(error, TOKEN_URL, false)).toEqual(failure);
	});

	it('of a token endpoint yields its code, and nothing else that it says', () => {
		const body = { error: 'access_denied', error_description: 'with a secret' };
		const failure = parseTokenError(thrown({ code: 'EAUTH', body }), TOKEN_URL, false);
		expect(failure).toEqual({ kind: 'token', problem: 'refused', detail: 'access_denied' });
		const odd = { error: 'secret: Abc123' };
		expect(parseTokenError(thrown({ code: 'EAUTH', body: odd }), TOKEN_URL, false)).toEqual({
			kind: 'token',
			problem: 'refused',
			detail: 'unknown',
		});
	});

	it.each([
		['invalid_grant', 'revoked'],
		['invalid_client', 'wrongApplication'],
		['unauthorized_client', 'wrongApplication'],
		['unsupported_grant_type', 'wrongApplication'],
		['invalid_scope', 'wrongScope'],
		['temporarily_unavailable', 'unavailable'],
		['server_error', 'unavailable'],
		['slow_down', 'unavailable'],
		['too_many_requests', 'unavailable'],
		['rate_limit', 'unavailable'],
		['rate_limited', 'unavailable'],
		['rate_limit_exceeded', 'unavailable'],
		['access_denied', 'refused'],
	])('of a token endpoint with the code %s means %s', (code, problem) => {
		const failure = parseTokenError(
			thrown({ code: 'EAUTH', body: { error: code } }),
			TOKEN_URL,
			true,
		);
		const detail = ['unavailable', 'refused'].includes(problem) ? code : undefined;
		expect(failure).toEqual({ kind: 'token', problem, detail });
	});

	it.each([['A secret'], [['access_denied']], [undefined], ['a'.repeat(41)], ['Xa']])(
		'does not show the unusual code %j',
		(code) => {
			const body = { error: code };
			expect(parseTokenError(thrown({ code: 'EAUTH', body }), TOKEN_URL, true)).toMatchObject({
				problem: 'refused',
				detail: 'unknown',
			});
		},
	);

	it.each([
		[404, 'wrongAddress'],
		[407, 'wrongAddress'],
		[408, 'unavailable'],
		[429, 'unavailable'],
		[499, 'wrongAddress'],
		[500, 'unavailable'],
		[503, 'unavailable'],
	])('of a token endpoint with the status %d means %s', (status, problem) => {
		const failure = { kind: 'token', problem, detail: `status ${status}` };
		expect(parseTokenError(thrown({ code: 'ESTATUS', status }), TOKEN_URL, true)).toEqual(failure);
	});

	it('means a revoked connection if n8n calls the credential invalid, at any depth', () => {
		const outer = thrown({ failure: { cause: 'credential-invalid' } });
		expect(parseTokenError(outer, TOKEN_URL, true)).toEqual({ kind: 'token', problem: 'revoked' });
		const other = thrown({ failure: { cause: 'rate-limited' } });
		expect(parseTokenError(other, TOKEN_URL, true)).toBeUndefined();
	});

	it.each([[{ code: 'ECONNRESET' }], [{ response: { status: 422 } }]])(
		'is one of the API if its cause is %j, without an address',
		(cause) => {
			expect(parseTokenError(thrown(cause), TOKEN_URL, false)).toBeUndefined();
		},
	);
});
