import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import type { VirtualClock } from '../../../support/virtualClock';

/** Supercast's minute. */
export const WINDOW = 60_000;
export const LIMIT = 100;

/** A simulated Supercast: a sliding window over the requests of all senders. */
export class Service {
	private arrivals: number[] = [];
	private asked = 0;

	constructor(
		private readonly clock: VirtualClock,
		/** Numbers of requests that it refuses although there is room. */
		private readonly refusedByChance: number[] = [],
		readonly limit = LIMIT,
	) {}

	/** Handles a request. Returns 0, or how long to wait after a refusal. */
	take(): number {
		const now = this.clock.now();
		if (this.refusedByChance.includes(++this.asked)) return 1;
		this.arrivals = this.arrivals.filter((at) => at > now - WINDOW);
		if (this.arrivals.length < this.limit) {
			this.arrivals.push(now);
			return 0;
		}
		return this.arrivals[0]! + WINDOW - now;
	}
}

/** The result of a process's work. */
export interface Worked {
	done: number;
	refused: number;
	/** When the last item was done. */
	endedAt: number;
}

/** How a process works. */
export interface WorkOptions {
	/** The value that it sends to a refused request. */
	retryAfter?: (waitMs: number) => number | undefined;
	/** How many items to process at the same time. */
	atOnce?: number;
	/** The times of a request on its way there, and of the response on its way back. */
	ways?: () => [number, number];
}

/** The same time for each request, half of it on the way there. */
export function constant(ms: number): () => [number, number] {
	return () => [ms / 2, ms / 2];
}

/** Works on items as one process does, and retries each until it is accepted. */
export async function work(
	clock: VirtualClock,
	service: Service,
	items: number,
	{ retryAfter = () => undefined, atOnce = 10, ways = constant(100) }: WorkOptions = {},
): Promise<Worked> {
	const limiter = new RateLimiter(service.limit, WINDOW, clock);
	const worked: Worked = { done: 0, refused: 0, endedAt: 0 };
	const client = {};
	let left = items;
	const worker = async (): Promise<void> => {
		while (left-- > 0) {
			let deadline: number | undefined;
			for (;;) {
				const slot = await limiter.acquire(client, { deadline });
				if (typeof slot === 'string') throw new Error(slot);
				deadline ??= clock.now() + 10 * WINDOW;
				const [there, back] = ways();
				await clock.sleep(there);
				const waitMs = service.take();
				await clock.sleep(back);
				if (waitMs === 0) {
					slot.release('counted');
					break;
				}
				slot.release('refused', retryAfter(waitMs));
				worked.refused++;
			}
			worked.done++;
			worked.endedAt = clock.now();
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return worked;
}
