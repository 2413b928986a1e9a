import type { IDataObject } from 'n8n-workflow';

export interface Subject {
	/** The text after "the", such as `subscriber "ann@example.com"` or `list of subscribers`. */
	text: string;
	/** Whether a 404 means that the record in the path is missing. */
	isRecord: boolean;
	/** Such as `suspending`. By default, the method determines it. */
	verb?: string;
	/** What else the user can do if the record does not exist. */
	remedyIfMissing?: string;
}

/** A collection, and what follows it: the name of a record, and an action on it. */
export type Path = readonly [collection: string, ...rest: string[]];

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Unencoded, such as `['subscribers', 'ann@example.com']`. */
	path: Path;
	query?: IDataObject;
	body?: IDataObject;
	subject: Subject;
	/**
	 * The name that finds the record after this request has created or renamed it. Without it, a
	 * create request whose response was lost is not retried.
	 */
	newName?: string;
	/**
	 * Runs before each retry. If it throws, that error ends the request. `mayBeMade`: whether a try
	 * before may have made the change.
	 */
	beforeRetry?: (mayBeMade: boolean) => Promise<void>;
	/** Only for read requests. Whether the record is known to exist, so that a 404 may be temporary. */
	mayBeHidden?: boolean;
	/**
	 * Only for read requests. Whether the response is older than a change that was made. `sentAt` is when
	 * the request was sent, by the clock's `now`. The node
	 * then reads again for a few seconds, because reads may lag behind changes.
	 */
	outdatedIf?: (body: unknown, sentAt: number) => boolean;
	/**
	 * The response to a `change` (the default) is the record or empty. Supercast doesn't document
	 * which.
	 */
	expects?: 'change' | 'list' | 'record';
}

export interface ApiResponse {
	status: number;
	/** The names are in lower case. */
	headers: Record<string, unknown>;
	body: unknown;
	/** When the request was sent, by the clock's `now`. */
	sentAt?: number;
	/** Whether a look-up found the body after a lost response. It may be someone else's record. */
	wasLookedUp?: boolean;
}

/** Why there is no usable token. `errors/messages.ts` has the sentences. */
export type TokenProblem =
	| 'notConnected'
	| 'missing'
	| 'revoked'
	| 'wrongApplication'
	| 'wrongScope'
	| 'wrongAddress'
	| 'redirected'
	| 'notSent'
	| 'refused'
	| 'unavailable'
	| 'notIssued'
	| 'rejected';

/** A failure for lack of a usable token. The API has processed nothing. */
export interface TokenFailure {
	kind: 'token';
	problem: TokenProblem;
	/** A code that helps to find the cause. */
	detail?: string;
	/** Why n8n did not send the request for a token. */
	reason?: string;
}

/** The code for a network error without a code. */
export const UNKNOWN_CODE = 'UNKNOWN';

/** The code if n8n itself did not send the request. */
export const NOT_SENT_CODE = 'NOT_SENT_BY_N8N';

export type Failure =
	/** The response has a status of 300 or above. */
	| {
			kind: 'status';
			status: number;
			body: unknown;
			location?: string;
			retryAfterMs?: number;
			/** A 404 without a JSON object. It may be a gateway's, so it proves nothing. */
			isBare?: boolean;
			/** A 400 or 403 whose response says that the token is not valid, as a 401 does. */
			isTokenRefused?: boolean;
			/** The channel that the credential names, if the status is 403. */
			subdomain?: string;
	  }
	/** `isUnsent`: no connection was established. `reason`: why n8n did not send the request. */
	| { kind: 'network'; code: string; isUnsent?: boolean; reason?: string }
	/**
	 * Text instead of JSON: JSON that was cut off (`truncated`), or a page from another website.
	 * `isBarrier`: a page that keeps programs out.
	 */
	| { kind: 'notJson'; status: number; truncated: boolean; isBarrier?: boolean }
	/** A whole text in JSON's brackets that is not JSON, for example because it contains NaN. */
	| { kind: 'malformed'; status: number }
	/** JSON with the wrong structure. `came` describes it without its values. */
	| { kind: 'unexpected'; status: number; came: string }
	| TokenFailure
	/** The response to a create request was lost, and the record that was found has other values. */
	| { kind: 'existedBefore' };

export type Attempt = { response: ApiResponse } | { failure: Failure };
