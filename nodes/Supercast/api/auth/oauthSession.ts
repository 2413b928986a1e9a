import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { withinTime } from '../clock';
import { checkTokenUrl } from '../http/address';
import { askN8n, unanswered, type SendContext } from '../http/send';
import { textOf } from '../json';
import type { Attempt, Failure, TokenFailure } from '../types';
import { checkTokenEndpoint, parseTokenError } from './tokenEndpoint';

export interface Connection {
	accessTokenUrl?: string;
	grantType?: string;
	oauthTokenData?: { access_token?: unknown; refresh_token?: unknown };
}

/**
 * The renewals that are under way, by the ID of the credential. n8n coordinates renewals only in
 * 2.30 and later, and never for the first token with Client Credentials. A server that rotates
 * refresh tokens may treat one that is used twice as stolen, and end the connection.
 */
const renewals = new Map<string, Promise<Attempt>>();

/** Sends a request with the stored token, or else with a new one. Does not throw. */
export type OAuth2Sender = (
	options: IHttpRequestOptions,
	limit?: Pick<SendContext, 'signal'>,
) => Promise<Attempt>;

/**
 * Creates a sender for an OAuth2 credential. It sends a request with the stored token, or else with
 * a new one, and does not throw. Once the connection is broken, it sends no more requests.
 */
export function oAuth2Sender(
	client: SendContext,
	{ accessTokenUrl = '', grantType, oauthTokenData }: Connection,
	credentialId: string,
): OAuth2Sender {
	checkTokenUrl(accessTokenUrl);
	let hasToken = textOf(oauthTokenData?.access_token) !== '';
	let broken: TokenFailure | undefined;
	if (!hasToken && grantType !== 'clientCredentials') {
		broken = { kind: 'token', problem: 'notConnected' };
	}
	/** Notes the result of a renewal for the rest of the run. Returns why it failed, if it did. */
	const learn = (attempt: Attempt): TokenFailure | undefined => {
		const failure = renewalFailure(attempt);
		if (failure === undefined) hasToken ||= !isCanceled(attempt);
		// If Supercast has refused a refresh token, do not send it again for every remaining item.
		else if (failure.problem !== 'unavailable') broken = failure;
		return failure;
	};
	return async (options, limit) => {
		const context = { ...client, ...limit };
		const { send, inTime } = signedRequest(context, options, accessTokenUrl);
		for (;;) {
			if (hasToken && broken === undefined) {
				const attempt = await inTime(async (end) => await send(false, end));
				if (!isUnauthorized(attempt)) return attempt;
			}
			// Another request may have failed to get a new token in the meantime.
			if (broken !== undefined) return { failure: broken };
			const underWay = renewals.get(credentialId);
			const renew = async (end: AbortSignal) =>
				await (underWay ?? renewOnce(credentialId, send(true, end)));
			const attempt = await inTime(renew);
			const failure = learn(attempt);
			if (failure !== undefined) return { failure };
			// If another request has renewed the token, this one has not been sent with it yet.
			if (underWay === undefined || context.signal?.aborted === true) return attempt;
		}
	};
}

/** Makes other requests wait for this renewal instead of renewing the token too. */
async function renewOnce(credentialId: string, renewing: Promise<Attempt>): Promise<Attempt> {
	const renewal = renewing.finally(() => renewals.delete(credentialId));
	renewals.set(credentialId, renewal);
	return await renewal;
}

/** Functions that send one request, once or repeatedly. They do not throw. */
function signedRequest(context: SendContext, options: IHttpRequestOptions, accessTokenUrl: string) {
	let refused: unknown;
	/** The status of the response that refused the token. */
	let expired: number | undefined;
	let headers: IDataObject = {};
	// n8n adds the token to the headers. Supercast processes a request only with a token that it
	// has not refused.
	const isSigned = (): boolean =>
		headers.Authorization !== undefined && headers.Authorization !== refused;
	return {
		/** Sends the request once. If `mayRenew`, n8n may get a new token first. */
		send: async (mayRenew: boolean, signal: AbortSignal): Promise<Attempt> => {
			const own: IDataObject = { ...options.headers };
			headers = own;
			const problem = mayRenew && (await checkTokenEndpoint(context, accessTokenUrl, signal));
			if (problem) return { failure: problem };
			// n8n gets a new token only if it throws the 401 as an error instead of returning it.
			const request = { ...options, headers: own, ignoreHttpStatusErrors: !mayRenew };
			const readError = (error: unknown): TokenFailure | undefined =>
				parseTokenError(error, accessTokenUrl, isSigned());
			const attempt = await askN8n(context, request, signal, readError, expired);
			// The credential was read earlier, so it does not contain a token that n8n gets now.
			context.secrets.add(textOf(own.Authorization).replace(/^Bearer /, ''));
			const isRefused = isUnauthorized(attempt);
			// n8n has asked for a new token, and got the old one, or an error with a success status.
			const isOld = mayRenew && refused !== undefined && refused === own.Authorization;
			// The request is sent again only if the response has refused this token.
			refused = own.Authorization;
			if (isRefused) expired = attempt.failure.status === 401 ? undefined : attempt.failure.status;
			return isRefused && isOld ? { failure: { kind: 'token', problem: 'notIssued' } } : attempt;
		},
		inTime: async (work: (signal: AbortSignal) => Promise<Attempt>): Promise<Attempt> => {
			const done = await withinTime(context, work);
			if (typeof done !== 'string') return done;
			if (done === 'stopped' || isSigned()) return unanswered(done);
			return { failure: { kind: 'token', problem: 'unavailable', detail: 'ETIMEDOUT' } };
		},
	};
}

/** Why an attempt to renew the token failed. Undefined if it succeeded. */
function renewalFailure(attempt: Attempt): TokenFailure | undefined {
	// Tokens are valid for hours (specification, section 5.2), so a new one has not expired.
	if (isUnauthorized(attempt)) return { kind: 'token', problem: 'rejected' };
	return 'failure' in attempt && attempt.failure.kind === 'token' ? attempt.failure : undefined;
}

/** Whether a stop ended the attempt. If it was a renewal, nothing is known about the token. */
function isCanceled(attempt: Attempt): boolean {
	if (!('failure' in attempt)) return false;
	return attempt.failure.kind === 'network' && attempt.failure.code === 'ERR_CANCELED';
}

type Refusal = { failure: Extract<Failure, { kind: 'status' }> };

/** Whether the API has refused the token. Some servers send 400 or 403 instead of 401. */
function isUnauthorized(attempt: Attempt): attempt is Refusal {
	if (!('failure' in attempt) || attempt.failure.kind !== 'status') return false;
	return attempt.failure.status === 401 || attempt.failure.isTokenRefused === true;
}
