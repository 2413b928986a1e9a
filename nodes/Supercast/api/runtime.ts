import { randomUUID } from 'node:crypto';

import { sleep } from 'n8n-workflow';

import type { Clock } from './clock';

const clock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	sleep: async (ms, signal) => await sleep(ms, signal),
};

/** Time, chance, and how long things last. Nothing a user sets: tests and the benchmark replace single values. */
export const runtime = {
	clock,
	random: (): number => Math.random(),
	newKey: (): string => randomUUID(),
	/** The service counts requests per minute (specification, section 8). */
	windowMs: 60_000,
	/** How long an answer may take, to its last byte, before it is given up. */
	timeoutMs: 60_000,
	/** Before the first repeat of a request that failed on the way. */
	backoffMs: 500,
	/**
	 * How long a record that was created may stay hidden from those who look for it: replicas and caches
	 * of web services lag by seconds, and whether Supercast has any is not shown.
	 */
	visibleMs: 6_000,
	/**
	 * How long a service may go on with a request that it, or a gateway before it, has given up. Half a
	 * minute is where common web servers end their workers.
	 */
	lateMs: 30_000,
};
