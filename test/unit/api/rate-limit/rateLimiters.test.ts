import type { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { rateLimiterFor } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';
import { slotOf } from './sending';

const WINDOW = 60_000;
const ORIGIN = 'https://supercast.tech';

function world() {
	const clock = new VirtualClock();
	const limiterOf = (id: string, limit = 100, origin = ORIGIN) =>
		rateLimiterFor(origin, id, limit, { clock, windowMs: WINDOW });
	return { clock, limiterOf };
}

describe('the rate limiter of a credential', () => {
	it('is shared by all that use the same host and credential, and by nobody else', async () => {
		const { limiterOf } = world();
		const limiter = limiterOf('one');
		slotOf(await limiter.acquire({}));
		expect(limiterOf('one')).toBe(limiter);
		expect(limiterOf('two')).not.toBe(limiter);
		expect(limiterOf('one', 100, 'https://other.example')).not.toBe(limiter);
		expect(limiterOf('one')).toBe(limiter);
	});

	it('is shared from the first moment, before any request was sent', async () => {
		const { clock, limiterOf } = world();
		const limiter = limiterOf('storm');
		await clock.pass(WINDOW);
		expect(limiterOf('storm')).toBe(limiter);
		await clock.pass(WINDOW);
		limiterOf('another');
		expect(limiterOf('storm')).toBe(limiter);
	});

	it("follows the credential's current limit", async () => {
		const { clock, limiterOf } = world();
		const limiter = limiterOf('changed', 1);
		slotOf(await limiter.acquire({})).release('counted');
		const done = jest.fn();
		const waiting = limiter.acquire({}).finally(done);
		limiterOf('changed', 1);
		await clock.pass(10);
		expect(done).not.toHaveBeenCalled();
		limiterOf('changed', 2);
		slotOf(await clock.run(waiting));
		expect(clock.now()).toBe(10);
	});

	/** Sends this many requests, each answered immediately. */
	async function sendAll(limiter: RateLimiter, count: number): Promise<void> {
		for (let n = 0; n < count; n++) slotOf(await limiter.acquire({})).release('counted');
	}

	it('is the same for an execution that waits longer than a window before it goes on', async () => {
		const { clock, limiterOf } = world();
		const early = limiterOf('waits');
		await clock.run(sendAll(early, 1));
		// Such as for a 503 with this Retry-After. Meanwhile, another credential is used.
		await clock.pass(3 * WINDOW);
		limiterOf('another');
		const start = clock.now();
		const both = [early, limiterOf('waits')].map(async (one) => await sendAll(one, 100));
		await clock.run(Promise.all(both));
		expect(clock.now() - start).toBeGreaterThanOrEqual(WINDOW);
	});

	it.each([
		[100, 99],
		[100, 101],
		[100, 40],
		[0, 100],
	])('keeps what was sent when the limit changes from %d to %d', async (before, after) => {
		const { clock, limiterOf } = world();
		const id = `edited ${before} ${after}`;
		await clock.run(sendAll(limiterOf(id, before), 100));
		await clock.pass(1000);
		await clock.run(sendAll(limiterOf(id, after), Math.max(1, after - 100)));
		const waited = after > 100 ? 0 : WINDOW - 1000;
		expect(clock.now() - 1000).toBeGreaterThanOrEqual(waited);
		if (after > 100) {
			expect(clock.now()).toBeLessThan(WINDOW / 2);
		}
	});

	it('is off from when the limit is 0', async () => {
		const { clock, limiterOf } = world();
		await clock.run(sendAll(limiterOf('off', 10), 10));
		await clock.run(sendAll(limiterOf('off', 0), 500));
		expect(clock.now()).toBe(0);
	});

	it('sets no timer that outlives the requests that wait', async () => {
		const { clock, limiterOf } = world();
		const limiter = limiterOf('timer', 1);
		const slot = slotOf(await limiter.acquire({}));
		const stop = new AbortController();
		const waiting = limiter.acquire({}, { signal: stop.signal });
		await clock.pass(10);
		expect(clock.pending).toBe(1);
		stop.abort();
		expect(await waiting).toBe('stopped');
		expect(clock.pending).toBe(0);
		slot.release('counted');
		const later = limiter.acquire({});
		await clock.pass(10);
		expect(clock.pending).toBe(1);
		limiterOf('timer', 5);
		slotOf(await clock.run(later));
		expect(clock.pending).toBe(0);
	});
});
