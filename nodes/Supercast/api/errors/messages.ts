/** What a failed request tells the user, by cause. */

import { textOf } from '../json';
import type { ApiRequest, Failure, TokenProblem } from '../types';
import { fieldErrors, saysTaken } from './serviceWords';

const BASE_URL =
	"Check 'Base URL' in the credential. It must be the full address including the version, such as https://supercast.tech/api/v1 or https://your-channel.supercast.tech/api/v1.";
const TOKEN_URL =
	"Check 'Access Token URL' in the credential. It should look like https://supercast.tech/oauth/token.";
const CONNECT =
	"Open the credential in n8n. As the owner of the channel, reconnect the credential with 'Connect' or 'Switch account'.";

/** Codes of a connection that could not be made secure. */
const INSECURE = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/;

const GERUNDS = { GET: 'reading', POST: 'creating', PATCH: 'changing', DELETE: 'deleting' };

type Sentences = readonly [message: string, remedy: string];

const TOKEN_SENTENCES: Record<TokenProblem, Sentences> = {
	notConnected: [
		'The Supercast credential is not connected yet',
		"Open the credential in n8n and select 'Connect'. Sign in as the owner of the channel and authorize the application.",
	],
	missing: [
		'n8n has no token for the Supercast credential, and could not get one',
		`${CONNECT} If the grant type is Client Credentials, check 'Client ID' and 'Client Secret' instead, and save the credential.`,
	],
	revoked: [
		'The Supercast connection is no longer valid: it was revoked, or its refresh token was already used',
		`${CONNECT} Until then, all requests fail.`,
	],
	wrongApplication: [
		'Supercast rejected the Client ID and Client Secret of the credential',
		"Copy both again from the application's page in the Supercast dashboard, and save the credential. Also check that the application still exists and may use this grant type.",
	],
	wrongScope: [
		"Supercast does not recognize the 'Scope' of the credential, or does not grant it",
		'Separate the scopes with a space, for example "public write". The application\'s page in the Supercast dashboard lists the allowed scopes. Save the credential. If the grant type is Authorization Code, reconnect the credential.',
	],
	wrongAddress: ["'Access Token URL' does not point to Supercast's token endpoint", TOKEN_URL],
	redirected: [
		"'Access Token URL' redirects to another address",
		`The node does not follow redirects, because the other address would receive the client secret. ${TOKEN_URL}`,
	],
	refused: ['Supercast refused to issue a token', `Check the fields of the credential. ${CONNECT}`],
	unavailable: [
		'Supercast did not issue a new token',
		`Supercast may be busy or down. Try again later. ${TOKEN_URL}`,
	],
	rejected: [
		'Supercast rejected the new token of this connection',
		`In the credential, check that 'Base URL' and 'Access Token URL' use the same host. ${CONNECT}`,
	],
};

const OTHER: Sentences = ['Supercast refused the request {during} (status {status})', BASE_URL];

const LATE: Sentences = [
	'Supercast did not respond in time {during}',
	'Supercast may be overloaded. Try again later.{look}',
];

/** By error code, status, or a name for several of them. `{...}` stands for the parts that vary. */
const SENTENCES: Record<string, Sentences> = {
	ECONNREFUSED: [
		'Supercast could not be reached {during}: the connection was refused',
		`The server is down, or the address is wrong. ${BASE_URL}`,
	],
	ENOTFOUND: [
		'Supercast could not be reached {during}: there is no server with that name',
		BASE_URL,
	],
	EAI_AGAIN: [
		'Supercast could not be reached {during}: the server name could not be looked up',
		`Check that your n8n has a working internet connection. ${BASE_URL}`,
	],
	ERR_CANCELED: [
		// n8n recognizes a stopped execution by the word "canceled".
		'The request to Supercast was canceled {during}',
		'The execution was stopped.{look}',
	],
	ETIMEDOUT: LATE,
	ECONNABORTED: LATE,
	insecure: [
		'n8n could not make a secure connection to Supercast {during} ({code})',
		`n8n could not verify the server's certificate. ${BASE_URL}`,
	],
	interrupted: [
		'The connection to Supercast was interrupted {during}',
		'Check the network between your n8n and Supercast, then try again.{look}',
	],
	cutOff: ["Supercast's response was cut off {during}", 'Try again.{look}'],
	malformed: [
		"Supercast's response is not valid JSON {during} (status {status})",
		'One of the values may be one that JSON does not allow, such as NaN. Report this to Supercast.{look}',
	],
	webPage: [
		'The server sent a web page instead of an API response {during} (status {status})',
		BASE_URL,
	],
	unexpected: [
		'Supercast sent an unexpected response {during} (status {status})',
		`Supercast sent {came}.{look} ${BASE_URL}`,
	],
	'3xx': ['Supercast sent an unexpected response {during} (status {status})', `{look} ${BASE_URL}`],
	existedBefore: [
		'The response was lost {during}, so the outcome is unknown',
		'Supercast has a record with this email, but its values differ from those in this request. Check the record in Supercast before you run this item again.',
	],
	redirect: [
		"'Base URL' redirects to {origin} ({during})",
		`The node does not follow redirects, because a redirected request loses its data. ${BASE_URL}`,
	],
	400: [
		'Supercast could not read the request {during}',
		'Check the values of this item for invalid characters or malformed JSON.',
	],
	401: [
		'Supercast did not accept the access token',
		'The token is mistyped or was revoked. In Supercast, open Settings, then API, and generate a new token. Then paste it into the credential.',
	],
	402: [
		'Supercast requires a payment {during}',
		'In Supercast, check that the channel has a paid-up plan that includes the feature you used.',
	],
	'403 GET': [
		'This access token is not allowed to read this: stopped {during}',
		'Use a token from the channel that owns the record.',
	],
	403: [
		'This access token is not allowed to make changes: stopped {during}',
		"The token does not have the scope 'write'. Use an access token with that scope. With OAuth2, enter \"public write\" in 'Scope' in the credential, save the credential and reconnect it. If the grant type is Client Credentials, create a new credential instead.",
	],
	bare: ['Supercast did not say whether it has the record: stopped {during}', BASE_URL],
	'404 address': ['Supercast has no such address: stopped {during}', BASE_URL],
	404: [
		'Supercast has no {subject}',
		"Check the spelling, and that the credential and its 'Base URL' belong to the right channel.{ifMissing}",
	],
	408: LATE,
	409: [
		'Supercast refused a conflicting change {during}',
		'The record may already exist, or another change to it may be in progress. Check the record in Supercast, then run this item again.',
	],
	413: [
		'Supercast refused the values of this item as too long {during}',
		'Shorten the values and run the item again.',
	],
	'422 taken': [
		'Supercast did not accept the values {during}{fields}',
		"A subscriber with this email already exists. To change it, use the operation 'Create or Update' instead.",
	],
	422: [
		'Supercast did not accept the values {during}{fields}',
		'Correct the fields that the message names, then run the item again.',
	],
	429: [
		"Supercast's request limit was reached {during}{nothingDone}",
		'Supercast allows 100 requests per minute across all apps. Run the remaining items again when other apps are less busy.',
	],
	'5xx': [
		'Supercast could not process the request {during} (status {status})',
		"The cause is on Supercast's side. Try again later.{look}",
	],
	other: OTHER,
	...TOKEN_SENTENCES,
};

/** What the request was doing, such as `while deleting the subscriber "ann@example.com"`. */
export function doing({ subject, method }: Pick<ApiRequest, 'method' | 'subject'>): string {
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
	const { text, remedyIfMissing = '' } = request.subject;
	const values: Record<string, unknown> = {
		...failure,
		during: doing(request),
		look: lookBeforeRetry(request),
		subject: text,
		ifMissing: remedyIfMissing && ` ${remedyIfMissing}`,
		nothingDone: maybeProcessed ? '' : ', so nothing was done',
	};
	if (failure.kind === 'status') {
		const { body, location: to } = failure;
		values.fields = fieldErrors(body);
		values.origin = to && URL.canParse(to) ? new URL(to).origin : 'another address';
	}
	const fill = (template: string): string =>
		template.replace(/\{(\w+)\}/g, (_, name: string) => textOf(values[name])).trim();
	const [message, remedy] = SENTENCES[keyOf(failure, request)] ?? OTHER;
	const detail = 'detail' in failure && failure.detail ? ` (${failure.detail})` : '';
	return [`${fill(message)}${detail}`, fill(remedy)];
}

function keyOf(failure: Failure, request: ApiRequest): string {
	switch (failure.kind) {
		case 'network':
			if (Object.hasOwn(SENTENCES, failure.code)) return failure.code;
			return INSECURE.test(failure.code) ? 'insecure' : 'interrupted';
		case 'token':
			return failure.problem;
		case 'notJson':
			return failure.truncated ? 'cutOff' : 'webPage';
		case 'status':
			return failure.isBare ? 'bare' : keyOfStatus(failure.status, failure.body, request);
		default:
			return failure.kind;
	}
}

function keyOfStatus(status: number, body: unknown, request: ApiRequest): string {
	if ([301, 302, 303, 307, 308].includes(status)) return 'redirect';
	if (status >= 300 && status < 400) return '3xx';
	const special = specialKey(status, body, request);
	if (special !== undefined) return special;
	return status < 500 || Object.hasOwn(SENTENCES, status) ? `${status}` : '5xx';
}

/** The key of a status whose meaning depends on the request or the response. */
function specialKey(
	status: number,
	body: unknown,
	{ method, path, subject }: ApiRequest,
): string | undefined {
	switch (status) {
		case 403:
			return method === 'GET' ? '403 GET' : undefined;
		case 404:
			return subject.isRecord ? undefined : '404 address';
		case 422: {
			const isCreate = method === 'POST' && path[0] === 'subscribers';
			return isCreate && saysTaken(body) ? '422 taken' : undefined;
		}
	}
	return undefined;
}
