/** The limiters of this process: one for each service and credential, shared by whoever uses them. */

import { RateLimiter } from './rateLimiter';
import type { Clock } from '../clock';

const limiters = new Map<string, RateLimiter>();

/**
 * Gives the limiter that all executions, nodes and triggers of this process share.
 *
 * @param origin Of the service, such as `https://supercast.tech`.
 * @param credentialId The credential's id in n8n.
 * @param requestsPerMinute As the credential says now; 0 for no limit on this side.
 * @param time The clock, and the minute as it counts it, in milliseconds.
 */
export function rateLimiterFor(
	origin: string,
	credentialId: string,
	requestsPerMinute: number,
	{ clock, windowMs }: { clock: Clock; windowMs: number },
): RateLimiter {
	// An idle limiter knows nothing that a new one would not, so memory is bounded by what is in use.
	for (const [key, limiter] of limiters) if (limiter.isIdle) limiters.delete(key);
	const key = `${origin} ${credentialId}`;
	const limiter = limiters.get(key) ?? new RateLimiter(requestsPerMinute, windowMs, clock);
	limiters.set(key, limiter);
	limiter.limit = requestsPerMinute;
	return limiter;
}
