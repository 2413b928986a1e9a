/** What the transport takes from outside: the time, chance, and how long things last. */

import { randomUUID } from 'node:crypto';

import { sleep } from 'n8n-workflow';

import type { Clock } from './clock';

const clock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	sleep: async (ms, signal) => await sleep(ms, signal),
};

/** Nothing a user sets: tests and the benchmark replace single values of it. */
export const runtime = {
	clock,
	random: (): number => Math.random(),
	newKey: (): string => randomUUID(),
	/** The service counts requests per minute (specification, section 8). */
	windowMs: 60_000,
	/** How long an answer may take before it is given up. */
	timeoutMs: 60_000,
	/** Wait before the first repeat of a request that failed on the way. */
	backoffMs: 500,
};
