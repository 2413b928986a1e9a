/** What a failed request tells the user, by what went wrong. */

import type { ApiRequest, Failure } from '../types';
import { fieldErrors, saysTaken } from './serviceWords';
import { tokenSentences, type Sentences } from './tokenMessages';

const BASE_URL =
	"Check 'Base URL' in the credential. It must be the full address including the version, such as https://supercast.tech/api/v1 or https://your-channel.supercast.tech/api/v1.";

const GERUNDS = { GET: 'reading', POST: 'creating', PATCH: 'changing', DELETE: 'deleting' };

/** What the request was doing, such as `while deleting the subscriber "ann@example.com"`. */
export function doing({ subject, method }: ApiRequest): string {
	return `while ${subject.verb ?? GERUNDS[method]} the ${subject.text}`;
}

/** A warning that the change may already have been made, after a space. Empty for a read request. */
export function lookBeforeRetry({ method }: ApiRequest): string {
	return method === 'GET'
		? ''
		: ' The change may already have been made. Check in Supercast before you retry.';
}

export function sentencesFor(
	failure: Failure,
	request: ApiRequest,
	maybeProcessed: boolean,
): Sentences {
	const look = lookBeforeRetry(request);
	switch (failure.kind) {
		case 'network':
			return networkSentences(failure.code, doing(request), look);
		case 'token':
			return tokenSentences(failure);
		case 'notJson':
			return failure.truncated
				? {
						message: `Supercast's response was cut off ${doing(request)}`,
						remedy: `Try again.${look}`,
					}
				: {
						message: `The server sent a web page instead of an API response ${doing(request)} (status ${failure.status})`,
						remedy: BASE_URL,
					};
		case 'unexpected':
			return unexpectedSentences(failure.status, request, `Supercast sent ${failure.came}.`);
		case 'existedBefore':
			return {
				message: `The response was lost ${doing(request)}, so the outcome is unknown`,
				remedy:
					'Supercast has a record with this email, but its values differ from those in this request. Check the record in Supercast before you run this item again.',
			};
		case 'status':
			return statusSentences(failure, request, maybeProcessed);
	}
}

const LATE = (during: string, look: string): Sentences => ({
	message: `Supercast did not respond in time ${during}`,
	remedy: `Supercast may be overloaded. Try again later.${look}`,
});

const BY_CODE: Record<string, (during: string, look: string) => Sentences> = {
	ECONNREFUSED: (during) => ({
		message: `Supercast could not be reached ${during}: the connection was refused`,
		remedy: `The server is down, or the address is wrong. ${BASE_URL}`,
	}),
	ENOTFOUND: (during) => ({
		message: `Supercast could not be reached ${during}: there is no server with that name`,
		remedy: BASE_URL,
	}),
	EAI_AGAIN: (during) => ({
		message: `Supercast could not be reached ${during}: the server name could not be looked up`,
		remedy: `Check that your n8n has a working internet connection. ${BASE_URL}`,
	}),
	ERR_CANCELED: (during, look) => ({
		// n8n recognizes a stopped execution by the word "canceled".
		message: `The request to Supercast was canceled ${during}`,
		remedy: `The execution was stopped.${look}`,
	}),
	ETIMEDOUT: LATE,
	ECONNABORTED: LATE,
};

function networkSentences(code: string, during: string, look: string): Sentences {
	const known = BY_CODE[code]?.(during, look);
	if (known !== undefined) return known;
	return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)
		? {
				message: `n8n could not make a secure connection to Supercast ${during} (${code})`,
				remedy: `n8n could not verify the server's certificate. ${BASE_URL}`,
			}
		: {
				message: `The connection to Supercast was interrupted ${during}`,
				remedy: `Check the network between your n8n and Supercast, then try again.${look}`,
			};
}

function unexpectedSentences(status: number, request: ApiRequest, came = ''): Sentences {
	return {
		message: `Supercast sent an unexpected response ${doing(request)} (status ${status})`,
		remedy: `${came}${lookBeforeRetry(request)} ${BASE_URL}`.trim(),
	};
}

type StatusFailure = Extract<Failure, { kind: 'status' }>;

const REDIRECTED: Tell = ({ location = '' }, during) => ({
	message: `'Base URL' redirects to ${URL.canParse(location) ? new URL(location).origin : 'another address'} (${during})`,
	remedy: `The node does not follow redirects, because a redirected request loses its data. ${BASE_URL}`,
});

type Tell = (
	failure: StatusFailure,
	during: string,
	request: ApiRequest,
	maybeProcessed: boolean,
) => Sentences;

const BY_STATUS: Record<number, Tell> = {
	301: REDIRECTED,
	302: REDIRECTED,
	303: REDIRECTED,
	307: REDIRECTED,
	308: REDIRECTED,
	400: (_, during) => ({
		message: `Supercast could not read the request ${during}`,
		remedy: 'Check the values of this item for invalid characters or malformed JSON.',
	}),
	401: () => ({
		message: 'Supercast did not accept the access token',
		remedy:
			'The token is mistyped or was revoked. In Supercast, open Settings, then API, and generate a new token. Then paste it into the credential.',
	}),
	402: (_, during) => ({
		message: `Supercast requires a payment ${during}`,
		remedy:
			'In Supercast, check that the channel has a paid-up plan that includes the feature you used.',
	}),
	403: (_, during, request) => ({
		message: `This access token is not allowed ${request.method === 'GET' ? 'to read this' : 'to make changes'}: stopped ${during}`,
		remedy:
			request.method === 'GET'
				? 'Use a token from the channel that owns the record.'
				: "The token does not have the scope 'write'. Use an access token with that scope. With OAuth2, enter \"public write\" in 'Scope' in the credential, save it and connect it again. If the grant type is Client Credentials, create a new credential instead.",
	}),
	404: (_, during, request) => notFoundSentences(request, during),
	409: (_, during) => ({
		message: `Supercast refused a conflicting change ${during}`,
		remedy:
			'The record may already exist, or another change to it may be in progress. Check the record in Supercast, then run this item again.',
	}),
	413: (_, during) => ({
		message: `The values of this item are too long for Supercast ${during}`,
		remedy: 'Shorten the values and run the item again.',
	}),
	422: ({ body }, during, request) => ({
		message: `Supercast did not accept the values ${during}${fieldErrors(body)}`,
		remedy:
			request.method === 'POST' && request.path[0] === 'subscribers' && saysTaken(body)
				? "A subscriber with this email already exists. To change it, use the operation 'Create or Update' instead."
				: 'Correct the fields that the message names, then run the item again.',
	}),
	429: (_, during, _request, maybeProcessed) => ({
		message: `Supercast's request limit was reached ${during}${maybeProcessed ? '' : ', so nothing was done'}`,
		remedy:
			'Supercast allows 100 requests per minute across all apps. Run the remaining items again when other apps are less busy.',
	}),
};

function statusSentences(
	failure: StatusFailure,
	request: ApiRequest,
	maybeProcessed: boolean,
): Sentences {
	const during = doing(request);
	const { status } = failure;
	const known = BY_STATUS[status];
	if (known !== undefined) return known(failure, during, request, maybeProcessed);
	if (status >= 300 && status < 400) return unexpectedSentences(status, request);
	return status >= 500
		? {
				message: `Supercast could not process the request ${during} (status ${status})`,
				remedy: `The cause is on Supercast's side. Try again later.${lookBeforeRetry(request)}`,
			}
		: {
				message: `Supercast refused the request ${during} (status ${status})`,
				remedy: BASE_URL,
			};
}

function notFoundSentences(request: ApiRequest, during: string): Sentences {
	const { text, isRecord, remedyIfMissing } = request.subject;
	if (!isRecord) {
		return {
			message: `Supercast has no such address: stopped ${during}`,
			remedy: BASE_URL,
		};
	}
	const remedies = [
		"Check the spelling, and that the credential and its 'Base URL' belong to the right channel.",
		remedyIfMissing,
	];
	return {
		message: `Supercast has no ${text}`,
		remedy: remedies.filter((one) => one !== undefined).join(' '),
	};
}
