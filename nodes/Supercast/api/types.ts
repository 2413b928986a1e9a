import type { IDataObject } from 'n8n-workflow';

/** What a request is about, in words for error messages. */
export interface Subject {
	/** Follows "the", such as `subscriber "ann@example.com"`, `list of subscribers`. */
	text: string;
	/** Whether the path names one record, so that a 404 means that this record is missing. */
	isRecord: boolean;
	/** What the request does to it, such as `suspending`. By default, it follows from the method. */
	verb?: string;
	/** What else the user can do when there is no such record. */
	remedyIfMissing?: string;
}

/** One API request, relative to the credential's base URL. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path segments, unencoded: `['subscribers', 'ann@example.com']`. */
	path: readonly string[];
	query?: IDataObject;
	body?: IDataObject;
	subject: Subject;
	/**
	 * For a create: reads the new record. Sent when the response to the create was lost, so it is
	 * retried only if there is no such record. Without this, it is not retried then.
	 */
	findCreated?: ApiRequest;
	/**
	 * For a change of the record's name: reads the record under its new name. Sent when the
	 * response to the change was lost, and the record is no longer found under its old name.
	 */
	findRenamed?: ApiRequest;
	/**
	 * Whether the record cannot be found any more once this is done. Then a retry that gets a 404
	 * has succeeded, and its response has no body. The default is true for DELETE.
	 */
	notFoundMeansDone?: boolean;
	/** For a read: whether the record is known to exist, so a 404 may only be too early. */
	isKnownToExist?: boolean;
	/**
	 * What a successful response holds.
	 *
	 * - `record`: the record that the path names.
	 * - `list`: records.
	 * - `change`, the default: the record, or nothing, since the response to a change is not
	 * documented.
	 */
	expects?: 'change' | 'list' | 'record';
}

/** A response of Supercast whose body is JSON, or empty. */
export interface ApiResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	/** Parsed JSON. Undefined when the response has no body. */
	body: unknown;
	/**
	 * Whether the response to the request was lost, and this is the record that was found
	 * afterwards. Someone else may have created it.
	 */
	wasLookedUp?: boolean;
}

/** Why there is no token to send with an OAuth2 request. */
export type TokenProblem =
	/** Nobody has authorized the application yet. */
	| 'notConnected'
	/** The owner, or a second use of a refresh token, has ended the connection. */
	| 'revoked'
	| 'wrongApplication'
	| 'wrongScope'
	| 'wrongAddress'
	/** The token endpoint redirects to a place that must not receive the client secret. */
	| 'redirected'
	| 'refused'
	/** n8n has no token and does not say why. */
	| 'missing'
	/** Supercast could not be reached. It may work later. */
	| 'unavailable'
	/** The API refuses the new token too. */
	| 'rejected';

/** The API got no request, or answered 401. Nothing was processed. */
export interface TokenFailure {
	kind: 'token';
	problem: TokenProblem;
	/** A code, for whoever investigates it. */
	detail?: string;
}

/** Why a request failed, as far as the network and the response show. */
export type Failure =
	/** The API refused. */
	| { kind: 'status'; status: number; body: unknown; location?: string; retryAfterMs?: number }
	/** `isUnsent`: the connection was never made. */
	| { kind: 'network'; code: string; isUnsent?: boolean }
	/** Text instead of JSON: `truncated` JSON, or a page of another site. */
	| { kind: 'notJson'; status: number; truncated: boolean }
	/** JSON of the wrong shape. `came` describes it without its values. */
	| { kind: 'unexpected'; status: number; came: string }
	| TokenFailure
	/** The response to a create was lost, and the record that was found holds other values. */
	| { kind: 'existedBefore' };

/** The result of one attempt. */
export type Attempt = { response: ApiResponse } | { failure: Failure };
