import { pause, type Clock } from '../clock';
import { describeFailure, ServiceError } from '../errors/errors';
import { asRecord } from '../json';
import type { AcquireOptions, AcquireResult, Slot } from '../rate-limit/rateLimiter';
import type { ApiRequest, ApiResponse, Attempt, Failure } from '../types';
import { decide, isTimeOut, type RequestState } from './retryPolicy';

/** How to send one request, and how long to keep trying. Times are in milliseconds. */
export interface RetryContext {
	/** Waits for the right to send one request. A retry has a deadline. */
	acquire: (options: AcquireOptions) => Promise<AcquireResult>;
	/** Sends the request once. Does not throw. */
	send(idempotencyKey: string | undefined): Promise<Attempt>;
	/**
	 * Finds out whether Supercast processed the request. Throws ServiceError. Its status is 404 if
	 * there is no sign of that.
	 */
	confirm(limits: Limits): Promise<ApiResponse>;
	/** Creates a UUID to use as the idempotency key. */
	newKey(): string;
	clock: Clock;
	/** Returns a random number from 0 to 1. */
	random: () => number;
	/** How long to retry the request, from when it was first sent. */
	maxWaitMs: number;
	limits: Limits;
	/** See `runtime`. */
	waits: { backoffMs: number; visibleMs: number; lateMs: number };
	/** Ends every wait when aborted. */
	signal?: AbortSignal;
}

/** Limits of a request that is part of another one, or that may not find its record. */
export interface Limits {
	/** The latest end, by the clock's `now`. */
	deadline: number;
	/** How many milliseconds a 404 may be temporary. At most 0 if it is final. */
	hiddenMs: number;
}

const LONGEST_BACKOFF_MS = 30_000;

/**
 * Sends a request, and retries it as long as that is safe and `maxWaitMs` has not passed.
 *
 * If the outcome of a create request is unknown, looks for signs of it for a few seconds. After a
 * timeout, it looks for half a minute. Retries the request only if there are none.
 *
 * @throws ServiceError if Supercast refuses the request, the time is up, or the signal is aborted.
 * After a refusal, `maybeProcessed` says whether an earlier try may have succeeded.
 */
export async function sendWithRetry(
	request: ApiRequest,
	context: RetryContext,
): Promise<ApiResponse> {
	return await new RetriedRequest(request, context).run();
}

/**
 * How long to wait before a retry. The longest wait doubles with each retry. The actual wait is
 * random, from half of the longest wait to all of it. So requests that failed together do not retry
 * together.
 *
 * @param repeat The number of the retry, starting at 1.
 * @returns Milliseconds, at most 30,000.
 */
export function backoff(repeat: number, firstMs: number, random: () => number): number {
	const ms = Math.min(firstMs * 2 ** (repeat - 1), LONGEST_BACKOFF_MS);
	return ms / 2 + (random() * ms) / 2;
}

class RetriedRequest {
	private readonly key: string | undefined;
	private attempts = 0;
	private retries = 0;
	private firstSentAt = 0;
	private deadline: number;
	private hiddenUntil = -Infinity;
	private lastFailure: Failure | undefined;
	private state: RequestState = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };

	constructor(
		private readonly request: ApiRequest,
		private readonly context: RetryContext,
	) {
		// The vendor's Ruby client sends a key with POST and DELETE. It is unknown whether
		// Supercast uses the key.
		this.key = ['POST', 'DELETE'].includes(request.method) ? context.newKey() : undefined;
		this.deadline = context.limits.deadline;
	}

	async run(): Promise<ApiResponse> {
		for (;;) {
			const slot = await this.slot();
			const attempt = await this.context.send(this.key);
			if ('response' in attempt) {
				slot.release('counted');
				return attempt.response;
			}
			const done = await this.recover(attempt.failure, slot);
			if (done !== undefined) return done;
			await this.request.beforeRetry?.();
		}
	}

	private async slot(): Promise<Slot> {
		const { clock, signal, maxWaitMs, limits, acquire } = this.context;
		const { deadline } = this;
		const slot = await acquire({ deadline, signal });
		if (typeof slot === 'string') throw this.gaveUp(slot);
		if (this.attempts++ === 0) {
			this.firstSentAt = clock.now();
			this.deadline = Math.min(deadline, this.firstSentAt + maxWaitMs);
			this.hiddenUntil = this.firstSentAt + limits.hiddenMs;
		}
		return slot;
	}

	/** Prepares a retry. Returns the response if an earlier attempt turns out to have succeeded. */
	private async recover(failure: Failure, slot: Slot): Promise<ApiResponse | undefined> {
		const now = this.context.clock.now();
		const mayBeHidden = now < this.hiddenUntil;
		const { action, ...state } = decide(failure, this.request, { ...this.state, mayBeHidden });
		this.state = state;
		this.lastFailure = failure;
		if (action === 'queueAgain') {
			slot.release('refused', this.toldToWait());
			return undefined;
		}
		slot.release('counted');
		if (action === 'fail') throw this.failed(failure);
		await this.wait(mayBeHidden ? this.hiddenUntil - now : Infinity);
		return action === 'confirm' ? await this.confirmed(failure) : undefined;
	}

	private async wait(mostMs: number): Promise<void> {
		const { clock, random, waits, signal } = this.context;
		const backoffMs = Math.min(mostMs, backoff(++this.retries, waits.backoffMs, random));
		const ms = Math.max(backoffMs, this.toldToWait() ?? 0);
		if (clock.now() + ms >= this.deadline) throw this.gaveUp('late');
		if (!(await pause(clock, ms, signal))) throw this.gaveUp('stopped');
	}

	/** The value of `Retry-After`, if this request can wait that long. */
	private toldToWait(): number | undefined {
		const { lastFailure: failure } = this;
		const ms = failure?.kind === 'status' ? failure.retryAfterMs : undefined;
		const isInTime = ms !== undefined && this.context.clock.now() + ms < this.deadline;
		return isInTime ? ms : undefined;
	}

	/** Returns undefined if Supercast certainly has not processed the request. */
	private async confirmed(failure: Failure): Promise<ApiResponse | undefined> {
		const { deadline, context } = this;
		const { clock, waits, signal } = context;
		const hiddenMs = isTimeOut(failure) ? waits.lateMs : waits.visibleMs;
		const until = clock.now() + hiddenMs;
		try {
			return await context.confirm({ deadline, hiddenMs });
		} catch (error) {
			if (signal?.aborted === true) throw this.gaveUp('stopped');
			const isMissing = error instanceof ServiceError && error.status === 404;
			// A look-up that failed, or ended too early, proves nothing.
			if (!isMissing || clock.now() < until) throw this.failed(failure);
			return undefined;
		}
	}

	private gaveUp(why: 'late' | 'stopped'): ServiceError {
		const { lastFailure } = this;
		if (why === 'late' && lastFailure !== undefined) return this.failed(lastFailure);
		// Our own signal ends a request that takes too long. n8n's signal ends a request if a user
		// stops the execution.
		const isTimeOver = asRecord(this.context.signal?.reason).name === 'TimeoutError';
		return this.failed({ kind: 'network', code: isTimeOver ? 'ETIMEDOUT' : 'ERR_CANCELED' });
	}

	private failed(failure: Failure): ServiceError {
		const { attempts, state, context, firstSentAt } = this;
		const ms = context.clock.now() - firstSentAt;
		const { maybeProcessed } = state;
		return describeFailure(failure, this.request, { attempts, ms, maybeProcessed });
	}
}
