import { NOT_SENT_CODE, UNKNOWN_CODE, type ApiRequest, type Failure } from '../types';

/**
 * `queueAgain`: retry in the next slot. `repeat`: retry after a wait. `confirm`: find out whether
 * Supercast processed the request, and retry it if not.
 */
export type Action = 'confirm' | 'fail' | 'queueAgain' | 'repeat';

export interface RequestState {
	/** Whether Supercast may have processed an attempt, although no response confirms it. */
	maybeProcessed: boolean;
	/** How many responses did not come from the API. */
	foreignResponses: number;
	/** Whether a 404 may be temporary. */
	mayBeHidden: boolean;
}

/** If the Base URL points to another website, users should see that error within four seconds. */
export const MOST_FOREIGN_RESPONSES = 3;

// The connection was refused, the name server did not respond, or a CDN could not reach Supercast.
// With ENOTFOUND, the address is mistyped.
const NOT_SENT = new Set<number | string>(['ECONNREFUSED', 'EAI_AGAIN', 521, 523]);

// The request is wrong, or its server is not Supercast. After any other code, the outcome is unknown.
// The certificate errors are those of Node and OpenSSL.
const FINAL =
	/^(ENOTFOUND|ERR_CANCELED|ERR_INVALID_.*|ERR_UNESCAPED_CHARACTERS|ERR_BAD_REQUEST|ERR_BAD_OPTION.*|ERR_HTTP_INVALID_HEADER_VALUE|ERR_SSL_WRONG_VERSION_NUMBER|ERR_TLS_CERT_.*|.*CERT.*|CRL_.*|UNABLE_TO_.*|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

// A gateway in front of Supercast gave up (408; 520 to 524: a CDN). With 500, Supercast itself could
// not process the request, and would fail again.
const GATEWAY_STATUSES = new Set([408, 502, 503, 504, 520, 522, 524]);

/** What a failure means for its request. Decision 0006 defines the terms. */
type Meaning = 'final' | 'foreign' | 'foreignRefusal' | 'refused' | 'unknown' | 'untouched';

/** Decides by the table in decision 0006. Takes and returns what is known about the request. */
export function decide(
	failure: Failure,
	request: ApiRequest,
	state: RequestState,
): RequestState & { action: Action } {
	const meaning = meaningOf(failure);
	const foreignResponses = state.foreignResponses + (meaning.startsWith('foreign') ? 1 : 0);
	const isLost = meaning === 'foreign' || meaning === 'unknown';
	const after = { ...state, maybeProcessed: state.maybeProcessed || isLost, foreignResponses };
	if (meaning === 'refused') return { action: 'queueAgain', ...after };
	if (meaning === 'untouched') return { action: 'repeat', ...after };
	if (meaning === 'final') return { action: actionOnRefusal(failure, request, state), ...after };
	if (foreignResponses > MOST_FOREIGN_RESPONSES) return { action: 'fail', ...after };
	return { action: meaning === 'foreignRefusal' ? 'repeat' : actionOnLoss(request), ...after };
}

/**
 * Whether Supercast may still be processing a request that failed in this way. No response arrived,
 * or a gateway in front of Supercast sent it. A 409 may mean that an earlier try is in progress.
 */
export function mayStillComplete(failure: Failure): boolean {
	switch (failure.kind) {
		case 'network':
			return true;
		case 'status':
			return failure.status === 409 || GATEWAY_STATUSES.has(failure.status);
		case 'notJson':
			return !failure.truncated;
		default:
			return false;
	}
}

/**
 * What may follow a try of a change that failed. `never`: it was not made. `hidden`: it has ended,
 * but reads may not show yet how. `late`: Supercast may still make it.
 */
export function mayFollow(failure: Failure): 'hidden' | 'late' | 'never' {
	const meaning = meaningOf(failure);
	if (['foreignRefusal', 'refused', 'untouched'].includes(meaning)) return 'never';
	const isFinal = meaning === 'final';
	if (isFinal && (failure.kind !== 'status' || (failure.status < 500 && failure.status !== 409))) {
		return 'never';
	}
	return mayStillComplete(failure) ? 'late' : 'hidden';
}

/** Whether the same request will probably succeed later, without a change by a person. */
export function isPassing(failure: Failure): boolean {
	const isServerError = failure.kind === 'status' && failure.status >= 500;
	return isServerError || ['refused', 'unknown', 'untouched'].includes(meaningOf(failure));
}

type FailureOf<Kind extends Failure['kind']> = Extract<Failure, { kind: Kind }>;

function meaningOf(failure: Failure): Meaning {
	switch (failure.kind) {
		case 'network':
			return meaningOfCode(failure);
		case 'status':
			return meaningOfStatus(failure);
		case 'notJson':
			return meaningOfPage(failure);
		case 'token':
			return failure.problem === 'unavailable' ? 'untouched' : 'final';
		default:
			return failure.kind === 'unexpected' || failure.kind === 'malformed' ? 'foreign' : 'final';
	}
}

function meaningOfCode({ code, isUnsent }: FailureOf<'network'>): Meaning {
	if (NOT_SENT.has(code)) return 'untouched';
	if (code === NOT_SENT_CODE || FINAL.test(code)) return 'final';
	if (isUnsent === true) return 'untouched';
	// Most errors without a code occur on every try, such as a response that n8n cannot read.
	return code === UNKNOWN_CODE ? 'foreign' : 'unknown';
}

function meaningOfStatus({ status, isBare }: FailureOf<'status'>): Meaning {
	if (status === 429) return 'refused';
	if (isBare === true) return 'foreignRefusal';
	if (NOT_SENT.has(status)) return 'untouched';
	return GATEWAY_STATUSES.has(status) ? 'unknown' : 'final';
}

function meaningOfPage({ status, truncated }: FailureOf<'notJson'>): Meaning {
	// The sender of a client error did not pass the request on to Supercast.
	const isRefusal = status >= 400 && status < 500;
	if (truncated) return isRefusal ? 'untouched' : 'unknown';
	return isRefusal ? 'foreignRefusal' : 'foreign';
}

/** Repeating an update or delete request has no further effect, but repeating a create request does. */
function actionOnLoss({ method, newName }: ApiRequest): Action {
	if (method !== 'POST') return 'repeat';
	return newName === undefined ? 'fail' : 'confirm';
}

/** If Supercast may have processed an earlier attempt, the caller decides what a refusal means. */
function actionOnRefusal(failure: Failure, request: ApiRequest, state: RequestState): Action {
	if (failure.kind !== 'status') return 'fail';
	if (state.mayBeHidden && failure.status === 404) return 'repeat';
	// A server that supports the idempotency key may send 409 while the first attempt is in progress.
	if (!state.maybeProcessed || failure.status !== 409) return 'fail';
	return request.method === 'DELETE' || request.method === 'POST' ? actionOnLoss(request) : 'fail';
}
