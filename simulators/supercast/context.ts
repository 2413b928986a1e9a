import type { Random } from './data/random';
import type { FaultInjector } from './control/faults';
import type { RequestLog } from './server/requestLog';
import type { TokenStore } from './oauth/tokenStore';
import type { Options } from './options';
import type { Settings } from './settings';
import type { LimitCounter } from './server/rateLimit';
import type { Store } from './data/database';

/** The state that the parts of one sandbox share. */
export interface Context {
	readonly options: Options;
	readonly settings: Settings;
	readonly tokens: TokenStore;
	readonly log: RequestLog;
	readonly limiter: LimitCounter;
	readonly faults: FaultInjector;
	/**
	 * Responses by `Idempotency-Key`. It is unknown whether Supercast uses this header, so the
	 * sandbox uses it only with `honourIdempotencyKey`.
	 */
	readonly idempotency: Map<string, { status: number; payload: string }>;
	/** A reset replaces the whole object. */
	database: Store;
	/** `http://127.0.0.1:PORT`, set when the sandbox starts to listen. */
	origin: string;
	/** The source of all random values. */
	readonly random: Random;
	now: () => number;
	/** The current time, in Supercast's format. */
	time: () => string;
}
