import { randomUUID } from 'node:crypto';

import { sleep } from 'n8n-workflow';

import type { Clock } from './clock';

const clock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	sleep: async (ms, signal) => await sleep(ms, signal),
};

/** The clock, chance and time limits. Tests and the benchmark replace individual values. */
export const runtime = {
	clock,
	random: (): number => Math.random(),
	newKey: (): string => randomUUID(),
	/** Supercast counts requests per minute (specification, section 8). */
	windowMs: 60_000,
	/** How long to wait for the last byte of a response before the request is abandoned. */
	timeoutMs: 60_000,
	/** How long to wait before the first retry of a failed request. */
	backoffMs: 500,
	/**
	 * How long a look-up may fail to find a new record. Replicas and caches of web services lag by
	 * seconds. It is unknown whether Supercast uses any.
	 */
	visibleMs: 6_000,
	/**
	 * How long Supercast may keep processing a request after the node or a gateway has stopped
	 * waiting. Common web servers end their workers after half a minute.
	 */
	lateMs: 30_000,
};
