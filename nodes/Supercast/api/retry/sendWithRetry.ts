import { pause, type Runtime } from '../clock';
import { describeFailure, ServiceError } from '../errors/errors';
import { asRecord } from '../json';
import type { AcquireOptions, AcquireResult, Slot } from '../rate-limit/rateLimiter';
import type { ApiRequest, ApiResponse, Attempt, Failure } from '../types';
import { decide, isTimeOut, type RequestState } from './retryPolicy';

/** How to send requests, and how long to keep trying. Times are in milliseconds. */
export interface RetryContext extends Runtime {
	/** Waits for the right to send one request. A retry has a deadline. */
	acquire(options: AcquireOptions): Promise<AcquireResult>;
	/** Sends a request once. Does not throw. */
	send(request: ApiRequest, idempotencyKey: string | undefined): Promise<Attempt>;
	/** How long to retry a request, from when it was first sent. */
	maxWaitMs: number;
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
	limits: Limits,
): Promise<ApiResponse> {
	return await new RetriedRequest(request, context, limits).run();
}

/** The request that finds the record of another request by its new name. */
export function lookUpOf({ path, subject }: ApiRequest, newName: string): ApiRequest {
	return { method: 'GET', path: [path[0]!, newName], subject, expects: 'record' };
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
	private attempts = 0;
	private retries = 0;
	private firstSentAt = 0;
	private deadline: number;
	private lastFailure: Failure | undefined;
	private state: RequestState = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };

	constructor(
		private readonly request: ApiRequest,
		private readonly context: RetryContext,
		private readonly limits: Limits,
	) {
		this.deadline = limits.deadline;
	}

	async run(): Promise<ApiResponse> {
		const { request, context } = this;
		// The vendor's Ruby client sends a key with POST and DELETE. It is unknown whether
		// Supercast uses the key.
		const key = ['POST', 'DELETE'].includes(request.method) ? context.newKey() : undefined;
		for (;;) {
			const slot = await context.acquire({ deadline: this.deadline, signal: context.signal });
			if (typeof slot === 'string') throw this.gaveUp(slot);
			if (this.attempts++ === 0) {
				this.firstSentAt = context.clock.now();
				this.deadline = Math.min(this.deadline, this.firstSentAt + context.maxWaitMs);
			}
			const attempt = await context.send(request, key);
			if ('response' in attempt) {
				slot.release('counted');
				return attempt.response;
			}
			const done = await this.recover(attempt.failure, slot);
			if (done !== undefined) return done;
			await request.beforeRetry?.();
		}
	}

	/** Prepares a retry. Returns the response if an earlier attempt turns out to have succeeded. */
	private async recover(failure: Failure, slot: Slot): Promise<ApiResponse | undefined> {
		const { clock, random, backoffMs, signal } = this.context;
		const now = clock.now();
		const hiddenMs = this.firstSentAt + this.limits.hiddenMs - now;
		const before = { ...this.state, mayBeHidden: hiddenMs > 0 };
		const { action, ...state } = decide(failure, this.request, before);
		this.state = state;
		this.lastFailure = failure;
		const { retryAfterMs = 0 } = failure.kind === 'status' ? failure : {};
		const toldMs =
			retryAfterMs > 0 && now + retryAfterMs < this.deadline ? retryAfterMs : undefined;
		if (action === 'queueAgain') {
			slot.release('refused', toldMs);
			return undefined;
		}
		slot.release('counted');
		if (action === 'fail') throw this.failed(failure);
		const longest = before.mayBeHidden ? hiddenMs : Infinity;
		const backedOff = Math.min(longest, backoff(++this.retries, backoffMs, random));
		const ms = Math.max(backedOff, toldMs ?? 0);
		if (now + ms >= this.deadline) throw this.gaveUp('late');
		if (!(await pause(clock, ms, signal))) throw this.gaveUp('stopped');
		return action === 'confirm' ? await this.lookedUp(failure) : undefined;
	}

	/** Returns undefined if Supercast certainly has not processed the request. */
	private async lookedUp(failure: Failure): Promise<ApiResponse | undefined> {
		const { request, context, deadline } = this;
		const { clock, lateMs, visibleMs, signal } = context;
		const hiddenMs = isTimeOut(failure) ? lateMs : visibleMs;
		const until = clock.now() + hiddenMs;
		try {
			const lookUp = lookUpOf(request, request.newName!);
			const response = await sendWithRetry(lookUp, context, { deadline, hiddenMs });
			return { ...response, wasLookedUp: true };
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
