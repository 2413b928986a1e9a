import { rateLimiterFor } from '../../../../nodes/Supercast/api/rate-limit/rateLimiters';
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

	it('is forgotten when it knows nothing, whoever asks next', async () => {
		const { clock, limiterOf } = world();
		const limiter = limiterOf('three');
		slotOf(await limiter.acquire({})).release('counted');
		await clock.pass(WINDOW);
		expect(limiterOf('three')).toBe(limiter);
		await clock.pass(WINDOW + 1);
		limiterOf('four');
		expect(limiterOf('three')).not.toBe(limiter);
	});
});
