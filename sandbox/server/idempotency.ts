/** A response that is kept for repeats of the same request. */
export interface StoredAnswer {
	status: number;
	payload: string;
}

const MAX_KEPT = 10_000;

/**
 * Responses by `Idempotency-Key`. The vendor's client sends the header. It is not documented
 * whether Supercast uses it, so this works only when `honourIdempotencyKey` is on.
 */
export class Idempotency {
	private readonly answers = new Map<string, StoredAnswer>();

	find(key: string): StoredAnswer | undefined {
		return this.answers.get(key);
	}

	keep(key: string, answer: StoredAnswer): void {
		this.answers.set(key, answer);
		const oldest = this.answers.keys().next();
		if (this.answers.size > MAX_KEPT && !oldest.done) this.answers.delete(oldest.value);
	}

	reset(): void {
		this.answers.clear();
	}
}
