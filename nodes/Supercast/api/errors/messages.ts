/** What a failed request tells the user, by cause. */

import { isRecord, textOf } from '../json';
import { NOT_SENT_CODE, type ApiRequest, type Failure } from '../types';
import { fieldErrors, saysTaken } from './serviceWords';
import { TOKEN_SENTENCES, type Sentences } from './tokenSentences';

const BASE_URL =
	"Check 'Base URL' in the credential. It must be the full address including the version, such as https://supercast.tech/api/v1 or https://your-channel.supercast.tech/api/v1.";

/** Codes of a connection that could not be made secure. */
const INSECURE = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/;

const GERUNDS = { GET: 'reading', POST: 'creating', PATCH: 'changing', DELETE: 'deleting' };

const OTHER_STATUS: Sentences = [
	'Supercast refused the request {during} (status {status})',
	BASE_URL,
];

const LATE: Sentences = [
	'Supercast did not respond in time {during}',
	'Supercast may be overloaded. Try again later.{look}',
];

/** By error code, status, or a name for several of them. `{...}` stands for the parts that vary. */
const SENTENCES: Record<string, Sentences> = {
	ECONNREFUSED: [
		'Supercast could not be reached {during}: the connection was refused',
		`The server may be down, or the address may be wrong. ${BASE_URL}`,
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
		`n8n probably could not verify the server's certificate. ${BASE_URL}`,
	],
	[NOT_SENT_CODE]: ['n8n did not send the request to Supercast {during}', '{reason}'],
	interrupted: [
		'The connection to Supercast was interrupted {during}',
		'Check the network between your n8n and Supercast, then try again.{look}',
	],
	cutOff: ["Supercast's response was cut off {during}", 'Try again.{look}'],
	malformed: [
		"Supercast's response is not valid JSON {during} (status {status})",
		'A value may not be valid JSON, for example NaN. Report this to Supercast.{look}',
	],
	webPage: [
		'The server sent a web page instead of an API response {during} (status {status})',
		BASE_URL,
	],
	barrier: [
		'A protection against bots, such as Cloudflare, responded instead of Supercast {during} (status {status})',
		"Try again later. If it happens again, ask Supercast to admit the address of your n8n's server.{look}",
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
		`The node does not follow redirects, because a redirected request may lose its data. ${BASE_URL}`,
	],
	400: [
		'Supercast could not read the request {during}',
		'Check the values of this item for invalid characters or malformed JSON.',
	],
	401: [
		'Supercast did not accept the access token',
		'The token may be mistyped or revoked. In Supercast, open Settings, then API, and generate a new token. Then paste it into the credential.',
	],
	402: [
		'Supercast requires a payment {during}',
		'In Supercast, check that the channel has a paid-up plan that includes the feature you used.',
	],
	'403 GET': [
		'This access token is not allowed to read this: stopped {during}',
		'Use a token from the channel that owns the record.{subdomain}',
	],
	403: [
		'This access token is not allowed to make changes: stopped {during}',
		"The token does not have the scope 'write'. Use an access token with that scope. With OAuth2, enter \"public write\" in 'Scope' in the credential, save the credential and reconnect it. If the grant type is Client Credentials, create a new credential instead.{subdomain}",
	],
	bare: ['Supercast did not say whether it has the record: stopped {during}', BASE_URL],
	'404 address': ['Supercast has no such address: stopped {during}', BASE_URL],
	404: [
		'Supercast has no {subject}',
		"Check the spelling, and that the credential and its 'Base URL' belong to the right channel.{ifMissing}",
	],
	407: [
		'The request did not reach Supercast {during}: a proxy requires a login (status 407)',
		'Check the proxy that your n8n uses, for example the user name and password in the variable HTTPS_PROXY. The credential is not the cause.',
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
		'Correct the values, then run the item again.',
	],
	429: [
		"Supercast's request limit was reached {during}{nothingDone}",
		'Supercast allows 100 requests per minute across all apps. Run the remaining items again when other apps are less busy.',
	],
	'5xx': [
		'Supercast could not process the request {during} (status {status})',
		"The cause is on Supercast's side. Try again later.{look}",
	],
	gateway: [
		'A gateway or proxy got no response from Supercast {during} (status {status})',
		"If your n8n uses a proxy, check it. Otherwise, the cause is on Supercast's side. Try again later.{look}",
	],
	other: OTHER_STATUS,
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
		...(failure.kind === 'status' && statusValues(failure)),
		during: doing(request),
		look: lookBeforeRetry(request),
		subject: text,
		ifMissing: remedyIfMissing && ` ${remedyIfMissing}`,
		nothingDone: maybeProcessed ? '' : ', so nothing was done',
	};
	const fill = (template: string): string =>
		template.replace(/\{(\w+)\}/g, (_, name: string) => textOf(values[name])).trim();
	const [message, remedy] = SENTENCES[keyOf(failure, request)] ?? OTHER_STATUS;
	const detail = 'detail' in failure && failure.detail ? ` (${failure.detail})` : '';
	return [`${fill(message)}${detail}`, fill(remedy)];
}

function statusValues({ body, location: to, subdomain }: Extract<Failure, { kind: 'status' }>) {
	return {
		fields: fieldErrors(body),
		origin: to && URL.canParse(to) ? new URL(to).origin : 'another address',
		subdomain: subdomain && ` ${subdomainAdvice(subdomain)}`,
	};
}

function subdomainAdvice(subdomain: string): string {
	return `Also check 'Subdomain' in the credential. The owner of the channel "${subdomain}" must have authorized the application.`;
}

function keyOf(failure: Failure, request: ApiRequest): string {
	switch (failure.kind) {
		case 'network':
			if (Object.hasOwn(SENTENCES, failure.code)) return failure.code;
			return INSECURE.test(failure.code) ? 'insecure' : 'interrupted';
		case 'token':
			return failure.problem;
		case 'notJson':
			if (failure.truncated) return 'cutOff';
			return failure.isBarrier === true ? 'barrier' : 'webPage';
		case 'status':
			return keyOfResponse(failure, request);
		default:
			return failure.kind;
	}
}

function keyOfResponse(failure: Failure & { kind: 'status' }, request: ApiRequest): string {
	if (failure.isTokenRefused === true) return '401';
	return failure.isBare ? 'bare' : keyOfStatus(failure.status, failure.body, request);
}

function keyOfStatus(status: number, body: unknown, request: ApiRequest): string {
	if ([301, 302, 303, 307, 308].includes(status)) return 'redirect';
	if (status >= 300 && status < 400) return '3xx';
	const special = specialKey(status, body, request);
	if (special !== undefined) return special;
	// Supercast itself sends JSON.
	if ([502, 504].includes(status) && !isRecord(body)) return 'gateway';
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
