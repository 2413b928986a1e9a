import { pause, type Runtime } from '../clock';
import { describeFailure, ServiceError } from '../errors/errors';
import { asRecord } from '../json';
import type { AcquireOptions, AcquireResult, Slot } from '../rate-limit/rateLimiter';
import type { ApiRequest, ApiResponse, Attempt, Failure } from '../types';
import { decide, mayStillComplete, type RequestState } from './retryPolicy';

export interface RetryContext extends Runtime {
	acquire(options: AcquireOptions): Promise<AcquireResult>;
	/** Does not throw. */
	send(request: ApiRequest, idempotencyKey: string | undefined): Promise<Attempt>;
	/** In milliseconds, from when a request was first sent. */
	maxWaitMs: number;
	signal?: AbortSignal;
}

const LONGEST_BACKOFF_MS = 30_000;

/**
 * Sends a request, and retries it while that is safe. If the outcome of a create request is
 * unknown, looks for the record, and retries only if there is none.
 * @param hiddenMs How long a 404 may be temporary. If this is 0 or less, a 404 is final.
 * @param deadline The latest end of a request that is part of another one, by the clock's `now`.
 * @throws ServiceError. `maybeProcessed` says whether a try before a refusal may have succeeded.
 */
export async function sendWithRetry(
	request: ApiRequest,
	context: RetryContext,
	hiddenMs: number,
	deadline = Infinity,
): Promise<ApiResponse> {
	return await new RetriedRequest(request, context, hiddenMs, deadline).run();
}

/** One request with all its tries. */
class RetriedRequest {
	/** The vendor's Ruby client sends a key. It is unknown whether Supercast uses it. */
	private readonly key: string | undefined;

	/** Whether this request belongs to another one, whose deadline holds for both. */
	private readonly isPart: boolean;

	private attempts = 0;

	/** The number of waits, except those in the rate limiter. Each makes the next wait longer. */
	private waits = 0;

	private firstSentAt = 0;

	private state: RequestState = {
		maybeProcessed: false,
		foreignResponses: 0,
		mayBeHidden: false,
	};

	private failure: Failure | undefined;

	constructor(
		private readonly request: ApiRequest,
		private readonly context: RetryContext,
		private readonly hiddenMs: number,
		private deadline: number,
	) {
		const { method } = request;
		this.isPart = deadline < Infinity;
		this.key = method === 'POST' || method === 'DELETE' ? context.newKey() : undefined;
	}

	async run(): Promise<ApiResponse> {
		for (;;) {
			const slot = await this.nextSlot();
			const sentAt = this.context.clock.now();
			const attempt = await this.context.send(this.request, this.key);
			if ('response' in attempt) {
				slot.release('counted');
				const response = { ...attempt.response, sentAt };
				const waitMs = this.waitUntilCurrent(response);
				if (waitMs === undefined) return response;
				await this.wait(waitMs);
			} else {
				const found = await this.recover(attempt.failure, slot);
				if (found !== undefined) return found;
			}
			await this.request.beforeRetry?.(this.state.maybeProcessed);
		}
	}

	private async nextSlot(): Promise<Slot> {
		const { clock, maxWaitMs, signal } = this.context;
		const slot = await this.context.acquire({ deadline: this.deadline, signal });
		if (slot === 'late' && this.failure !== undefined) throw this.failed(this.failure);
		if (typeof slot === 'string') throw this.failed(abortedBy(signal));
		if (this.attempts === 0) {
			this.firstSentAt = clock.now();
			this.deadline = Math.min(this.deadline, this.firstSentAt + maxWaitMs);
		}
		this.attempts += 1;
		return slot;
	}

	/**
	 * How long to wait before reading again, because the record is older than a change. Undefined if
	 * it is current, or if there is no more time for it to become so.
	 */
	private waitUntilCurrent({ body, sentAt }: Required<Pick<ApiResponse, 'body' | 'sentAt'>>) {
		if (this.request.outdatedIf?.(body, sentAt) !== true) return undefined;
		const now = this.context.clock.now();
		// A slow response may show what was there when the request was sent.
		const leftMs = this.firstSentAt + this.context.visibleMs - sentAt;
		this.allow(this.context.visibleMs);
		const waitMs = this.backoffWithin(leftMs);
		return leftMs > 0 && now + waitMs < this.deadline ? waitMs : undefined;
	}

	/** Prepares the next try. Returns the record that an earlier try created, if there is one. */
	private async recover(failure: Failure, slot: Slot): Promise<ApiResponse | undefined> {
		const now = this.context.clock.now();
		const hiddenLeftMs = this.firstSentAt + this.hiddenMs - now;
		const mayBeHidden = hiddenLeftMs > 0;
		if (mayBeHidden) this.allow(this.hiddenMs);
		const { action, ...after } = decide(failure, this.request, { ...this.state, mayBeHidden });
		this.state = after;
		this.failure = failure;
		const toldMs = toldToWait(failure, this.deadline - now);
		if (action === 'queueAgain') {
			slot.release('refused', toldMs);
			return undefined;
		}
		slot.release('counted');
		if (action === 'fail') throw this.failed(failure);
		const waitMs = this.backoffWithin(mayBeHidden ? hiddenLeftMs : Infinity);
		await this.wait(Math.max(toldMs ?? 0, waitMs));
		return action === 'confirm' ? await this.findCreated(failure) : undefined;
	}

	/** What may be old proves nothing, so a short Max Wait must not end the wait for what is current. */
	private allow(ms: number): void {
		if (!this.isPart) this.deadline = Math.max(this.deadline, this.firstSentAt + ms + 1);
	}

	private backoffWithin(longestMs: number): number {
		const { backoffMs, random } = this.context;
		this.waits += 1;
		return Math.min(longestMs, backoff(this.waits, backoffMs, random));
	}

	private async wait(ms: number): Promise<void> {
		const { clock, signal } = this.context;
		const isTooLong = clock.now() + ms >= this.deadline;
		if (isTooLong && this.failure !== undefined) throw this.failed(this.failure);
		const ended = await pause(clock, ms, signal);
		if (ended === 'stopped') throw this.failed(abortedBy(signal));
	}

	/**
	 * Finds out whether Supercast processed a create request whose response was lost. Looks for a
	 * few seconds, or if Supercast may still be processing it, until a late record would show.
	 */
	private async findCreated(failure: Failure): Promise<ApiResponse | undefined> {
		const { context, request } = this;
		const { clock, lateMs, visibleMs, signal } = context;
		const hiddenMs = visibleMs + (mayStillComplete(failure) ? lateMs : 0);
		const until = clock.now() + hiddenMs;
		const lookUp = lookUpOf(request, request.newName ?? '');
		try {
			const found = await sendWithRetry(lookUp, context, hiddenMs, this.deadline);
			return { ...found, wasLookedUp: true };
		} catch (error) {
			const isMissing = error instanceof ServiceError && error.status === 404;
			if (isMissing && clock.now() >= until) return undefined;
			// A look-up that failed, or ended too early, proves nothing.
			throw this.failed(signal?.aborted === true ? abortedBy(signal) : failure);
		}
	}

	private failed(reason: Failure): ServiceError {
		const ms = this.context.clock.now() - this.firstSentAt;
		return describeFailure(reason, this.request, { ...this.state, attempts: this.attempts, ms });
	}
}

function toldToWait(failure: Failure, leftMs: number): number | undefined {
	const ms = failure.kind === 'status' ? failure.retryAfterMs : undefined;
	return ms !== undefined && ms < leftMs ? ms : undefined;
}

/** Why a request ended early: it took too long (our signal), or was stopped (n8n's signal). */
function abortedBy(signal: AbortSignal | undefined): Failure {
	const isTimeOver = asRecord(signal?.reason).name === 'TimeoutError';
	return { kind: 'network', code: isTimeOver ? 'ETIMEDOUT' : 'ERR_CANCELED' };
}

/** The request that finds the record of another request by its new name. */
export function lookUpOf({ path, subject }: ApiRequest, newName: string): ApiRequest {
	return { method: 'GET', path: [path[0], newName], subject, expects: 'record' };
}

/**
 * The wait before retry number `repeat`, in milliseconds. Doubles up to half a minute. Random, so
 * that requests that failed together do not retry together.
 */
export function backoff(repeat: number, firstMs: number, random: () => number): number {
	const ms = Math.min(firstMs * 2 ** (repeat - 1), LONGEST_BACKOFF_MS);
	return ms / 2 + (random() * ms) / 2;
}
