/** The limiters of this process, one for each host and credential. */

import { RateLimiter } from './rateLimiter';
import type { Clock } from '../clock';

const limiters = new Map<string, RateLimiter>();

/**
 * Gets the limiter that all executions, nodes and triggers in this process share for a credential.
 *
 * @param origin Supercast's origin, such as `https://supercast.tech`.
 * @param credentialId The credential's ID in n8n.
 * @param requestsPerMinute The credential's current setting; 0 for no pacing.
 * @param time The clock, and the length of a window in milliseconds.
 */
export function rateLimiterFor(
	origin: string,
	credentialId: string,
	requestsPerMinute: number,
	{ clock, windowMs }: { clock: Clock; windowMs: number },
): RateLimiter {
	// An idle limiter behaves exactly like a new one. Deleting idle limiters keeps memory use low.
	for (const [key, limiter] of limiters) if (limiter.isIdle) limiters.delete(key);
	const key = `${origin} ${credentialId}`;
	const limiter = limiters.get(key) ?? new RateLimiter(requestsPerMinute, windowMs, clock);
	limiters.set(key, limiter);
	limiter.limit = requestsPerMinute;
	return limiter;
}
