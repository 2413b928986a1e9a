import type { ApiRequest, Failure } from '../types';
import { ServiceError } from './errors';
import {
	BASE_URL_REMEDY,
	doing,
	lookBeforeRetry,
	unexpectedSentences,
	type Sentences,
} from './phrases';
import { serviceWords } from './serviceWords';
import { statusSentences } from './statusMessages';
import { tokenSentences } from './tokenMessages';

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
	const { message, remedy } = sentencesFor(failure, request, effort);
	const words = failure.kind === 'status' ? serviceWords(failure.body) : '';
	const isUnsure = effort.maybeProcessed && !remedy.includes(lookBeforeRetry(request));
	const warning = isUnsure ? lookBeforeRetry(request) : '';
	const description = `${remedy}${warning}${effortSentence(effort)}`;
	return new ServiceError(
		message,
		words === '' ? description : `Supercast says: ${words}\n${description}`,
		failure,
		effort.attempts,
	);
}

function effortSentence({ attempts, ms }: Effort): string {
	if (attempts === 1) return '';
	const seconds = Math.round(ms / 1000);
	const inSeconds = seconds === 1 ? '1 second' : `${seconds} seconds`;
	const time = seconds < 120 ? inSeconds : `${Math.round(seconds / 60)} minutes`;
	return ` The node tried ${attempts} times in ${time}.`;
}

function sentencesFor(failure: Failure, request: ApiRequest, effort: Effort): Sentences {
	switch (failure.kind) {
		case 'network':
			return networkSentences(failure.code, request);
		case 'token':
			return tokenSentences(failure);
		case 'notJson':
			return notJsonSentences(failure, request);
		case 'unexpected':
			return unexpectedSentences(failure.status, request, `Supercast sent ${failure.came}.`);
		case 'existedBefore':
			return {
				message: `The response was lost ${doing(request)}, so the outcome is unknown`,
				remedy:
					'Supercast has a record with this email, but its values differ from those in this request. Check the record in Supercast before you run this item again.',
			};
		case 'status':
			return statusSentences(failure, request, effort.maybeProcessed);
	}
}

function networkSentences(code: string, request: ApiRequest): Sentences {
	const known: Record<string, Sentences> = {
		ECONNREFUSED: {
			message: `Supercast could not be reached ${doing(request)}: the connection was refused`,
			remedy: `The server is down, or the address is wrong. ${BASE_URL_REMEDY}`,
		},
		ENOTFOUND: {
			message: `Supercast could not be reached ${doing(request)}: there is no server with that name`,
			remedy: BASE_URL_REMEDY,
		},
		EAI_AGAIN: {
			message: `Supercast could not be reached ${doing(request)}: the server name could not be looked up`,
			remedy: `Check that your n8n has a working internet connection. ${BASE_URL_REMEDY}`,
		},
		ERR_CANCELED: {
			// n8n recognizes a stopped execution by the word "canceled".
			message: `The request to Supercast was canceled ${doing(request)}`,
			remedy: `The execution was stopped.${lookBeforeRetry(request)}`,
		},
	};
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') {
		return {
			message: `Supercast did not respond in time ${doing(request)}`,
			remedy: `Supercast may be overloaded. Try again later.${lookBeforeRetry(request)}`,
		};
	}
	if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
		return {
			message: `n8n could not make a secure connection to Supercast ${doing(request)} (${code})`,
			remedy: `n8n could not verify the server's certificate. ${BASE_URL_REMEDY}`,
		};
	}
	return (
		known[code] ?? {
			message: `The connection to Supercast was interrupted ${doing(request)}`,
			remedy: `Check the network between your n8n and Supercast, then try again.${lookBeforeRetry(request)}`,
		}
	);
}

function notJsonSentences(
	{ status, truncated }: { status: number; truncated: boolean },
	request: ApiRequest,
): Sentences {
	if (truncated) {
		return {
			message: `Supercast's response was cut off ${doing(request)}`,
			remedy: `Try again.${lookBeforeRetry(request)}`,
		};
	}
	return {
		message: `The server sent a web page instead of an API response ${doing(request)} (status ${status})`,
		remedy: BASE_URL_REMEDY,
	};
}
