/**
 * Turns what can go wrong between this package and the service into sentences for people: what
 * happened, in the service's own words, and what to do next. Pure: knows neither n8n nor resources.
 */

import { ServiceError, type Failure } from './errors';
import { fieldErrors, serviceWords } from './serviceWords';
import { tokenSentences } from './tokenMessages';
import type { ApiRequest } from '../types';

interface Sentences {
	message: string;
	remedy: string;
}

const BASE_URL_REMEDY =
	"Check 'Base URL' in the credential: it is the whole address up to the version, such as https://supercast.tech/api/v1 or https://your-channel.supercast.tech/api/v1.";

/** What was done before a request was given up. */
export interface Effort {
	tries: number;
	/** Milliseconds from the first try to the last. */
	ms: number;
}

/**
 * Describes a failed request.
 *
 * @param failure What happened on the wire.
 * @param request What was asked for; only its method and its subject are put into words.
 * @param effort How often and how long it was tried.
 */
export function describeFailure(
	failure: Failure,
	request: ApiRequest,
	effort: Effort = { tries: 1, ms: 0 },
): ServiceError {
	const { message, remedy } = sentencesFor(failure, request);
	const words = failure.kind === 'status' ? serviceWords(failure.body) : '';
	const description = `${remedy}${effortSentence(effort)}`;
	return new ServiceError(
		message,
		words === '' ? description : `Supercast says: ${words}\n${description}`,
		failure,
		effort.tries,
	);
}

function effortSentence({ tries, ms }: Effort): string {
	if (tries === 1) return '';
	const seconds = Math.round(ms / 1000);
	const time = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
	return ` It was tried ${tries} times in ${time}.`;
}

function sentencesFor(failure: Failure, request: ApiRequest): Sentences {
	if (failure.kind === 'network') return networkSentences(failure.code, request);
	if (failure.kind === 'token') return tokenSentences(failure);
	if (failure.kind === 'notJson') return notJsonSentences(failure, request);
	if (failure.kind === 'unexpected') {
		return {
			message: `Supercast's answer is not what its API sends ${doing(request)} (status ${failure.status})`,
			remedy: `Look in Supercast whether it was done. ${BASE_URL_REMEDY}`,
		};
	}
	if (failure.kind === 'existedBefore') {
		return {
			message: `It is not known what became of it ${doing(request)}: the answer was lost`,
			remedy: 'Supercast already had one that is older. Look there before running it again.',
		};
	}
	return statusSentences(failure, request);
}

function unknownOutcome(request: ApiRequest): string {
	return request.method === 'GET' ? '' : ' It is not known whether the change was made.';
}

function networkSentences(code: string, request: ApiRequest): Sentences {
	const untouched = unknownOutcome(request);
	const known: Record<string, Sentences> = {
		ECONNREFUSED: {
			message: `Supercast could not be reached ${doing(request)}: the connection was refused`,
			remedy: `The server is down, or the address is wrong. ${BASE_URL_REMEDY}`,
		},
		ENOTFOUND: {
			message: `Supercast could not be reached ${doing(request)}: there is no server of that name`,
			remedy: BASE_URL_REMEDY,
		},
		EAI_AGAIN: {
			message: `Supercast could not be reached ${doing(request)}: its name could not be looked up`,
			remedy: `Check that this n8n has a working internet connection. ${BASE_URL_REMEDY}`,
		},
		ERR_CANCELED: {
			// n8n tells a stopped execution from a failed one by this word.
			message: `The request to Supercast was canceled ${doing(request)}`,
			remedy: `The execution was stopped.${untouched}`,
		},
	};
	const timedOut = {
		message: `Supercast did not answer in time ${doing(request)}`,
		remedy: `The service may be overloaded: run it again later.${untouched}`,
	};
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') return timedOut;
	if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
		return {
			message: `No secure connection to Supercast ${doing(request)} (${code})`,
			remedy: `The server's certificate could not be verified. ${BASE_URL_REMEDY}`,
		};
	}
	return (
		known[code] ?? {
			message: `The connection to Supercast broke ${doing(request)}`,
			remedy: `Check the network between this n8n and Supercast, then run it again.${untouched}`,
		}
	);
}

function notJsonSentences(
	failure: { status: number; truncated: boolean },
	request: ApiRequest,
): Sentences {
	if (failure.truncated) {
		return {
			message: `Supercast's answer arrived incomplete ${doing(request)}`,
			remedy:
				request.method === 'GET'
					? 'Run it again.'
					: 'The change may have been made: look before running it again.',
		};
	}
	return {
		message: `The answer ${doing(request)} is a web page, not Supercast's API (status ${failure.status})`,
		remedy: BASE_URL_REMEDY,
	};
}

function statusSentences(
	failure: { status: number; body: unknown; location?: string },
	request: ApiRequest,
): Sentences {
	const { status } = failure;
	if (status >= 300 && status < 400) return redirectSentences(failure.location, request);
	if (status >= 500) {
		return {
			message: `Supercast could not process the request ${doing(request)} (status ${status})`,
			remedy: `The fault is on the side of the service: run it again later.${unknownOutcome(request)}`,
		};
	}
	const known: Record<number, Sentences> = {
		400: {
			message: `Supercast could not read the request ${doing(request)}`,
			remedy: 'Check the values of this item for broken characters or JSON.',
		},
		401: {
			message: 'Supercast did not accept the access token',
			remedy:
				'The token is mistyped or revoked. In Supercast, open Settings, then API, generate a new token, and paste it into the credential.',
		},
		403: forbiddenSentences(request),
		404: notFoundSentences(request),
		422: {
			message: `Supercast did not accept the values ${doing(request)}${fieldErrors(failure.body)}`,
			remedy: 'Correct the fields that are named and run it again.',
		},
		429: {
			message: `Supercast's limit of requests was reached ${doing(request)}: this was not done`,
			remedy:
				'The service takes 100 requests a minute from everybody together. Run it again for the items that failed when others need less of them.',
		},
	};
	return (
		known[status] ?? {
			message: `Supercast refused the request ${doing(request)} (status ${status})`,
			remedy: BASE_URL_REMEDY,
		}
	);
}

function redirectSentences(location: string | undefined, request: ApiRequest): Sentences {
	const target = location === undefined ? 'another address' : originOf(location);
	return {
		message: `The Base URL leads away ${doing(request)}, to ${target}`,
		remedy: `A redirect is not followed, because it would lose what is sent. ${BASE_URL_REMEDY}`,
	};
}

function originOf(location: string): string {
	return URL.canParse(location) ? new URL(location).origin : 'another address';
}

function forbiddenSentences(request: ApiRequest): Sentences {
	const reading = request.method === 'GET';
	return {
		message: `Supercast does not permit this access token ${reading ? 'to read this' : 'to change anything'}: failed ${doing(request)}`,
		remedy: reading
			? 'Use a token of the channel that owns the record.'
			: "The token lacks the scope 'write'. Use an access token that has it; with OAuth2, type public write into 'Scope' in the credential, save it, and connect it again (for client credentials: make a new credential).",
	};
}

function notFoundSentences(request: ApiRequest): Sentences {
	if (!request.subject.isRecord) {
		return {
			message: `Supercast has no such address: failed ${doing(request)}`,
			remedy: BASE_URL_REMEDY,
		};
	}
	const { text, remedyIfMissing } = request.subject;
	return {
		message: `Supercast has no ${text}`,
		remedy: [
			'Check the spelling, and that the credential belongs to the right channel.',
			...(remedyIfMissing === undefined ? [] : [remedyIfMissing]),
			"If every record is missing, check 'Base URL' in the credential.",
		].join(' '),
	};
}

const GERUNDS: Record<ApiRequest['method'], string> = {
	GET: 'reading',
	POST: 'creating',
	PATCH: 'changing',
	DELETE: 'deleting',
};

function doing(request: ApiRequest): string {
	return `while ${request.subject.verb ?? GERUNDS[request.method]} the ${request.subject.text}`;
}
