import type { Failure } from '../types';

/** The error for a failed request, with a description for users of the editor. */
export class ServiceError extends Error {
	/**
	 * HTTP status of the API's response. Undefined if there was no response, or if it did not come
	 * from the API.
	 */
	readonly status: number | undefined;

	constructor(
		message: string,
		readonly description: string,
		readonly failure: Failure,
		/** The number of times that the request was sent. */
		readonly attempts = 1,
		/** Whether Supercast may have processed an earlier try, although no response confirms it. */
		readonly maybeProcessed = false,
	) {
		super(message);
		this.name = 'ServiceError';
		this.status = failure.kind === 'status' ? failure.status : undefined;
	}
}

/**
 * The error for input that makes the operation impossible. Usually, no request has been sent yet.
 */
export class InputError extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}
