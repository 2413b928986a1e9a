import type { ApiRequest, Failure } from '../types';
import { ServiceError } from './errors';
import { lookBeforeRetry, sentencesFor } from './messages';
import { serviceWords } from './serviceWords';

/** How many times the node tried a request before it gave up, and for how long. */
export interface Effort {
	attempts: number;
	/** Milliseconds from the first attempt to the last. */
	ms: number;
	/** Whether Supercast may have processed an attempt, although no response confirms it. */
	maybeProcessed: boolean;
}

/**
 * Describes a failed request: what happened, what Supercast says about it, and what to do.
 *
 * @param failure Why the request failed.
 * @param request The request. The description depends only on its method, path and subject.
 * @param effort How many times the node tried, and for how long.
 */
export function describeFailure(
	failure: Failure,
	request: ApiRequest,
	effort: Effort = { attempts: 1, ms: 0, maybeProcessed: false },
): ServiceError {
	const { message, remedy } = sentencesFor(failure, request, effort.maybeProcessed);
	const words = failure.kind === 'status' ? serviceWords(failure.body) : '';
	const isUnsure = effort.maybeProcessed && !remedy.includes(lookBeforeRetry(request));
	const warning = isUnsure ? lookBeforeRetry(request) : '';
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
