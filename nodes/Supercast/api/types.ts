import type { IDataObject } from 'n8n-workflow';

import type { TokenProblem } from './errors/messages';

/** What a request is about, for error messages. */
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

/** One API request. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** The unencoded segments after the base URL, such as `['subscribers', 'ann@example.com']`. */
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

/** A response whose body is JSON, or empty. */
export interface ApiResponse {
	status: number;
	/** The header names are in lower case. */
	headers: Record<string, unknown>;
	/** Undefined if the response has none. */
	body: unknown;
	/** Whether a look-up found the body after the response was lost. It may be someone else's. */
	wasLookedUp?: boolean;
}

/** A failure for lack of a usable token. The API has processed nothing. */
export interface TokenFailure {
	kind: 'token';
	problem: TokenProblem;
	/** A code that helps to find the cause. */
	detail?: string;
}

/** The code for a network error without a code. */
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
