import { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import type { FetchPage } from '../../../nodes/Supercast/api/paging/page';
import { HOUR, many, Polls } from './pollsOf';

describe('a missing subscriber', () => {
	const MINUTES = 60_000;
	const failure = (status: number): ServiceError =>
		new ServiceError('failed', '', { kind: 'status', status } as never);

	it('who still exists is forgotten after two thorough readings', async () => {
		const polls = new Polls('subscriberDeleted', many(3));
		await polls.poll();
		polls.records.shift();
		polls.isGone = async () => false;
		for (const minutes of [9, 1, 9]) {
			polls.now += minutes * MINUTES;
			expect([await polls.poll(), polls.lookUps]).toEqual([[], 1]);
		}
		expect([await polls.poll(), polls.lookUps]).toEqual([[], 0]);
	});

	it('who still exists is kept if Supercast sends no total', async () => {
		const polls = new Polls('subscriberDeleted', many(3));
		const withoutTotal: FetchPage = async (...request) => ({
			records: (await polls.fetchPage(...request)).records,
		});
		await polls.poll(false, withoutTotal);
		polls.records.shift();
		polls.isGone = async () => false;
		for (let round = 1; round <= 3; round++) {
			polls.now += HOUR;
			expect([await polls.poll(false, withoutTotal), polls.lookUps]).toEqual([[], 1]);
		}
	});

	it('whose look-up failed is looked up again, and counts as existing once at most', async () => {
		const polls = new Polls('subscriberDeleted', many(3));
		await polls.poll();
		polls.records.shift();
		const fail = async (): Promise<boolean> => {
			throw failure(500);
		};
		for (const isGone of [fail, fail, async () => false]) {
			polls.isGone = isGone;
			polls.now += HOUR;
			expect([await polls.poll(), polls.lookUps]).toEqual([[], 1]);
		}
		polls.isGone = async () => true;
		expect(await polls.poll()).toEqual(['deleted']);
		expect(polls.changesFound).toEqual([{ before: 'u-1,,', since: 0, repeats: 0 }]);
	});

	it('waits for the next poll after 50 others', async () => {
		const polls = new Polls('subscriberDeleted', many(70));
		await polls.poll();
		polls.records.splice(0, 60);
		expect(await polls.poll()).toHaveLength(50);
		expect([(await polls.poll()).length, polls.lookUps]).toEqual([10, 10]);
	});

	it('makes the poll fail only if all look-ups fail for a common reason', async () => {
		const expectFailure = async (count: number, statuses: number[], status?: number) => {
			const polls = new Polls('subscriberDeleted', many(9));
			await polls.poll();
			polls.records.splice(0, count);
			polls.isGone = async () => {
				throw failure(statuses[polls.lookUps - 1]!);
			};
			const result = await polls.poll().catch((error: ServiceError) => error.status);
			expect(result).toEqual(status ?? []);
		};
		await expectFailure(2, [500, 500]);
		await expectFailure(2, [500, 403], 403);
		await expectFailure(3, [500, 500, 500], 500);
	});

	it('does not make the poll fail if another look-up got a response', async () => {
		const polls = new Polls('subscriberDeleted', many(9));
		await polls.poll();
		polls.records.splice(0, 2);
		polls.isGone = async () => {
			if (polls.lookUps === 1) throw failure(403);
			return true;
		};
		expect(await polls.poll()).toEqual(['deleted']);
	});
});
