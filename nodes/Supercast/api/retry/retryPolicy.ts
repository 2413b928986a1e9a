import type { ApiRequest, Failure } from '../types';

/**
 * What to do about a failure. `queueAgain`: it was refused for the limit; the next slot is the time
 * for a repeat. `repeat`: after a wait. `lookUp`: see whether it was done, and repeat it if not.
 * `lookUpOrFail`: see whether it was done, and fail if not. `done`: an earlier attempt did it.
 */
export type Action = 'done' | 'fail' | 'lookUp' | 'lookUpOrFail' | 'queueAgain' | 'repeat';

/** What is known of a request that was sent before. */
export interface RequestState {
	/** Whether an attempt may have been processed although its answer says nothing of it. */
	maybeProcessed: boolean;
	/** How many answers came that are not the API's. */
	oddAnswers: number;
	/** For a read: whether a record that is not found yet may still become visible. */
	mayAppear: boolean;
}

/** What to do about a failure, and what is known of the request after it. */
export interface Decision extends RequestState {
	action: Action;
}

/**
 * How often an answer that is not the API's is asked for again, such as a web page with status 200 or
 * 404. A gateway may send one for a moment; a Base URL that leads elsewhere sends nothing else, and
 * whoever mistyped it should hear so within four seconds.
 */
export const MOST_ODD_ANSWERS = 3;

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

// A gateway in front of the service gave up (520 to 524: a CDN's). 500 is not among them: it is the
// service's own failure at this very request, which the next try would meet again.
const GATEWAY_STATUSES = new Set([502, 503, 504, 520, 521, 522, 523, 524]);

// Codes and statuses after which the service may still be at work on what was sent.
const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT']);
const TIMEOUT_STATUSES = new Set([504, 522, 524]);

/** What a failure says about its request; the words are those of decision 0006. */
type Outcome = 'final' | 'odd' | 'refused' | 'unknown' | 'untouched';

/**
 * Decides what to do about a failure: the table of decision 0006.
 *
 * @param state What was known of the request before this failure.
 */
export function decide(failure: Failure, request: ApiRequest, state: RequestState): Decision {
	const outcome = outcomeOf(failure);
	const oddAnswers = state.oddAnswers + (outcome === 'odd' ? 1 : 0);
	const isLost = outcome === 'odd' || outcome === 'unknown';
	const after = { ...state, maybeProcessed: state.maybeProcessed || isLost, oddAnswers };
	if (outcome === 'refused') return { action: 'queueAgain', ...after };
	if (outcome === 'untouched') return { action: 'repeat', ...after };
	if (outcome === 'final') return { action: actionOnRefusal(failure, request, state), ...after };
	return { action: oddAnswers > MOST_ODD_ANSWERS ? 'fail' : actionOnLoss(request), ...after };
}

/** Whether the service may still process what was sent: its own or a gateway's patience was over. */
export function isTimeOut(failure: Failure): boolean {
	if (failure.kind === 'network') return TIMEOUT_CODES.has(failure.code);
	return failure.kind === 'status' && TIMEOUT_STATUSES.has(failure.status);
}

function outcomeOf(failure: Failure): Outcome {
	switch (failure.kind) {
		case 'network':
			if (BEFORE_SENDING.has(failure.code)) return 'untouched';
			if (!WHILE_SENDING.has(failure.code)) return 'final';
			return failure.isUnsent === true ? 'untouched' : 'unknown';
		case 'status':
			if (failure.status === 429) return 'refused';
			return GATEWAY_STATUSES.has(failure.status) ? 'unknown' : 'final';
		case 'notJson':
			return failure.truncated ? 'unknown' : 'odd';
		case 'token':
			return failure.problem === 'unavailable' ? 'untouched' : 'final';
		case 'unexpected':
			return 'odd';
		case 'existedBefore':
			return 'final';
	}
}

/** Doing the same change twice is the same as once, but creating twice is not. */
function actionOnLoss({ method, findCreated }: ApiRequest): Action {
	if (method !== 'POST') return 'repeat';
	return findCreated === undefined ? 'fail' : 'lookUp';
}

/** A refusal may be the trace of an earlier attempt that has done what this one was to do. */
function actionOnRefusal(
	failure: Failure,
	request: ApiRequest,
	{ maybeProcessed, mayAppear }: RequestState,
): Action {
	if (failure.kind !== 'status') return 'fail';
	if (mayAppear && failure.status === 404) return 'repeat';
	if (!maybeProcessed) return 'fail';
	const { method, findCreated, findRenamed, notFoundMeansDone = method === 'DELETE' } = request;
	switch (failure.status) {
		case 404:
			if (notFoundMeansDone) return 'done';
			return findRenamed === undefined ? 'fail' : 'lookUpOrFail';
		case 409:
			// A service that honours the key may say so while the first attempt is under way.
			if (method === 'DELETE') return 'repeat';
			return findCreated === undefined ? 'fail' : 'lookUp';
		case 422:
			return findCreated === undefined ? 'fail' : 'lookUpOrFail';
		default:
			return 'fail';
	}
}
