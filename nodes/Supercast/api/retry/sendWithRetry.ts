import { pause, type Runtime } from '../clock';
import { describeFailure, ServiceError } from '../errors/errors';
import { asRecord } from '../json';
import type { AcquireOptions, AcquireResult } from '../rate-limit/rateLimiter';
import type { ApiRequest, ApiResponse, Attempt, Failure } from '../types';
import { decide, isTimeOut, type RequestState } from './retryPolicy';

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
 * @param hiddenMs How long a 404 may be temporary. At most 0 if it is final.
 * @param deadline The latest end of a request that is part of another one, by the clock's `now`.
 * @throws ServiceError. `maybeProcessed` says whether a try before a refusal may have succeeded.
 */
export async function sendWithRetry(
	request: ApiRequest,
	context: RetryContext,
	hiddenMs: number,
	deadline = Infinity,
): Promise<ApiResponse> {
	const { clock, signal } = context;
	// The vendor's Ruby client sends a key. It is unknown whether Supercast uses it.
	const key = ['POST', 'DELETE'].includes(request.method) ? context.newKey() : undefined;
	let [attempts, retries, firstSentAt] = [0, 0, 0];
	let state: RequestState = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };
	let failure: Failure | undefined;
	const failed = (reason: Failure): ServiceError =>
		describeFailure(reason, request, { ...state, attempts, ms: clock.now() - firstSentAt });
	for (;;) {
		const slot = await context.acquire({ deadline, signal });
		if (slot === 'late' && failure !== undefined) throw failed(failure);
		if (typeof slot === 'string') throw failed(abortedBy(signal));
		if (attempts++ === 0) firstSentAt = clock.now();
		deadline = Math.min(deadline, firstSentAt + context.maxWaitMs);
		const attempt = await context.send(request, key);
		if ('response' in attempt) {
			slot.release('counted');
			return attempt.response;
		}
		({ failure } = attempt);
		const now = clock.now();
		const hiddenLeftMs = firstSentAt + hiddenMs - now;
		const before = { ...state, mayBeHidden: hiddenLeftMs > 0 };
		const { action, ...after } = decide(failure, request, before);
		state = after;
		const toldMs = toldToWait(failure, deadline - now);
		if (action === 'queueAgain') {
			slot.release('refused', toldMs);
		} else {
			slot.release('counted');
			if (action === 'fail') throw failed(failure);
			const longestMs = before.mayBeHidden ? hiddenLeftMs : Infinity;
			const backoffMs = backoff(++retries, context.backoffMs, context.random);
			const ms = Math.max(toldMs ?? 0, Math.min(longestMs, backoffMs));
			if (now + ms >= deadline) throw failed(failure);
			if ((await pause(clock, ms, signal)) === 'stopped') throw failed(abortedBy(signal));
		}
		if (action === 'confirm') {
			const found = await lookUpCreated(request, context, failure, deadline);
			if (typeof found !== 'string') return found;
			if (found === 'unknown') throw failed(signal?.aborted ? abortedBy(signal) : failure);
		}
		await request.beforeRetry?.();
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

/**
 * Finds out whether Supercast processed a create request whose response was lost. Keeps looking for
 * a few seconds, and after a timeout for half a minute.
 */
async function lookUpCreated(
	request: ApiRequest,
	context: RetryContext,
	failure: Failure,
	deadline: number,
): Promise<ApiResponse | 'missing' | 'unknown'> {
	const { clock, lateMs, visibleMs } = context;
	const hiddenMs = isTimeOut(failure) ? lateMs : visibleMs;
	const until = clock.now() + hiddenMs;
	const lookUp = lookUpOf(request, request.newName!);
	try {
		const found = await sendWithRetry(lookUp, context, hiddenMs, deadline);
		return { ...found, wasLookedUp: true };
	} catch (error) {
		const isMissing = error instanceof ServiceError && error.status === 404;
		// A look-up that failed, or ended too early, proves nothing.
		return isMissing && clock.now() >= until ? 'missing' : 'unknown';
	}
}

/** The request that finds the record of another request by its new name. */
export function lookUpOf({ path, subject }: ApiRequest, newName: string): ApiRequest {
	return { method: 'GET', path: [path[0]!, newName], subject, expects: 'record' };
}

/**
 * The wait before retry number `repeat`, in milliseconds. Doubles up to half a minute. Random, so
 * that requests that failed together do not retry together.
 */
export function backoff(repeat: number, firstMs: number, random: () => number): number {
	const ms = Math.min(firstMs * 2 ** (repeat - 1), LONGEST_BACKOFF_MS);
	return ms / 2 + (random() * ms) / 2;
}
