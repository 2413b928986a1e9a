import type { Failure } from '../types';

/** A request that failed, described for the person who reads the error in the editor. */
export class ServiceError extends Error {
	/** HTTP status of the API's answer; undefined when none arrived, or it was not the API's. */
	readonly status: number | undefined;

	constructor(
		message: string,
		readonly description: string,
		readonly failure: Failure,
		/** How often the request was sent. */
		readonly attempts = 1,
	) {
		super(message);
		this.name = 'ServiceError';
		this.status = failure.kind === 'status' ? failure.status : undefined;
	}
}

/** Input that cannot lead to a meaningful request; thrown before anything is sent. */
export class InputError extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}
