import { randomUUID } from 'node:crypto';

import { sleep } from 'n8n-workflow';

export const MINUTE_MS = 60_000;

export interface Clock {
	/** Milliseconds. Never goes backward, and starts at an arbitrary point. */
	now(): number;
	/** Milliseconds since 1970, as in dates that Supercast sends. */
	date(): number;
	/** May end early if `signal` is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const clock: Clock = { now: () => performance.now(), date: () => Date.now(), sleep };

/** Tests and the benchmark replace individual values. */
export const runtime = {
	clock,
	random: (): number => Math.random(),
	newKey: (): string => randomUUID(),
	/** Supercast counts requests per minute (specification, section 8). */
	windowMs: 60_000,
	/** How long a request may take, until the last byte of the response. */
	timeoutMs: 60_000,
	backoffMs: 500,
	/** How long reads usually lag behind a change, because of replicas and caches (inferred). */
	visibleMs: 6_000,
	/** How old reads may be at most (inferred). */
	oldMs: 60_000,
	/** How long an abandoned request may run. Common web servers end workers after half a minute. */
	lateMs: 60_000,
};

export type Runtime = typeof runtime;

/** Two clocks that run alike differ by less. */
const SHORTEST_SLEEP_MS = 1_000;

/**
 * Returns a clock that also runs while the computer sleeps, when `now` may stand still. In
 * milliseconds. Never goes backward.
 */
export function throughSleep(of: { readonly clock: Pick<Clock, 'date' | 'now'> }): () => number {
	const read = (): { now: number; date: number } => ({
		now: of.clock.now(),
		date: of.clock.date(),
	});
	let last = read();
	let sleptMs = 0;
	return () => {
		const { now, date } = read();
		const missedMs = date - last.date - (now - last.now);
		if (missedMs >= SHORTEST_SLEEP_MS) sleptMs += missedMs;
		last = { now, date };
		return now + sleptMs;
	};
}

/** A timer with a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type GivenUp = 'late' | 'stopped';

/** Waits until the time has passed, for 24.8 days at most, or until the signal is aborted. */
export async function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<GivenUp> {
	// The clock may ignore the signal, as older versions of n8n-workflow do.
	const sleep = clock.sleep(Math.min(ms, LONGEST_TIMER_MS), signal);
	return (await abortedDuring(sleep, signal)) ? 'stopped' : 'late';
}

/** Returns whether the signal was aborted before the promise was settled. */
export async function abortedDuring(
	promise: Promise<unknown>,
	signal?: AbortSignal,
): Promise<boolean> {
	return await new Promise<boolean>((resolve) => {
		const end = (): void => {
			signal?.removeEventListener('abort', end);
			resolve(signal?.aborted === true);
		};
		signal?.addEventListener('abort', end, { once: true });
		promise.then(end, end);
		if (signal?.aborted === true) end();
	});
}

export interface TimeLimit {
	clock: Clock;
	ms: number;
	signal?: AbortSignal;
}

/** Without a reason, each abort creates an error with a stack, which takes 3% of a request's time. */
const ENDED = new Error('The request has ended');

/** Runs `work` within a time limit. Ignores later results and errors. */
export async function withinTime<T>(
	{ clock, ms, signal }: TimeLimit,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<GivenUp | T> {
	if (signal?.aborted === true) return 'stopped';
	const controller = new AbortController();
	const end = (): void => controller.abort(ENDED);
	signal?.addEventListener('abort', end);
	try {
		return await Promise.race([work(controller.signal), pause(clock, ms, controller.signal)]);
	} finally {
		signal?.removeEventListener('abort', end);
		end();
	}
}
