import type { ApiRequest, Failure } from '../types';
import { lookBeforeRetry, sentencesFor } from './messages';
import { serviceWords } from './serviceWords';

/** How to find out in what Supercast differs from what the node expects. */
export const PROBE =
	'"npm run probe" (see "What is known about Supercast\'s API" in this package\'s documentation)';

/** The error for a failed request, with a description for users of the editor. */
export class ServiceError extends Error {
	/** Undefined if there was no response, or if it did not come from the API. */
	readonly status: number | undefined;

	constructor(
		message: string,
		readonly description: string,
		readonly failure: Failure,
		readonly attempts = 1,
		/** Whether Supercast may have processed an earlier try, although no response confirms it. */
		readonly maybeProcessed = false,
		/** Whether nobody knows if a change was made: neither its answer nor a read says so. */
		readonly isOutcomeUnknown = false,
	) {
		super(message);
		this.name = 'ServiceError';
		// A 404 without a JSON object may be a gateway's, so it says nothing about the record.
		const isOwn = failure.kind === 'status' && failure.isBare !== true;
		this.status = isOwn ? failure.status : undefined;
	}

	/** The same error, after no read could show whether the change was made. */
	withUnknownOutcome(): ServiceError {
		const { message, description, failure, attempts } = this;
		return new ServiceError(message, description, failure, attempts, true, true);
	}
}

/** What to throw if a failure leaves open whether a change before it was made. */
export function withUnknownOutcome(error: unknown): unknown {
	return error instanceof ServiceError ? error.withUnknownOutcome() : error;
}

/** Whether nobody knows if a change was made: neither its answer nor a read says so. */
export function hasUnknownOutcome(error: unknown): boolean {
	return error instanceof ServiceError && error.isOutcomeUnknown;
}

/** The error for input that makes the operation impossible. It usually occurs before any request is sent. */
export class InputError extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** Describes a failed request: what happened, what Supercast says about it, and what to do. */
export function describeFailure(
	failure: Failure,
	request: ApiRequest,
	{ attempts = 1, ms = 0, maybeProcessed = false } = {},
): ServiceError {
	const [message, remedy] = sentencesFor(failure, request, maybeProcessed);
	const words = failure.kind === 'status' ? serviceWords(failure.body) : '';
	const look = lookBeforeRetry(request);
	const warning = maybeProcessed && !remedy.includes(look) ? look : '';
	const effort = attempts > 1 ? ` The node tried ${attempts} times in ${waitText(ms)}.` : '';
	const description = `${words}${remedy}${warning}${effort}`;
	return new ServiceError(message, description, failure, attempts, maybeProcessed);
}

function waitText(ms: number): string {
	const seconds = Math.round(ms / 1000);
	if (seconds >= 120) return `${Math.round(seconds / 60)} minutes`;
	return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
