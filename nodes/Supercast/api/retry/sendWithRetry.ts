import { pause, type Clock } from '../clock';
import { describeFailure } from '../errors/describeFailure';
import { ServiceError } from '../errors/errors';
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
	/** Sends another request to check whether Supercast processed this one. Throws ServiceError. */
	lookUp(request: ApiRequest, search: Search): Promise<ApiResponse>;
	/** Creates a UUID to use as the idempotency key. */
	newKey(): string;
	clock: Clock;
	/** Returns a random number from 0 to 1. */
	random: () => number;
	/** How long to retry the request, from when it was first sent. */
	maxWaitMs: number;
	/** How long a 404 may be temporary, because the record is new. At most 0 if it is not. */
	patienceMs: number;
	/** See `runtime`. */
	waits: { backoffMs: number; visibleMs: number; lateMs: number };
	/** Ends every wait when aborted. */
	signal?: AbortSignal;
	/** Set if this request checks whether Supercast processed another one. */
	search?: Search;
}

/** A read request that is part of another request's retries. */
export interface Search {
	/** The deadline of the other request, by the clock's `now`. */
	deadline: number;
	/** How many milliseconds to keep looking for a record that is not found. */
	patienceMs: number;
	/** The failure that led to the search. It is reported if no time is left. */
	failure: Failure;
}

const LONGEST_BACKOFF_MS = 30_000;

/**
 * Sends a request, and retries it as long as that is safe and `maxWaitMs` has not passed.
 *
 * If the outcome of a create request is unknown, looks for the record for a few seconds, or for
 * half a minute after a timeout. Retries the request only if there is no such record. If the
 * response to a delete request is lost and the retry finds no record, the request counts as done.
 * In this case, the returned response has no body and the status 404, which does not prove it.
 *
 * @throws ServiceError if Supercast refuses the request, the time is up, or the signal is aborted.
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
	private patientUntil = -Infinity;
	private lastFailure: Failure | undefined;
	private state: RequestState = { maybeProcessed: false, foreignResponses: 0, mayAppear: false };

	constructor(
		private readonly request: ApiRequest,
		private readonly context: RetryContext,
	) {
		// The vendor's Ruby client sends a key with POST and DELETE. It is unknown whether
		// Supercast uses the key.
		this.key = ['POST', 'DELETE'].includes(request.method) ? context.newKey() : undefined;
		this.deadline = context.search?.deadline ?? Infinity;
		this.lastFailure = context.search?.failure;
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
		const { clock, signal, maxWaitMs, patienceMs, acquire, search } = this.context;
		const { deadline } = this;
		const slot = await acquire(deadline === Infinity ? { signal } : { deadline, signal });
		if (typeof slot === 'string') throw this.gaveUp(slot);
		if (this.attempts++ === 0) {
			this.firstSentAt = clock.now();
			this.deadline = Math.min(deadline, this.firstSentAt + maxWaitMs);
			this.patientUntil = this.firstSentAt + (search?.patienceMs ?? patienceMs);
		}
		return slot;
	}

	/** Prepares a retry. Returns the response if an earlier attempt turns out to have succeeded. */
	private async recover(failure: Failure, slot: Slot): Promise<ApiResponse | undefined> {
		const now = this.context.clock.now();
		const mayAppear = now < this.patientUntil;
		const { action, ...state } = decide(failure, this.request, { ...this.state, mayAppear });
		this.state = state;
		this.lastFailure = failure;
		const isRefused = action === 'queueAgain';
		slot.release(isRefused ? 'refused' : 'counted', isRefused ? this.toldToWait() : undefined);
		switch (action) {
			case 'queueAgain':
				return undefined;
			case 'repeat':
				await this.wait(mayAppear ? this.patientUntil - now : Infinity);
				return undefined;
			case 'lookUp':
				await this.wait();
				return await this.found();
			case 'lookUpOrFail': {
				const found = await this.found();
				if (found === undefined) throw this.failed(failure);
				return found;
			}
			case 'done':
				return { status: 404, headers: {}, body: undefined };
			case 'fail':
				throw this.failed(failure);
		}
	}

	private async wait(mostMs = Infinity): Promise<void> {
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

	/**
	 * Looks for the record that this request created or renamed. Returns undefined if there is
	 * certainly none.
	 */
	private async found(): Promise<ApiResponse | undefined> {
		const { request, context, deadline, lastFailure: failure } = this;
		if (request.lookUp === undefined || failure === undefined) return undefined;
		const { visibleMs, lateMs } = context.waits;
		const patienceMs = isTimeOut(failure) ? lateMs : visibleMs;
		const until = context.clock.now() + patienceMs;
		try {
			const lookUp: ApiRequest = { ...request.lookUp, expects: 'record' };
			const response = await context.lookUp(lookUp, { deadline, patienceMs, failure });
			return { ...response, wasLookedUp: true };
		} catch (error) {
			if (context.signal?.aborted === true) throw this.gaveUp('stopped');
			const isMissing = error instanceof ServiceError && error.status === 404;
			// A look-up that failed, or ended too early, proves nothing.
			if (!isMissing || context.clock.now() < until) throw this.failed(failure);
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
