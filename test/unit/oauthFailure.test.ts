import { readFailure } from '../../nodes/Supercast/transport/failure';
import { readTokenFailure } from '../../nodes/Supercast/transport/tokenFailure';

const TOKEN_URL = 'https://supercast.tech/oauth/token';
const API_URL = 'https://supercast.tech/api/v1/channel';

function thrown(cause: object | undefined, more: object = {}): Error {
	return Object.assign(new Error('by n8n'), { cause, ...more });
}

describe('an error of n8n that has lost its cause', () => {
	const refused = thrown(undefined, { httpCode: '422', context: { data: { message: 'no' } } });

	it('is the answer of the API where it kept a body', () => {
		expect(readTokenFailure(refused, TOKEN_URL)).toBeUndefined();
		expect(readFailure(refused, 0)).toEqual({
			kind: 'status',
			status: 422,
			body: { message: 'no' },
		});
	});

	it('is not the answer of the API where it kept none', () => {
		const error = thrown(undefined, { httpCode: '404', context: {} });
		expect(readTokenFailure(error, TOKEN_URL)).toEqual({ kind: 'token', problem: 'missing' });
	});

	it('keeps the network error among its messages', () => {
		const error = thrown(undefined, { messages: ['connect ECONNREFUSED 127.0.0.1:9'] });
		expect(readFailure(error, 0)).toEqual({ kind: 'network', code: 'ECONNREFUSED' });
	});
});

describe('an error of a request', () => {
	it.each([
		['for a token', TOKEN_URL, { kind: 'token', problem: 'unavailable', detail: 'ECONNRESET' }],
		['to the API', API_URL, undefined],
	])('%s is told from others by its address', (_, url, failure) => {
		const error = thrown({ code: 'ECONNRESET', config: { url } });
		expect(readTokenFailure(error, TOKEN_URL)).toEqual(failure);
	});

	it('of a token endpoint takes over its code, and nothing else that it says', () => {
		const body = { error: 'access_denied', error_description: 'with a secret' };
		const failure = readTokenFailure(thrown({ code: 'EAUTH', body }), TOKEN_URL);
		expect(failure).toEqual({ kind: 'token', problem: 'refused', detail: 'access_denied' });
		const odd = { error: 'secret: Abc123' };
		expect(readTokenFailure(thrown({ code: 'EAUTH', body: odd }), TOKEN_URL)).toEqual({
			kind: 'token',
			problem: 'refused',
			detail: 'unknown',
		});
	});
});
