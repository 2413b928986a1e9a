import type { IDataObject } from 'n8n-workflow';

/** What a request is about, for error messages. */
export interface Subject {
	/** The text after "the", such as `subscriber "ann@example.com"` or `list of subscribers`. */
	text: string;
	/** Whether the path names one record, so that a 404 means that this record is missing. */
	isRecord: boolean;
	/** What the request does, such as `suspending`. By default, the method determines it. */
	verb?: string;
	/** What else the user can do if the record does not exist. */
	remedyIfMissing?: string;
}

/** One API request, relative to the credential's base URL. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** The unencoded path segments, such as `['subscribers', 'ann@example.com']`. */
	path: readonly string[];
	query?: IDataObject;
	body?: IDataObject;
	subject: Subject;
	/**
	 * The name under which the record can be found once this request has created or renamed it.
	 * Without it, the node does not retry a create request whose response was lost.
	 */
	newName?: string;
	/** Runs before each retry. If it throws, the node does not retry, and throws the same error. */
	beforeRetry?: () => Promise<void>;
	/** For a read request: whether the record exists, so that a 404 may be temporary. */
	mayBeHidden?: boolean;
	/**
	 * What a successful response contains: the `record` that the path names, a `list` of records,
	 * or after a `change` (the default) the record or nothing, as these are not documented.
	 */
	expects?: 'change' | 'list' | 'record';
}

/** A response from Supercast whose body is JSON, or empty. */
export interface ApiResponse {
	status: number;
	/** The header names are in lower case. */
	headers: Record<string, unknown>;
	/** Parsed JSON. Undefined if the response has no body. */
	body: unknown;
	/** Whether a look-up found the body after the response was lost. It may be someone else's. */
	wasLookedUp?: boolean;
}

/**
 * Why an OAuth2 request has no usable token. The owner may have `revoked` the connection, or a refresh
 * token was used twice. n8n may have none (`missing`), without saying why. A later request may succeed
 * if Supercast was `unavailable`. `rejected`: the API refuses the new token too.
 */
export type TokenProblem =
	| 'missing'
	| 'notConnected'
	| 'redirected'
	| 'refused'
	| 'rejected'
	| 'revoked'
	| 'unavailable'
	| 'wrongAddress'
	| 'wrongApplication'
	| 'wrongScope';

/** A failure for lack of a usable token. The API has processed nothing. */
export interface TokenFailure {
	kind: 'token';
	problem: TokenProblem;
	/** A code that helps to find the cause. */
	detail?: string;
}

/** The code of a network error that has none. */
export const UNKNOWN_CODE = 'UNKNOWN';

/** Why a request failed, as far as the network error or the response shows. */
export type Failure =
	/** The response has a status of 300 or above. */
	| { kind: 'status'; status: number; body: unknown; location?: string; retryAfterMs?: number }
	/** `isUnsent`: no connection was established. */
	| { kind: 'network'; code: string; isUnsent?: boolean }
	/** Text instead of JSON: JSON that was cut off (`truncated`), or a page from another website. */
	| { kind: 'notJson'; status: number; truncated: boolean }
	/** JSON with the wrong structure. `came` describes it without its values. */
	| { kind: 'unexpected'; status: number; came: string }
	| TokenFailure
	/** The response to a create request was lost, and the record that was found has other values. */
	| { kind: 'existedBefore' };

/** The result of one attempt. */
export type Attempt = { response: ApiResponse } | { failure: Failure };
