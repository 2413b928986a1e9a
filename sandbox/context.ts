import type { FaultInjector } from './faults';
import type { Idempotency } from './idempotency';
import type { RequestLog } from './log';
import type { TokenStore } from './oauth/tokenStore';
import type { Options, Settings } from './options';
import type { RateLimiter } from './rateLimit';
import type { World } from './store/world';

/** What the parts of one sandbox share. */
export interface Context {
	readonly options: Options;
	readonly settings: Settings;
	readonly tokens: TokenStore;
	readonly log: RequestLog;
	readonly limiter: RateLimiter;
	readonly faults: FaultInjector;
	readonly idempotency: Idempotency;
	/** Replaced as a whole by a reset. */
	world: World;
	/** `http://127.0.0.1:PORT`, known once the sandbox listens. */
	origin: string;
	now(): number;
	/** The present moment, as the service writes times. */
	time(): string;
}
