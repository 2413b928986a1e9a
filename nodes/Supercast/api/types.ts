import type { IDataObject } from 'n8n-workflow';
import type { Failure } from './errors/errors';

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
	 * Whether the record cannot be found any more once this is done, so that a repeat that meets 404 has
	 * succeeded; its answer has no body then. By default so for DELETE.
	 */
	goneWhenDone?: boolean;
}

/** An answer of the service whose body is JSON, or empty. */
export interface ApiResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	/** Parsed JSON; undefined when the answer has no body. */
	body: unknown;
}
/** What one attempt came to. */
export type Attempt = { response: ApiResponse } | { failure: Failure };
