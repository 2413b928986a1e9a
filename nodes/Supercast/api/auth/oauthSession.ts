import { withinTime, type GivenUp, type TimeLimit } from '../clock';
import type { Attempt, TokenFailure } from '../types';
import { RefreshMutex } from './refreshMutex';

/** The credential fields that this module uses. n8n stores and renews the tokens in them. */
export interface Connection {
	grantType?: string;
	oauthTokenData?: { access_token?: unknown };
}

/** One attempt to send a request. */
export interface OAuthAttempt {
	/**
	 * Sends the request once. Does not throw.
	 *
	 * @param mayRenew Whether n8n may get a new token if it needs one.
	 */
	send(mayRenew: boolean, signal: AbortSignal): Promise<Attempt>;
	/** Returns the result of an attempt that timed out or was stopped. */
	unanswered(why: GivenUp): Attempt;
}

const mutexes = new Map<string, RefreshMutex<Attempt>>();

/**
 * Gets the mutex that all executions, nodes and triggers in this process share for a credential.
 */
export function refreshMutexFor(credentialId: string): RefreshMutex<Attempt> {
	const known = mutexes.get(credentialId);
	if (known !== undefined) return known;
	const mutex = new RefreshMutex<Attempt>((attempt) => tokenFailureOf(attempt) !== undefined);
	mutexes.set(credentialId, mutex);
	return mutex;
}

/** Sends the requests of one `SupercastClient` over an OAuth2 connection. */
export class OAuthSession {
	private readonly hasToken: boolean;
	private broken: TokenFailure | undefined;

	/**
	 * @param openedAt The value of the mutex's `renewals` before the credential was read.
	 * @param limit The time limit for an attempt, and for a wait for a new token.
	 */
	constructor(
		private readonly mutex: RefreshMutex<Attempt>,
		private readonly openedAt: number,
		{ grantType, oauthTokenData }: Connection,
		private readonly limit: TimeLimit,
	) {
		const token = oauthTokenData?.access_token;
		this.hasToken = token !== undefined && token !== '';
		if (!this.hasToken && grantType !== 'clientCredentials') {
			this.broken = { kind: 'token', problem: 'notConnected' };
		}
	}

	/**
	 * Sends a request with the stored token. If that token is missing or expired, gets a new token
	 * first. Once the connection turns out to be broken, sends no more requests. Does not throw.
	 */
	async send(attempt: OAuthAttempt): Promise<Attempt> {
		for (;;) {
			if (this.broken !== undefined) return { failure: this.broken };
			const seen = this.mutex.renewals;
			if (this.hasToken || seen !== this.openedAt) {
				const sent = await this.inTime(
					attempt,
					async (signal) => await attempt.send(false, signal),
				);
				if (!isUnauthorized(sent)) return sent;
				// In the meantime, another request from this client may have failed to get a new
				// token.
				if (this.isBroken()) continue;
			}
			const renewed = await this.inTime(
				attempt,
				async (signal) =>
					await this.mutex.renew(seen, async () => await attempt.send(true, signal)),
			);
			if (renewed !== undefined) return this.remember(renewed);
		}
	}

	private async inTime<T extends Attempt | undefined>(
		attempt: OAuthAttempt,
		work: (signal: AbortSignal) => Promise<T>,
	): Promise<Attempt | T> {
		const done = await withinTime(this.limit, work);
		return typeof done === 'string' ? attempt.unanswered(done) : done;
	}

	private isBroken(): boolean {
		return this.broken !== undefined;
	}

	private remember(attempt: Attempt): Attempt {
		// Tokens are valid for hours (specification, section 5.2), so this new token has not
		// expired.
		const failure: TokenFailure | undefined = isUnauthorized(attempt)
			? { kind: 'token', problem: 'rejected' }
			: tokenFailureOf(attempt);
		if (failure === undefined) return attempt;
		// If Supercast has refused a refresh token, do not send it again for every remaining item.
		if (failure.problem !== 'unavailable') this.broken = failure;
		return { failure };
	}
}

function tokenFailureOf(attempt: Attempt): TokenFailure | undefined {
	return 'failure' in attempt && attempt.failure.kind === 'token' ? attempt.failure : undefined;
}

function isUnauthorized(attempt: Attempt): boolean {
	if (!('failure' in attempt)) return false;
	return attempt.failure.kind === 'status' && attempt.failure.status === 401;
}
