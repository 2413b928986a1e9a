/** What a failure says about whether the request was done, and whether to repeat it. Pure. */

import type { Failure } from '../errors/errors';
import type { ApiRequest } from '../types';

/**
 * What a failure leaves behind. `refused`: over the limit, and not processed (specification, section
 * 8). `untouched`: it did not reach the service. `unknown`: it may have been processed, or not.
 * `final`: the service's word on it, or something that stays wrong however often it is tried.
 */
export type Verdict = 'refused' | 'untouched' | 'unknown' | 'final';

// Nothing was sent: the connection was refused, or the name server did not answer. ENOTFOUND is not
// among them: it says that there is no such name, which is a mistyped address.
const BEFORE_SENDING = new Set(['ECONNREFUSED', 'EAI_AGAIN']);

const WHILE_SENDING = new Set([
	'ECONNRESET',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EPIPE',
	'EHOSTUNREACH',
	'ENETDOWN',
	'ENETUNREACH',
	// What the HTTP client of older n8n makes of an answer that breaks off.
	'ERR_BAD_RESPONSE',
]);

// A gateway in front of the service gave up. 500 is not among them: it is the service's own failure
// at this very request, which the next try would meet again.
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Judges a failure. */
export function judge(failure: Failure): Verdict {
	switch (failure.kind) {
		case 'network':
			if (BEFORE_SENDING.has(failure.code)) return 'untouched';
			if (!WHILE_SENDING.has(failure.code)) return 'final';
			return failure.isUnsent === true ? 'untouched' : 'unknown';
		case 'status':
			if (failure.status === 429) return 'refused';
			return GATEWAY_STATUSES.has(failure.status) ? 'unknown' : 'final';
		case 'notJson':
			return failure.truncated ? 'unknown' : 'final';
		case 'token':
			return failure.problem === 'unavailable' ? 'untouched' : 'final';
		case 'unexpected':
		case 'existedBefore':
			return 'final';
	}
}

/**
 * Whether a request may be sent again although the service may have processed it already: doing the
 * same change twice is the same as once, but creating twice is not.
 */
export function isRepeatable(request: ApiRequest): boolean {
	return request.method !== 'POST' || request.findCreated !== undefined;
}

/** Whether a record that is missing means that the earlier attempt has done its work. */
export function isGoneWhenDone(request: ApiRequest): boolean {
	return request.goneWhenDone ?? request.method === 'DELETE';
}
