import { withinTime, type GivenUp, type TimeLimit } from '../clock';
import type { Attempt, TokenFailure } from '../types';

/** The credential fields in which n8n stores and renews the tokens. */
export interface Connection {
	grantType?: string;
	oauthTokenData?: { access_token?: unknown };
}

/** One attempt to send a request. */
export interface OAuthAttempt {
	/** Sends the request once. If `mayRenew`, n8n may get a new token first. Does not throw. */
	send(mayRenew: boolean, signal: AbortSignal): Promise<Attempt>;
	/** Returns the result of an attempt that timed out or was stopped. */
	unanswered(why: GivenUp): Attempt;
}

/**
 * Makes sure that only one request in this process gets a new token for a credential at a time.
 *
 * n8n coordinates renewals in version 2.30 and later. No version coordinates requests for the first
 * token with Client Credentials. A server that rotates refresh tokens may treat a token that is used
 * twice as stolen, and end the connection.
 */
export class RefreshMutex {
	private count = 0;
	private underWay: Promise<Attempt | undefined> | undefined;

	/** The number of times that the token has been renewed. Read this before you read the token. */
	get renewals(): number {
		return this.count;
	}

	/**
	 * Renews the token, unless another request has renewed it since `seen` was read, or is renewing
	 * it now.
	 *
	 * @param work Gets a new token and sends the request with it. The mutex stays locked until it ends,
	 * even if its caller no longer waits, because a refresh token must not be used twice.
	 * @returns The result of `work`. Undefined if another request has renewed the token. If it failed to,
	 * its result, because a second renewal would fail too.
	 */
	async renew(seen: number, work: () => Promise<Attempt>): Promise<Attempt | undefined> {
		if (this.count !== seen) return undefined;
		if (this.underWay !== undefined) return await this.underWay;
		const done = work();
		this.underWay = done.then(
			(answer) => (tokenFailureOf(answer) !== undefined ? answer : undefined),
			() => undefined,
		);
		try {
			const answer = await done;
			if (tokenFailureOf(answer) === undefined) this.count++;
			return answer;
		} finally {
			this.underWay = undefined;
		}
	}
}

const mutexes = new Map<string, RefreshMutex>();

/** Gets the mutex that all nodes in this process share for a credential. */
export function refreshMutexFor(credentialId: string): RefreshMutex {
	const mutex = mutexes.get(credentialId) ?? new RefreshMutex();
	mutexes.set(credentialId, mutex);
	return mutex;
}

/** Sends the requests of one `SupercastClient` over an OAuth2 connection. */
export class OAuthSession {
	private readonly hasToken: boolean;
	private broken: TokenFailure | undefined;

	constructor(
		private readonly mutex: RefreshMutex,
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
				// Meanwhile, another request from this client may have failed to get a new token.
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
		// Tokens are valid for hours (specification, section 5.2), so this one has not expired.
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
