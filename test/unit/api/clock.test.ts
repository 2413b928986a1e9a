import { pause, withinTime, type Clock } from '../../../nodes/Supercast/api/clock';
import { VirtualClock } from '../../support/virtualClock';

const DAY = 86_400_000;

it('waits for as long as a timer can hold, instead of 30 days', async () => {
	const clock = new VirtualClock();
	expect(await clock.run(pause(clock, 30 * DAY))).toBe('late');
	expect(clock.now()).toBe(2 ** 31 - 1);
});

it('ends a wait of 30 days when it is stopped', async () => {
	const clock = new VirtualClock();
	const stop = new AbortController();
	const waiting = pause(clock, 30 * DAY, stop.signal);
	void clock.sleep(5).then(() => stop.abort());
	expect(await clock.run(waiting)).toBe('stopped');
	expect(clock.now()).toBe(5);
});

describe('work with a time limit', () => {
	const start = (ms = 100) => {
		const clock = new VirtualClock();
		const stop = new AbortController();
		return { clock, stop, limit: { clock: clock as Clock, ms, signal: stop.signal } };
	};

	it('returns its result, or its error, in time', async () => {
		const { clock, limit } = start();
		expect(await clock.run(withinTime(limit, async () => 7))).toBe(7);
		const failing = withinTime(limit, async () => await Promise.reject(new Error('no')));
		await expect(clock.run(failing)).rejects.toThrow('no');
		expect(clock.now()).toBe(0);
	});

	it.each(['late', 'stopped'] as const)(
		'gets the signal when it is %s, and is dropped',
		async (why) => {
			const { clock, stop, limit } = start();
			let told: AbortSignal | undefined;
			const work = withinTime(limit, async (signal) => {
				told = signal;
				await clock.sleep(1000);
				throw new Error('nobody hears of it');
			});
			if (why === 'stopped') void clock.sleep(20).then(() => stop.abort());
			expect(await clock.run(work)).toBe(why);
			expect(clock.now()).toBe(why === 'late' ? 100 : 20);
			expect(told?.aborted).toBe(true);
		},
	);

	it('does not begin after it was stopped', async () => {
		const { clock, stop, limit } = start();
		stop.abort();
		const work = jest.fn();
		expect(await clock.run(withinTime(limit, work))).toBe('stopped');
		expect(work).not.toHaveBeenCalled();
	});

	it('removes its event handler', async () => {
		const { clock, limit } = start();
		const remove = jest.spyOn(limit.signal, 'removeEventListener');
		await clock.run(withinTime(limit, async () => 7));
		expect(remove).toHaveBeenCalledTimes(1);
	});
});
