import {
	decide,
	mayStillComplete,
	MOST_FOREIGN_RESPONSES,
	type Action,
	type RequestState,
} from '../../../../nodes/Supercast/api/retry/retryPolicy';
import type { ApiRequest, Failure } from '../../../../nodes/Supercast/api/types';
import { request } from '../../../doubles/retriedSupercast';

const FRESH: RequestState = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };
const LOST: RequestState = { ...FRESH, maybeProcessed: true };

const get = request('GET');
const patch = request('PATCH');
const remove = request('DELETE');
const create = request('POST');
const blindCreate: ApiRequest = { ...create, newName: undefined };
const rename: ApiRequest = { ...patch, newName: 'anna' };
const all = [get, patch, remove, create, blindCreate, rename];

const status = (code: number): Failure => ({ kind: 'status', status: code, body: {} });
const network = (code: string): Failure => ({ kind: 'network', code });
const page = { kind: 'notJson', status: 200, truncated: false } as const;
const malformed: Failure = { kind: 'malformed', status: 200 };
const cutOff: Failure = { kind: 'notJson', status: 200, truncated: true };
const odd: Failure = { kind: 'unexpected', status: 200, came: 'a list' };

function actions(failure: Failure, state: RequestState): Action[] {
	return all.map((one) => decide(failure, one, state).action);
}

describe('the table of decision 0006', () => {
	it('queues requests again that the rate limit refused, and learns nothing else about them', () => {
		for (const state of [FRESH, LOST]) {
			for (const one of all) {
				expect(decide(status(429), one, state)).toEqual({ action: 'queueAgain', ...state });
			}
		}
	});

	it.each([
		['the connection was refused', network('ECONNREFUSED')],
		['the name server is silent', network('EAI_AGAIN')],
		['no connection came about', { kind: 'network', code: 'EHOSTUNREACH', isUnsent: true }],
		['there is no token for the moment', { kind: 'token', problem: 'unavailable' }],
		['a CDN could not connect to Supercast', status(521)],
		['a CDN did not reach Supercast', status(523)],
	] as Array<[string, Failure]>)('retries everything if %s', (_, failure) => {
		for (const state of [FRESH, LOST]) {
			for (const one of all) {
				expect(decide(failure, one, state)).toEqual({ action: 'repeat', ...state });
			}
		}
	});

	it.each([
		...['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH'].map(network),
		...['ENETDOWN', 'ENETUNREACH', 'ERR_BAD_RESPONSE'].map(network),
		...['EPROTO', 'EMFILE', 'EADDRNOTAVAIL', 'ENETRESET', 'SOMETHING_NEW'].map(network),
		...['NEW_ENOTFOUND', 'ENOTFOUND_NEW'].map(network),
		...['ERR_STREAM_PREMATURE_CLOSE', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'].map(network),
		...['HPE_INVALID_CHUNK_SIZE', 'HPE_UNEXPECTED_CONTENT_LENGTH', 'HPE_HEADER_OVERFLOW'].map(
			network,
		),
		...[408, 502, 503, 504, 520, 522, 524].map(status),
		cutOff,
	])('retries requests that are safe to repeat, and looks up the others: %j', (failure) => {
		expect(actions(failure, FRESH)).toEqual([
			'repeat',
			'repeat',
			'repeat',
			'confirm',
			'fail',
			'repeat',
		]);
		for (const one of all) expect(decide(failure, one, FRESH)).toMatchObject(LOST);
	});

	it.each([page, { ...page, status: 500 }, malformed, odd, network('UNKNOWN')])(
		'does so three times for a response that is not the API’s: %j',
		(failure) => {
			let state = FRESH;
			for (let answers = 1; answers <= MOST_FOREIGN_RESPONSES; answers++) {
				const { action, ...after } = decide(failure, create, state);
				expect({ action, ...after }).toEqual({
					...LOST,
					action: 'confirm',
					foreignResponses: answers,
				});
				expect(decide(failure, get, state).action).toBe('repeat');
				expect(decide(failure, blindCreate, state).action).toBe('fail');
				state = after;
			}
			expect(new Set(actions(failure, state))).toEqual(new Set(['fail']));
		},
	);

	it.each<Failure>([
		...[400, 403, 404, 413, 422].map((code) => ({ ...page, status: code })),
		{ kind: 'status', status: 404, body: '', isBare: true },
	])(
		'retries everything three times after a refusal that is not Supercast’s, so it processed nothing: %j',
		(refused) => {
			for (const one of all) {
				for (const state of [FRESH, LOST]) {
					const after = { ...state, foreignResponses: 1 };
					expect(decide(refused, one, state)).toEqual({ action: 'repeat', ...after });
				}
				const most = { ...FRESH, foreignResponses: MOST_FOREIGN_RESPONSES };
				expect(decide(refused, one, most)).toMatchObject({ action: 'fail', maybeProcessed: false });
			}
		},
	);

	it('does not count a refusal as processed because it was cut off', () => {
		const refused: Failure = { kind: 'notJson', status: 404, truncated: true };
		for (const one of all) {
			expect(decide(refused, one, FRESH)).toEqual({ action: 'repeat', ...FRESH });
		}
	});

	it('counts such responses, and no others', () => {
		for (const failure of [status(503), status(429), status(422), cutOff, network('ECONNRESET')]) {
			expect(decide(failure, get, { ...FRESH, foreignResponses: 2 }).foreignResponses).toBe(2);
		}
	});

	it.each<Failure>([
		...[301, 400, 401, 402, 403, 404, 409, 413, 422, 500, 501, 505, 519, 525].map(status),
		...['NOT_SENT_BY_N8N', 'ENOTFOUND', 'ERR_CANCELED', 'ERR_INVALID_URL', 'ERR_INVALID_CHAR'].map(
			network,
		),
		...['ERR_BAD_REQUEST', 'ERR_UNESCAPED_CHARACTERS', 'ERR_SSL_WRONG_VERSION_NUMBER'].map(network),
		...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'INVALID_CA'].map(network),
		...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(network),
		...['ERR_BAD_OPTION_VALUE', 'CRL_HAS_EXPIRED'].map(network),
		{ kind: 'token', problem: 'revoked' },
		{ kind: 'existedBefore' },
	])('does not retry a final refusal: %j', (failure) => {
		expect(new Set(actions(failure, FRESH))).toEqual(new Set(['fail']));
		for (const one of all) expect(decide(failure, one, FRESH).maybeProcessed).toBe(false);
	});

	it('explains a refusal by an earlier attempt that may have been processed', () => {
		const fail = 'fail';
		//                                       get   patch remove    create     blind rename
		expect(actions(status(409), LOST)).toEqual([fail, fail, 'repeat', 'confirm', fail, fail]);
		for (const code of [400, 401, 403, 404, 422, 500]) {
			expect(new Set(actions(status(code), LOST))).toEqual(new Set([fail]));
		}
		expect(new Set(actions(network('ENOTFOUND'), LOST))).toEqual(new Set([fail]));
	});

	it('waits only for a record that may still appear', () => {
		const state = { ...FRESH, mayBeHidden: true };
		expect(decide(status(404), get, state)).toEqual({ action: 'repeat', ...state });
		expect(decide(status(403), get, state).action).toBe('fail');
		expect(decide({ ...page, status: 404 }, get, { ...state, foreignResponses: 3 }).action).toBe(
			'fail',
		);
	});
});

describe('a create request whose response is lost', () => {
	it.each([
		...['ECONNABORTED', 'ETIMEDOUT', 'ECONNRESET'].map(network),
		...[409, 502, 503, 504, 520, 522, 524].map(status),
		page,
	])('may still complete after %j', (failure) => {
		expect(mayStillComplete(failure)).toBe(true);
	});

	it.each([
		status(500),
		status(523),
		cutOff,
		{ kind: 'unexpected', status: 200, came: 'x' } as const,
	])('has ended with %j', (failure) => {
		expect(mayStillComplete(failure)).toBe(false);
	});
});
