import type { ApiRequest, Failure } from '../types';
import { lookBeforeRetry, sentencesFor } from './messages';
import { serviceWords } from './serviceWords';

/** The error for a failed request, with a description for users of the editor. */
export class ServiceError extends Error {
	/** Undefined if there was no response, or if it did not come from the API. */
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

/** The error for input that makes the operation impossible. Usually, no request was sent yet. */
export class InputError extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** How many times the node tried a request before it gave up, and for how long. */
export interface Effort {
	attempts: number;
	/** Milliseconds from the first attempt to the last. */
	ms: number;
	/** Whether Supercast may have processed an attempt, although no response confirms it. */
	maybeProcessed: boolean;
}

/** Describes a failed request: what happened, what Supercast says about it, and what to do. */
export function describeFailure(
	failure: Failure,
	request: ApiRequest,
	effort: Effort = { attempts: 1, ms: 0, maybeProcessed: false },
): ServiceError {
	const { message, remedy } = sentencesFor(failure, request, effort.maybeProcessed);
	const words = failure.kind === 'status' ? serviceWords(failure.body) : '';
	const look = lookBeforeRetry(request);
	const warning = effort.maybeProcessed && !remedy.includes(look) ? look : '';
	const description = `${remedy}${warning}${effortSentence(effort)}`;
	return new ServiceError(
		message,
		words === '' ? description : `Supercast says: ${words}\n${description}`,
		failure,
		effort.attempts,
		effort.maybeProcessed,
	);
}

function effortSentence({ attempts, ms }: Effort): string {
	if (attempts === 1) return '';
	const seconds = Math.round(ms / 1000);
	const inSeconds = seconds === 1 ? '1 second' : `${seconds} seconds`;
	const time = seconds < 120 ? inSeconds : `${Math.round(seconds / 60)} minutes`;
	return ` The node tried ${attempts} times in ${time}.`;
}
