/** The errors of this package's transport. Pure: they know neither n8n nor resources. */

/** Why a request failed, as far as the network and the answer tell. */
export type Failure =
	| { kind: 'status'; status: number; body: unknown; location?: string }
	| { kind: 'network'; code: string }
	| { kind: 'notJson'; status: number; truncated: boolean }
	| { kind: 'unexpected'; status: number };

/** A request that failed, described for the person who reads the error in the editor. */
export class ServiceError extends Error {
	readonly description: string;

	/** HTTP status; undefined when no answer arrived. */
	readonly status: number | undefined;

	readonly failure: Failure;

	constructor(message: string, description: string, failure: Failure) {
		super(message);
		this.name = 'ServiceError';
		this.description = description;
		this.failure = failure;
		this.status = failure.kind === 'network' ? undefined : failure.status;
	}
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
