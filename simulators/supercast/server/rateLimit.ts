/** The limiter's decision about one request. */
export type QuotaVerdict = { admitted: true } | { admitted: false; waitMs: number };

/** The current limits, which may change while the sandbox runs. */
export interface QuotaOptions {
	rateLimit: number;
	rateWindowMs: number;
	countRefused: boolean;
}

/**
 * A sliding window over all incoming requests, with any token and from any address. (Specification,
 * section 8: 100 requests per minute from all addresses together.)
 */
export class LimitCounter {
	private times: number[] = [];
	private head = 0;

	constructor(
		private readonly limits: QuotaOptions,
		private readonly now: () => number,
	) {}

	/** Admits or refuses one request. A limit of 0 admits everything. */
	admit(): QuotaVerdict {
		const { rateLimit, rateWindowMs, countRefused } = this.limits;
		const now = this.now();
		this.forget(now - rateWindowMs);
		if (rateLimit === 0) return { admitted: true };
		const excess = this.times.length - this.head - rateLimit;
		if (excess < 0) {
			this.times.push(now);
			return { admitted: true };
		}
		if (countRefused) this.times.push(now);
		// A request is admitted once enough others have left the window.
		const oldest = this.times[this.head + excess + (countRefused ? 1 : 0)] ?? now;
		return { admitted: false, waitMs: Math.max(0, oldest + rateWindowMs - now) };
	}

	/** Takes back the last admitted request, which was refused for another reason. */
	takeBack(): void {
		if (this.times.length > this.head) this.times.pop();
	}

	reset(): void {
		this.times = [];
		this.head = 0;
	}

	private forget(before: number): void {
		let time = this.times[this.head];
		while (time !== undefined && time <= before) time = this.times[++this.head];
		if (this.head > 1_000 && this.head * 2 > this.times.length) {
			this.times = this.times.slice(this.head);
			this.head = 0;
		}
	}
}

/** The value of Retry-After. It is unknown whether Supercast sends it. */
export function retryAfterValue(
	mode: 'seconds' | 'date' | 'absent',
	waitMs: number,
	now: number,
): string | undefined {
	if (mode === 'absent') return undefined;
	const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
	if (mode === 'seconds') return String(seconds);
	return new Date(Math.ceil((now + waitMs) / 1_000) * 1_000).toUTCString();
}
