import { pause, type Clock } from '../clock';
import { describeFailure } from '../errors/describeFailure';
import { ServiceError } from '../errors/errors';
import { asRecord } from '../json';
import type { AcquireOptions, AcquireResult, Slot } from '../rate-limit/rateLimiter';
import type { ApiRequest, ApiResponse, Attempt, Failure } from '../types';
import { decide, isTimeOut, type RequestState } from './retryPolicy';

/** How long to wait for what. Milliseconds. */
export interface Waits {
	/** Before the first repeat; later ones wait longer. */
	backoffMs: number;
	/** Until a record that was created can be found by everybody. */
	visibleMs: number;
	/** Until a request that was given up half-way is done, or never will be. */
	lateMs: number;
}

/** How one request is sent, and the patience of the one who asks. */
export interface RetryContext {
	/** Waits for the right to send one request. A deadline marks a retry. */
	acquire: (options: AcquireOptions) => Promise<AcquireResult>;
	/** Sends the request once; does not throw. */
	send(idempotencyKey: string | undefined): Promise<Attempt>;
	/** Sends another request, to see what became of this one. Throws ServiceError. */
	lookUp(request: ApiRequest, search: Search): Promise<ApiResponse>;
	/** A key that no other request has: a UUID. */
	newKey(): string;
	clock: Clock;
	/** From 0 to 1. */
	random: () => number;
	/** Milliseconds for which the request is tried, counted from when it was first sent. */
	maxWaitMs: number;
	/** For how many milliseconds a record that is not found may still appear; 0 for none that is new. */
	patienceMs: number;
	waits: Waits;
	/** Ends every wait when aborted. */
	signal?: AbortSignal;
}

/** A read that is part of another request's repeats. */
export interface Search {
	/** The other request's, by the clock's `now`. */
	deadline: number;
	/** For how many milliseconds a record that is not found is looked for again. */
	patienceMs: number;
	/** Why there is a search, and what is reported where no time is left for it. */
	failure: Failure;
}

const LONGEST_BACKOFF_MS = 30_000;

/**
 * Sends a request until it is done, as often as that is safe and no longer than `maxWaitMs`.
 *
 * A create of unknown outcome is looked up first, for some seconds, and repeated only if nothing is
 * found. A delete whose answer was lost, and whose repeat finds nothing to delete, is done; its answer
 * has no body.
 *
 * @param search Given for a read that looks for what became of another request.
 * @throws ServiceError when the service says no, or the time is over, or the signal was aborted.
 */
export async function sendWithRetry(
	request: ApiRequest,
	context: RetryContext,
	search?: Search,
): Promise<ApiResponse> {
	return await new RetriedRequest(request, context, search).run();
}

/**
 * How long to wait before a repeat: twice as long after each, and spread at random over the second
 * half of that time, so that those who failed together do not come back together.
 *
 * @param repeat Number of the repeat, from 1.
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
	private state: RequestState = { maybeProcessed: false, oddAnswers: 0, mayAppear: false };

	constructor(
		private readonly request: ApiRequest,
		private readonly context: RetryContext,
		private readonly search?: Search,
	) {
		// The vendor's Ruby client sends a key with these two; whether it is honoured is not known.
		const wantsKey = request.method === 'POST' || request.method === 'DELETE';
		this.key = wantsKey ? context.newKey() : undefined;
		this.deadline = search?.deadline ?? Infinity;
		this.lastFailure = search?.failure;
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
		}
	}

	private async slot(): Promise<Slot> {
		const { clock, signal, maxWaitMs, patienceMs, acquire } = this.context;
		const { deadline } = this;
		const slot = await acquire(deadline === Infinity ? { signal } : { deadline, signal });
		if (typeof slot === 'string') throw this.gaveUp(slot);
		if (this.attempts++ === 0) {
			this.firstSentAt = clock.now();
			this.deadline = Math.min(deadline, this.firstSentAt + maxWaitMs);
			this.patientUntil = this.firstSentAt + (this.search?.patienceMs ?? patienceMs);
		}
		return slot;
	}

	/** Makes ready for a repeat. Returns the answer if the request turns out to be done already. */
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
				return { status: 204, headers: {}, body: undefined };
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

	/** What `Retry-After` says, unless this request could not wait that long. */
	private toldToWait(): number | undefined {
		const { lastFailure: failure } = this;
		const ms = failure?.kind === 'status' ? failure.retryAfterMs : undefined;
		const isInTime = ms !== undefined && this.context.clock.now() + ms < this.deadline;
		return isInTime ? ms : undefined;
	}

	/** Looks for what this request made. Returns undefined when there is certainly nothing. */
	private async found(): Promise<ApiResponse | undefined> {
		const { request, context, deadline, lastFailure: failure } = this;
		const wanted = request.findCreated ?? request.findRenamed;
		if (wanted === undefined || failure === undefined) return undefined;
		const { visibleMs, lateMs } = context.waits;
		const patienceMs = isTimeOut(failure) ? lateMs : visibleMs;
		const until = context.clock.now() + patienceMs;
		try {
			const lookUp: ApiRequest = { ...wanted, expects: 'record' };
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
		// A signal of our own ends what takes too long; n8n's ends what somebody stopped.
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
