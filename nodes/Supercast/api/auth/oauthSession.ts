import type { TokenFailure } from '../errors/errors';
import { TokenGate } from './refreshMutex';
import type { Attempt } from '../types';

/** What is looked at of the credential; the tokens in it are n8n's business. */
export interface Connection {
	grantType?: string;
	oauthTokenData?: { access_token?: unknown };
}

/** Sends a request once. Does not throw. With `mayRenew`, n8n gets a new token where it needs one. */
export type SendOnce = (mayRenew: boolean) => Promise<Attempt>;

/**
 * How many new tokens in a row may be refused before the connection counts as broken. One that lives
 * for seconds can expire on its way through a busy n8n.
 */
const MOST_RENEWALS = 4;

const gates = new Map<string, TokenGate<Attempt>>();

/** The gate that all executions, nodes and triggers of this process share for a credential. */
export function gateOf(credentialId: string): TokenGate<Attempt> {
	const known = gates.get(credentialId);
	if (known !== undefined) return known;
	const gate = new TokenGate<Attempt>((attempt) => tokenFailureOf(attempt) !== undefined);
	gates.set(credentialId, gate);
	return gate;
}

/** The requests of one client. */
export class OAuthSession {
	private readonly hasToken: boolean;
	private broken: TokenFailure | undefined;

	/**
	 * @param openedAt The gate's `renewals` from before the credential was read.
	 */
	constructor(
		private readonly gate: TokenGate<Attempt>,
		private readonly openedAt: number,
		{ grantType, oauthTokenData }: Connection,
	) {
		const token = oauthTokenData?.access_token;
		this.hasToken = token !== undefined && token !== '';
		if (!this.hasToken && grantType !== 'clientCredentials') {
			this.broken = { kind: 'token', problem: 'notConnected' };
		}
	}

	/**
	 * Sends a request with the token that is stored, and where that has expired or there is none, with
	 * a new one. Once the connection has turned out to be broken, nothing more is sent.
	 */
	async send(sendOnce: SendOnce): Promise<Attempt> {
		let rejected = 0;
		for (;;) {
			if (this.broken !== undefined) return { failure: this.broken };
			const seen = this.gate.renewals;
			if (this.hasToken || seen !== this.openedAt) {
				const attempt = await sendOnce(false);
				if (!isUnauthorized(attempt)) return attempt;
				// Another request of this client may have learned meanwhile that there is no new token.
				if (this.isBroken()) continue;
			}
			const attempt = await this.gate.renew(seen, async () => await sendOnce(true));
			if (attempt === undefined) continue;
			if (isUnauthorized(attempt) && ++rejected < MOST_RENEWALS) continue;
			return this.remember(attempt);
		}
	}

	private isBroken(): boolean {
		return this.broken !== undefined;
	}

	private remember(attempt: Attempt): Attempt {
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
