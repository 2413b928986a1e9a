/** The pacers of this process: one for each service and credential, shared by whoever uses them. */

import { Pacer } from './rateLimiter';
import { runtime } from '../runtime';

const pacers = new Map<string, Pacer>();

/**
 * Gives the pacer that all executions, nodes and triggers of this process share.
 *
 * @param origin Of the service, such as `https://supercast.tech`.
 * @param credentialId The credential's id in n8n.
 * @param requestsPerMinute As the credential says now; 0 for no limit on this side.
 */
export function pacerFor(origin: string, credentialId: string, requestsPerMinute: number): Pacer {
	const key = `${origin} ${credentialId}`;
	const known = pacers.get(key);
	if (known !== undefined) {
		known.limit = requestsPerMinute;
		return known;
	}
	dropIdle();
	const pacer = new Pacer(requestsPerMinute, runtime.windowMs, runtime.clock);
	pacers.set(key, pacer);
	return pacer;
}

/** Keeps memory bounded by what is in use: an idle pacer knows nothing that a new one would not. */
function dropIdle(): void {
	for (const [key, pacer] of pacers) {
		if (pacer.isIdle) pacers.delete(key);
	}
}
