import type { ApiRequest } from '../types';
import type { Sentences } from './phrases';
import { BASE_URL_REMEDY, doing, lookBeforeRetry, unexpectedSentences } from './phrases';
import { fieldErrors, saysTaken } from './serviceWords';

/** An error response from the API. */
interface Refusal {
	status: number;
	body: unknown;
	location?: string;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** Describes an error response from the API. */
export function statusSentences(
	{ status, body, location }: Refusal,
	request: ApiRequest,
	maybeProcessed: boolean,
): Sentences {
	if (REDIRECTS.includes(status)) return redirectSentences(location, request);
	if (status >= 300 && status < 400) return unexpectedSentences(status, request);
	if (status >= 500) {
		return {
			message: `Supercast could not process the request ${doing(request)} (status ${status})`,
			remedy: `The cause is on Supercast's side. Try again later.${lookBeforeRetry(request)}`,
		};
	}
	switch (status) {
		case 403:
			return forbiddenSentences(request);
		case 404:
			return notFoundSentences(request);
		case 422:
			return invalidSentences(body, request);
		case 429:
			return limitSentences(request, maybeProcessed);
		default:
			return otherSentences(status, request);
	}
}

function otherSentences(status: number, request: ApiRequest): Sentences {
	const known: Record<number, Sentences> = {
		400: {
			message: `Supercast could not read the request ${doing(request)}`,
			remedy: 'Check the values of this item for invalid characters or malformed JSON.',
		},
		401: {
			message: 'Supercast did not accept the access token',
			remedy:
				'The token is mistyped or was revoked. In Supercast, open Settings, then API, and generate a new token. Then paste it into the credential.',
		},
		402: {
			message: `Supercast requires a payment ${doing(request)}`,
			remedy:
				'In Supercast, check that the channel has a paid-up plan that includes the feature you used.',
		},
		409: {
			message: `Supercast refused a conflicting change ${doing(request)}`,
			remedy:
				'The record may already exist, or another change to it may be in progress. Check the record in Supercast, then run this item again.',
		},
		413: {
			message: `The values of this item are too long for Supercast ${doing(request)}`,
			remedy: 'Shorten the values and run the item again.',
		},
	};
	return (
		known[status] ?? {
			message: `Supercast refused the request ${doing(request)} (status ${status})`,
			remedy: BASE_URL_REMEDY,
		}
	);
}

function invalidSentences(body: unknown, request: ApiRequest): Sentences {
	const isTaken = request.method === 'POST' && saysTaken(body);
	return {
		message: `Supercast did not accept the values ${doing(request)}${fieldErrors(body)}`,
		remedy:
			isTaken && request.path[0] === 'subscribers'
				? "A subscriber with this email already exists. To change it, use the operation 'Create or Update' instead."
				: 'Correct the fields that the message names, then run the item again.',
	};
}

function limitSentences(request: ApiRequest, maybeProcessed: boolean): Sentences {
	const outcome = maybeProcessed ? '' : ', so nothing was done';
	return {
		message: `Supercast's request limit was reached ${doing(request)}${outcome}`,
		remedy:
			'Supercast allows 100 requests per minute across all apps. Run the remaining items again when other apps are less busy.',
	};
}

function redirectSentences(location: string | undefined, request: ApiRequest): Sentences {
	const target = location === undefined ? 'another address' : originOf(location);
	return {
		message: `'Base URL' redirects to ${target} (${doing(request)})`,
		remedy: `The node does not follow redirects, because a redirected request loses its data. ${BASE_URL_REMEDY}`,
	};
}

function originOf(location: string): string {
	return URL.canParse(location) ? new URL(location).origin : 'another address';
}

function forbiddenSentences(request: ApiRequest): Sentences {
	const reading = request.method === 'GET';
	return {
		message: `This access token is not allowed ${reading ? 'to read this' : 'to make changes'}: stopped ${doing(request)}`,
		remedy: reading
			? 'Use a token from the channel that owns the record.'
			: "The token does not have the scope 'write'. Use an access token with that scope. With OAuth2, enter \"public write\" in 'Scope' in the credential, save it and connect it again. If the grant type is Client Credentials, create a new credential instead.",
	};
}

function notFoundSentences(request: ApiRequest): Sentences {
	if (!request.subject.isRecord) {
		return {
			message: `Supercast has no such address: stopped ${doing(request)}`,
			remedy: BASE_URL_REMEDY,
		};
	}
	const { text, remedyIfMissing } = request.subject;
	return {
		message: `Supercast has no ${text}`,
		remedy: [
			'Check the spelling, and check that the credential belongs to the right channel.',
			...(remedyIfMissing === undefined ? [] : [remedyIfMissing]),
			"If every record is missing, check 'Base URL' in the credential.",
		].join(' '),
	};
}
