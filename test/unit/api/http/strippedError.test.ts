import { parseThrownError } from '../../../../nodes/Supercast/api/http/parseErrorResponse';
import {
	answerWithoutCause,
	codeWithoutCause,
	textsOf,
} from '../../../../nodes/Supercast/api/http/parseErrorResponse';

const body = { message: 'No such subscriber' };

describe('an error that n8n has stripped of its cause', () => {
	it.each([
		[
			'a refusal',
			{ httpCode: '422', context: { data: body } },
			{ kind: 'status', status: 422, body },
		],
		[
			'a refusal whose body was no object, so it may come from another site',
			{ httpCode: '404', context: { data: '<html>' } },
			{ kind: 'notJson', status: 404, truncated: false },
		],
		[
			'a refusal with a text, which may come from another site',
			{ httpCode: '422', context: { data: 'text' } },
			{ kind: 'notJson', status: 422, truncated: false },
		],
		[
			'a refusal with an empty body',
			{ httpCode: '422', context: { data: null } },
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
