import { randomUUID } from 'node:crypto';

import { sleep } from 'n8n-workflow';

import type { Clock } from './clock';

const clock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	sleep: async (ms, signal) => await sleep(ms, signal),
};

/**
 * The clock, random numbers and time limits. Users cannot set these. Tests and the benchmark
 * replace single values.
 */
export const runtime = {
	clock,
	random: (): number => Math.random(),
	newKey: (): string => randomUUID(),
	/** Supercast counts requests per minute (specification, section 8). */
	windowMs: 60_000,
	/** How long a response may take, to its last byte, before the request is abandoned. */
	timeoutMs: 60_000,
	/** Before the first retry of a request that failed on the way. */
	backoffMs: 500,
	/**
	 * How long a new record may stay hidden from a search. Replicas and caches of web services lag
	 * by seconds. It is unknown whether Supercast has any.
	 */
	visibleMs: 6_000,
	/**
	 * How long Supercast may continue with a request after it, or a gateway, has timed out. Common
	 * web servers end their workers after half a minute.
	 */
	lateMs: 30_000,
};
