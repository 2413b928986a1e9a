import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { withinTime, type GivenUp, type TimeLimit } from '../clock';
import { checkTokenUrl } from '../http/address';
import { parseThrownError } from '../http/parseErrorResponse';
import { askN8n, unanswered, type SendContext, type Sender } from '../http/send';
import { textOf } from '../json';
import type { Attempt, TokenFailure } from '../types';
import { checkTokenEndpoint, parseTokenError } from './tokenEndpoint';

export interface Connection {
	accessTokenUrl?: string;
	grantType?: string;
	oauthTokenData?: { access_token?: unknown; refresh_token?: unknown };
}

export interface OAuthAttempt {
	/** Sends the request once. If `mayRenew`, n8n may get a new token first. Does not throw. */
	send(mayRenew: boolean, signal: AbortSignal): Promise<Attempt>;
	unanswered(why: GivenUp): Attempt;
}

/** Creates a sender for an OAuth2 credential. */
export function oAuth2Sender(
	context: SendContext,
	credential: Connection,
	credentialId: string,
): Sender {
	const { accessTokenUrl = '' } = credential;
	checkTokenUrl(accessTokenUrl);
	const session = new OAuthSession(credentialId, credential, context);
	return async (options) => await session.send(oAuthAttempt(context, options, accessTokenUrl));
}

function oAuthAttempt(
	context: SendContext,
	options: IHttpRequestOptions,
	accessTokenUrl: string,
): OAuthAttempt {
	let refused: unknown;
	let headers: IDataObject = {};
	// n8n adds the token to the headers. It never sends a request without a token, or with a refused one.
	const isSigned = (): boolean =>
		headers.Authorization !== undefined && headers.Authorization !== refused;
	return {
		send: async (mayRenew, signal) => {
			const own: IDataObject = { ...options.headers };
			headers = own;
			const problem = mayRenew && (await checkTokenEndpoint(context, accessTokenUrl, signal));
			if (problem) return { failure: problem };
			try {
				// n8n gets a new token only if it throws the 401 as an error instead of returning it.
				const request = { ...options, headers: own, ignoreHttpStatusErrors: !mayRenew };
				const attempt = await askN8n(context, request, signal);
				if (isUnauthorized(attempt)) refused = own.Authorization;
				return attempt;
			} catch (error) {
				const failure = parseTokenError(error, accessTokenUrl, isSigned());
				return { failure: failure ?? parseThrownError(error, context.clock.date()) };
			} finally {
				// The credential was read earlier, so it does not contain a token that n8n gets now.
				context.secrets.add(textOf(own.Authorization).replace(/^Bearer /, ''));
			}
		},
		unanswered: (why) => {
			if (why === 'stopped' || isSigned()) return unanswered(why);
			return { failure: { kind: 'token', problem: 'unavailable', detail: 'ETIMEDOUT' } };
		},
	};
}

/** The renewals that are under way, by the ID of the credential. */
const renewals = new Map<string, Promise<Attempt>>();

/**
 * Renews a token, unless another request in this process is doing so. n8n coordinates renewals only
 * in 2.30 and later, and never for the first token with Client Credentials. A server that rotates
 * refresh tokens may treat one that is used twice as stolen, and end the connection.
 * @returns Undefined if another request has renewed the token. If that renewal failed, returns its
 * result, because a second one would fail too.
 */
async function renew(
	credentialId: string,
	work: () => Promise<Attempt>,
): Promise<Attempt | undefined> {
	const underWay = renewals.get(credentialId);
	if (underWay !== undefined) return withoutToken(await underWay);
	const own = work().finally(() => renewals.delete(credentialId));
	renewals.set(credentialId, own);
	return await own;
}

/** Sends the requests of one `SupercastClient` over an OAuth2 connection. */
export class OAuthSession {
	private hasToken: boolean;
	private broken: { failure: TokenFailure } | undefined;

	constructor(
		private readonly credentialId: string,
		{ grantType, oauthTokenData }: Connection,
		private readonly limit: TimeLimit,
	) {
		this.hasToken = textOf(oauthTokenData?.access_token) !== '';
		if (!this.hasToken && grantType !== 'clientCredentials') {
			this.broken = { failure: { kind: 'token', problem: 'notConnected' } };
		}
	}

	/**
	 * Sends a request with the stored token, or else with a new one. Does not throw. Once the
	 * connection turns out to be broken, sends no more requests.
	 */
	async send(attempt: OAuthAttempt): Promise<Attempt> {
		for (;;) {
			if (this.broken !== undefined) return this.broken;
			if (this.hasToken) {
				const sent = await this.inTime(
					attempt,
					async (signal) => await attempt.send(false, signal),
				);
				if (!isUnauthorized(sent)) return sent;
			}
			// Meanwhile, another request from this client may have failed to get a new token.
			const renewed = await this.inTime(attempt, async (signal) => {
				const work = async () => this.broken ?? (await attempt.send(true, signal));
				return await renew(this.credentialId, work);
			});
			if (renewed !== undefined) return this.remember(renewed);
			this.hasToken = true;
		}
	}

	private async inTime<T extends Attempt | undefined>(
		attempt: OAuthAttempt,
		work: (signal: AbortSignal) => Promise<T>,
	): Promise<Attempt | T> {
		const done = await withinTime(this.limit, work);
		return typeof done === 'string' ? attempt.unanswered(done) : done;
	}

	private remember(attempt: Attempt): Attempt {
		// Tokens are valid for hours (specification, section 5.2), so this one has not expired.
		const failed = isUnauthorized(attempt)
			? { failure: { kind: 'token', problem: 'rejected' } as const }
			: withoutToken(attempt);
		this.hasToken ||= failed === undefined;
		// If Supercast has refused a refresh token, do not send it again for every remaining item.
		if (failed !== undefined && failed.failure.problem !== 'unavailable') this.broken = failed;
		return failed ?? attempt;
	}
}

function withoutToken(attempt: Attempt): { failure: TokenFailure } | undefined {
	if (!('failure' in attempt) || attempt.failure.kind !== 'token') return undefined;
	return { failure: attempt.failure };
}

function isUnauthorized(attempt: Attempt): boolean {
	if (!('failure' in attempt)) return false;
	return attempt.failure.kind === 'status' && attempt.failure.status === 401;
}
