import { finish, forEach, mapEach, paced } from '../../../nodes/Supercast/operations/steps';

/** A clock that counts the pauses. Each item takes a millisecond. */
function slowClock() {
	let now = 0;
	const pauses: number[] = [];
	return {
		pauses,
		work: () => (now += 1),
		now: () => now,
		sleep: async () => {
			pauses.push(now);
			await Promise.resolve();
		},
	};
}

const items = Array.from({ length: 10_000 }, (_, index) => index);

describe('a long computation', () => {
	it('lets n8n do other work after a fraction of a second, and loses nothing', async () => {
		const clock = slowClock();
		const doubled = await paced(
			mapEach(items, (one) => {
				clock.work();
				return 2 * one;
			}),
			clock,
		);
		expect(doubled).toEqual(items.map((one) => 2 * one));
		const gaps = clock.pauses.map((at, index) => at - (clock.pauses[index - 1] ?? 0));
		expect(Math.max(...gaps)).toBeLessThanOrEqual(500);
		expect(clock.pauses.length).toBeGreaterThan(10);
	});

	it('of few items does not pause', async () => {
		const clock = slowClock();
		await paced(forEach([1, 2, 3], clock.work), clock);
		expect(clock.pauses).toEqual([]);
	});

	it('passes its errors on', async () => {
		const fail = (): never => {
			throw new Error('bad');
		};
		await expect(paced(forEach([1], fail), slowClock())).rejects.toThrow('bad');
		expect(() => finish(forEach([1], fail))).toThrow('bad');
	});
});
