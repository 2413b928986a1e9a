/** The errors of this package's transport. Pure: they know neither n8n nor resources. */

/** Why there is no token to send with an OAuth2 request. */
export type TokenProblem =
	/** Nobody has authorized the application yet. */
	| 'notConnected'
	/** The owner, or a second use of a refresh token, has ended the connection. */
	| 'revoked'
	| 'wrongApplication'
	| 'wrongScope'
	| 'wrongAddress'
	| 'refused'
	/** n8n has none and does not say why. */
	| 'missing'
	/** The service could not be asked; later it may be. */
	| 'unavailable'
	/** The API does not take the new token either. */
	| 'rejected';

/** The API was not asked, or answered 401: nothing was processed. */
export interface TokenFailure {
	kind: 'token';
	problem: TokenProblem;
	/** A code, for those who look into it. */
	detail?: string;
}

/** Why a request failed, as far as the network and the answer tell. */
export type Failure =
	| { kind: 'status'; status: number; body: unknown; location?: string; retryAfterMs?: number }
	/** `isUnsent`: the connection did not even come about. */
	| { kind: 'network'; code: string; isUnsent?: boolean }
	| { kind: 'notJson'; status: number; truncated: boolean }
	| { kind: 'unexpected'; status: number }
	| TokenFailure
	/** The answer to a create was lost, and the record that was then found is older than that. */
	| { kind: 'existedBefore' };

/** A request that failed, described for the person who reads the error in the editor. */
export class ServiceError extends Error {
	readonly description: string;

	/** HTTP status; undefined when no answer arrived. */
	readonly status: number | undefined;

	readonly failure: Failure;

	constructor(
		message: string,
		description: string,
		failure: Failure,
		/** How often the request was sent. */
		readonly tries = 1,
	) {
		super(message);
		this.name = 'ServiceError';
		this.description = description;
		this.failure = failure;
		this.status = statusOf(failure);
	}
}

function statusOf(failure: Failure): number | undefined {
	if (failure.kind === 'token') return failure.problem === 'unavailable' ? undefined : 401;
	return 'status' in failure ? failure.status : undefined;
}

/** Input that cannot lead to a meaningful request; thrown before anything is sent. */
export class InputError extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.name = 'InputError';
		this.description = description;
	}
}
