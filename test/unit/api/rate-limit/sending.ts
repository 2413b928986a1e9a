import { SlidingWindow } from '../../../../nodes/Supercast/api/rate-limit/slidingWindow';
import {
	type AcquireResult,
	type RateLimiter,
	type Slot,
} from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import type { VirtualClock } from '../../../support/virtualClock';

/** A request, and its outcome. */
export interface TimedRequest {
	at: number;
	client: number;
	/** Milliseconds until the response arrives. */
	answer: number;
}

/** What may be sent with a limit per minute. */
export function windowOf(limit: number): SlidingWindow {
	const window = new SlidingWindow(60_000);
	window.setLimit(limit);
	return window;
}

/** The slot, which must exist here. */
export function slotOf(result: AcquireResult): Slot {
	if (typeof result === 'string') throw new Error(`no slot: ${result}`);
	return result;
}

/** Sends requests through a limiter and notes the time of each. */
export async function send(limiter: RateLimiter, clock: VirtualClock, all: TimedRequest[]) {
	const clients = [{}, {}, {}, {}];
	const sent: Array<{ at: number; asked: number; client: number; answer: number }> = [];
	const sendOne = async ({ at, client, answer }: TimedRequest): Promise<void> => {
		await clock.sleep(at);
		const slot = slotOf(await limiter.acquire(clients[client]!));
		sent.push({ at: clock.now(), asked: at, client, answer });
		await clock.sleep(answer);
		slot.release('counted');
	};
	await Promise.all(all.map(sendOne));
	return sent;
}
