import type { IDataObject } from 'n8n-workflow';

/** What a request is about, in words for error messages. */
export interface Subject {
	/** Reads after "the", such as `subscriber "ann@example.com"`, `list of subscribers`. */
	text: string;
	/** Whether one record is named in the path, so that 404 means that this record is missing. */
	isRecord: boolean;
	/** What is being done to it, such as `suspending`; by default from the method. */
	verb?: string;
	/** What else can be done when there is no such record. */
	remedyIfMissing?: string;
}

/** One call of the service, relative to the credential's base URL. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path segments, unencoded: `['subscribers', 'ann@example.com']`. */
	path: readonly string[];
	query?: IDataObject;
	body?: IDataObject;
	subject: Subject;
	/**
	 * For a create: reads the record that it makes. Sent when the answer to the create was lost, so that
	 * it is repeated only if there is no such record; without it, it is not repeated then.
	 */
	findCreated?: ApiRequest;
	/**
	 * For a change of the name that a record is found by: reads the record under its new name. Sent when
	 * the answer to the change was lost, and the record is no longer found under its old name.
	 */
	findRenamed?: ApiRequest;
	/**
	 * Whether the record cannot be found any more once this is done, so that a repeat that meets 404 has
	 * succeeded; its answer has no body then. By default so for DELETE.
	 */
	notFoundMeansDone?: boolean;
	/** For a read: whether the record is known to exist, so that a 404 may only be early. */
	isKnownToExist?: boolean;
	/**
	 * What a good answer holds. `record`: the record that the path names. `list`: records. By default
	 * `change`: the record, or nothing, since what the service answers a change with is not documented.
	 */
	expects?: 'change' | 'list' | 'record';
}

/** An answer of the service whose body is JSON, or empty. */
export interface ApiResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	/** Parsed JSON; undefined when the answer has no body. */
	body: unknown;
	/**
	 * Whether the answer to the request was lost, and this is the record that was found afterwards.
	 * Somebody else may have made it.
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
	/** The token endpoint leads elsewhere, where the client secret must not go. */
	| 'redirected'
	| 'refused'
	/** n8n has none and does not say why. */
	| 'missing'
	/** The service could not be asked; later it may be. */
	| 'unavailable'
	/** The API does not take the new token either. */
	| 'rejected';

/** The API was not asked, or answered 401: nothing was processed. */
export interface TokenFailure {
	kind: 'token';
	problem: TokenProblem;
	/** A code, for those who look into it. */
	detail?: string;
}

/** Why a request failed, as far as the network and the answer tell. */
export type Failure =
	/** The API said no. */
	| { kind: 'status'; status: number; body: unknown; location?: string; retryAfterMs?: number }
	/** `isUnsent`: the connection did not even come about. */
	| { kind: 'network'; code: string; isUnsent?: boolean }
	/** A text where the API sends JSON: `truncated` JSON, or somebody else's page. */
	| { kind: 'notJson'; status: number; truncated: boolean }
	/** JSON that is not what was asked for; `came` says what it was, without its values. */
	| { kind: 'unexpected'; status: number; came: string }
	| TokenFailure
	/** The answer to a create was lost, and the record that was then found holds something else. */
	| { kind: 'existedBefore' };

/** What one attempt came to. */
export type Attempt = { response: ApiResponse } | { failure: Failure };
