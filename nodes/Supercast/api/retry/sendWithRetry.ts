/** Brings one request to its end, whatever the network does: no item lost, none doubled. Pure. */

import { pause, type Clock } from '../clock';
import { describeFailure } from '../errors/describeFailure';
import { ServiceError, type Failure } from '../errors/errors';
import { isRecord } from '../json';
import type { AcquireOptions, AcquireResult } from '../rate-limit/rateLimiter';
import type { ApiRequest, ApiResponse, Attempt } from '../types';
import { isGoneWhenDone, isRepeatable, judge } from './retryPolicy';

/** The way to the service, and the patience of the one who asks. */
export interface Line {
	/** Waits for the turn to send one request. */
	acquire(options: AcquireOptions): Promise<AcquireResult>;
	/** Sends a request once; does not throw. */
	send(request: ApiRequest, idempotencyKey: string | undefined): Promise<Attempt>;
	/** A key that no other request has: a UUID. */
	newKey(): string;
	clock: Clock;
	/** From 0 to 1. */
	random: () => number;
	/** Milliseconds for which one request is tried, counted from when it was first sent. */
	maxWaitMs: number;
	/** Milliseconds before the first repeat; later ones wait longer. */
	backoffMs: number;
	/** Ends every wait when aborted. */
	signal?: AbortSignal;
}

const LONGEST_BACKOFF_MS = 30_000;

/** Servers' clocks differ, and a record's time may be rounded. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Sends a request until it is done, as often as that is safe and no longer than `maxWaitMs`.
 *
 * A create of unknown outcome is looked up first and repeated only if nothing is found. A delete
 * whose answer was lost, and whose repeat finds nothing to delete, is done; its answer has no body.
 *
 * @throws ServiceError when the service says no, or the time is over, or the signal was aborted.
 */
export async function deliver(request: ApiRequest, line: Line): Promise<ApiResponse> {
	return await new Delivery(request, line).run();
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

class Delivery {
	private readonly key: string | undefined;
	private tries = 0;
	private faults = 0;
	private firstSentAt = 0;
	private deadline = Infinity;
	/** Whether an earlier attempt may have been processed. */
	private mayBeDone = false;

	constructor(
		private readonly request: ApiRequest,
		private readonly line: Line,
	) {
		// The vendor's Ruby client sends a key with these two; whether it is honoured is not known.
		const wantsKey = request.method === 'POST' || request.method === 'DELETE';
		this.key = wantsKey ? line.newKey() : undefined;
	}

	async run(): Promise<ApiResponse> {
		let failure: Failure | undefined;
		for (;;) {
			const attempt = await this.attempt(failure);
			if ('response' in attempt) return attempt.response;
			failure = attempt.failure;
			const done = await this.recover(failure);
			if (done !== undefined) return done;
		}
	}

	private async attempt(previous: Failure | undefined): Promise<Attempt> {
		const { line, deadline } = this;
		const slot = await line.acquire({ deadline, signal: line.signal });
		if (slot === 'stopped') throw this.stopped();
		if (slot === 'late') throw this.failed(previous ?? { kind: 'network', code: 'ETIMEDOUT' });
		if (this.tries++ === 0) {
			this.firstSentAt = line.clock.now();
			this.deadline = this.firstSentAt + line.maxWaitMs;
		}
		const attempt = await line.send(this.request, this.key);
		const refused = 'failure' in attempt && judge(attempt.failure) === 'refused';
		slot.release(refused ? 'refused' : 'counted', refused ? this.toldToWait(attempt) : undefined);
		return attempt;
	}

	/** Makes ready for a repeat. Returns the answer if the request turns out to be done already. */
	private async recover(failure: Failure): Promise<ApiResponse | undefined> {
		const { request } = this;
		const verdict = judge(failure);
		if (verdict === 'refused') return undefined;
		if (verdict === 'final') return await this.alreadyDone(failure);
		if (verdict === 'unknown') {
			if (!isRepeatable(request)) throw this.failed(failure);
			this.mayBeDone = true;
		}
		await this.waitAfter(failure);
		return verdict === 'unknown' ? await this.lookUp(failure) : undefined;
	}

	/** A refusal that an earlier attempt explains: it has done what this one was to do. */
	private async alreadyDone(failure: Failure): Promise<ApiResponse> {
		const status = failure.kind === 'status' ? failure.status : undefined;
		if (this.mayBeDone && status === 404 && isGoneWhenDone(this.request)) {
			return { status: 204, headers: {}, body: undefined };
		}
		const found =
			this.mayBeDone && status === 422 ? await this.lookUp(failure, failure) : undefined;
		if (found === undefined) throw this.failed(failure);
		return found;
	}

	private async waitAfter(failure: Failure): Promise<void> {
		const { clock, random, backoffMs, signal } = this.line;
		const ms = Math.max(
			backoff(++this.faults, backoffMs, random),
			this.toldToWait({ failure }) ?? 0,
		);
		if (clock.now() + ms >= this.deadline) throw this.failed(failure);
		if (!(await pause(clock, ms, signal))) throw this.stopped();
	}

	/** What `Retry-After` says, unless this request could not wait that long. */
	private toldToWait(attempt: Attempt): number | undefined {
		if (!('failure' in attempt) || attempt.failure.kind !== 'status') return undefined;
		const { retryAfterMs = Infinity } = attempt.failure;
		return this.line.clock.now() + retryAfterMs < this.deadline ? retryAfterMs : undefined;
	}

	/** Reads what an attempt to create has made. Returns undefined when there is nothing. */
	private async lookUp(
		failure: Failure,
		ifOlder: Failure = { kind: 'existedBefore' },
	): Promise<ApiResponse | undefined> {
		const { request, line, deadline, firstSentAt } = this;
		if (request.method !== 'POST' || request.findCreated === undefined) return undefined;
		const maxWaitMs = deadline - line.clock.now();
		const found = await deliver(request.findCreated, { ...line, maxWaitMs }).catch(
			(error: unknown) => {
				if (error instanceof ServiceError && error.status === 404) return undefined;
				throw this.failed(failure);
			},
		);
		// An answer that holds nothing proves nothing.
		if (found !== undefined && !isRecord(found.body)) throw this.failed(failure);
		if (found === undefined || !isOlder(found, line.clock.now() - firstSentAt)) return found;
		throw this.failed(ifOlder);
	}

	private stopped(): ServiceError {
		return describeFailure({ kind: 'network', code: 'ERR_CANCELED' }, this.request);
	}

	private failed(failure: Failure): ServiceError {
		const ms = this.line.clock.now() - this.firstSentAt;
		return describeFailure(failure, this.request, { tries: this.tries, ms });
	}
}

/**
 * Whether a record is older than the attempts to create it, so that they did not. Compares times of
 * the service only: the record's `created_at` and the answer's `Date`.
 */
function isOlder(response: ApiResponse, ageOfAttemptsMs: number): boolean {
	const { created_at: createdAt } = (response.body ?? {}) as { created_at?: unknown };
	const age = Date.parse(String(response.headers.date)) - Date.parse(String(createdAt));
	return age > ageOfAttemptsMs + CLOCK_TOLERANCE_MS;
}
