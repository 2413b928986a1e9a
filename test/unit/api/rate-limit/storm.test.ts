import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';

const WINDOW = 60_000;
const LIMIT = 100;
const MAX_WAIT = 600_000;

/** One execution of one item. Its first try waits as long as needed, its retries for ten minutes. */
async function execution(limiter: RateLimiter, clock: VirtualClock, isRefused: () => boolean) {
	const client = {};
	let deadline = Infinity;
	for (let attempts = 1; ; attempts++) {
		const slot = await limiter.acquire(client, { deadline });
		if (typeof slot === 'string') return { attempts, end: slot };
		if (deadline === Infinity) deadline = clock.now() + MAX_WAIT;
		await clock.sleep(100);
		if (!isRefused()) {
			slot.release('counted');
			return { attempts, end: 'done' };
		}
		slot.release('refused');
	}
}

it('in a storm of 1,400 executions, 20 that are refused once are done on their second try', async () => {
	const clock = new VirtualClock();
	const limiter = new RateLimiter(LIMIT, WINDOW, clock);
	let asked = 0;
	const isRefused = (): boolean => ++asked % 60 === 0 && asked <= 1200;
	const all = Array.from({ length: 1400 }, async () => await execution(limiter, clock, isRefused));
	const ends = await clock.run(Promise.all(all));
	expect(ends.filter(({ end }) => end !== 'done')).toEqual([]);
	expect(ends.filter(({ attempts }) => attempts === 2)).toHaveLength(20);
	expect(ends.filter(({ attempts }) => attempts > 2)).toEqual([]);
});
