import { withinTime, type GivenUp, type TimeLimit } from '../clock';
import type { Attempt, TokenFailure } from '../types';
import { RefreshMutex } from './refreshMutex';

/** What is looked at of the credential; the tokens in it are n8n's business. */
export interface Connection {
	grantType?: string;
	oauthTokenData?: { access_token?: unknown };
}

/** One attempt to send a request. */
export interface OAuthAttempt {
	/**
	 * Sends the request once; does not throw.
	 *
	 * @param mayRenew Whether n8n gets a new token where it needs one.
	 */
	send(mayRenew: boolean, signal: AbortSignal): Promise<Attempt>;
	/** What is known of the attempt when its time is over, or it was stopped. */
	unanswered(why: GivenUp): Attempt;
}

const mutexes = new Map<string, RefreshMutex<Attempt>>();

/** The mutex that all executions, nodes and triggers of this process share for a credential. */
export function refreshMutexFor(credentialId: string): RefreshMutex<Attempt> {
	const known = mutexes.get(credentialId);
	if (known !== undefined) return known;
	const mutex = new RefreshMutex<Attempt>((attempt) => tokenFailureOf(attempt) !== undefined);
	mutexes.set(credentialId, mutex);
	return mutex;
}

/** The requests of one client. */
export class OAuthSession {
	private readonly hasToken: boolean;
	private broken: TokenFailure | undefined;

	/**
	 * @param openedAt The mutex's `renewals` from before the credential was read.
	 * @param limit How long an attempt may take, and how long a wait for a new token.
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
	 * Sends a request with the token that is stored, and where that has expired or there is none, with
	 * a new one. Once the connection has turned out to be broken, nothing more is sent. Does not throw.
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
				// Another request of this client may have learned meanwhile that there is no new token.
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
		// Tokens live for hours (specification, section 5.2), so one that is new has not expired.
		const failure: TokenFailure | undefined = isUnauthorized(attempt)
			? { kind: 'token', problem: 'rejected' }
			: tokenFailureOf(attempt);
		if (failure === undefined) return attempt;
		// A refresh token that the service has refused once is not shown to it for each further item.
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
