import { InputError, ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import type { FetchPage } from '../../../nodes/Supercast/api/paging/page';
import type { TriggerEvent } from '../../../nodes/Supercast/trigger/events';
import { HOUR, many, Polls } from './pollsOf';

/** Polls that knew this many records. Now none of them is in the list, but this many others. */
async function replaced(event: TriggerEvent, known: number, others: number): Promise<Polls> {
	const polls = new Polls(event, many(known));
	await polls.poll();
	return Object.assign(polls, { records: many(others, 1_000) });
}

describe('a list without any known record', () => {
	it.each([
		['subscriberDeleted', 3, 0],
		['subscriberDeleted', 3, 1],
		['subscriberCreated', 3, 3],
		['episodeCreated', 10, 250],
		// As long as if these were new records.
		['episodeCreated', 10, 110],
	] as const)('stops the trigger: %s, %d known, %d others', async (event, known, others) => {
		const polls = await replaced(event, known, others);
		const noun = event === 'episodeCreated' ? 'episodes' : 'subscribers';
		const error: unknown = await polls.poll().catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: `None of the ${known} ${noun} that the trigger knows is in the list any more`,
			description: expect.stringContaining('may now belong to another channel'),
		});
		polls.records = many(known);
		expect(await polls.poll()).toEqual([]);
	});

	it('stops the trigger without a total, too', async () => {
		const polls = await replaced('episodeCreated', 3, 3);
		const withoutTotal: FetchPage = async (...request) => ({
			records: (await polls.fetchPage(...request)).records,
		});
		await expect(polls.poll(false, withoutTotal)).rejects.toThrow('None of the 3 episodes');
	});

	it.each([
		// All questions may be answered and deleted.
		['questionCreated', 10, 10],
		// Too few to be sure.
		['subscriberCreated', 2, 10],
		['subscriberCreated', 10, 2],
		['episodeCreated', 10, 0],
	] as const)('may be right: %s, %d known, %d others', async (event, known, others) => {
		const polls = await replaced(event, known, others);
		expect(await polls.poll()).toEqual(polls.records.map(({ id }) => id));
	});

	it('is read to its end, even if its total is too low', async () => {
		const polls = await replaced('episodeCreated', 10, 100);
		const others = polls.records.map(({ id }) => id);
		polls.records.push(...many(10));
		const withLowTotal: FetchPage = async (...request) => ({
			...(await polls.fetchPage(...request)),
			total: 100,
		});
		expect(await polls.poll(false, withLowTotal)).toEqual(others);
	});

	it('stops the trigger, even if every page is the same', async () => {
		const polls = new Polls('episodeCreated', many(10));
		await polls.poll();
		const records = many(10, 100);
		const samePage: FetchPage = async () => {
			if (++polls.requests > 20) throw new Error('The poll does not end.');
			return { records, total: 17 };
		};
		await expect(polls.poll(false, samePage)).rejects.toThrow('None of the 10 episodes');
	});
});

describe('a reading that ended late', () => {
	const late = new ServiceError('late', '', { kind: 'network', code: 'ETIMEDOUT' });

	it('goes on with the next page, even if no known record follows', async () => {
		const polls = new Polls('subscriberCreated', many(100));
		await polls.poll();
		polls.records.push(...many(150, 1_000));
		polls.now += HOUR;
		polls.isLate = true;
		polls.failures.set(2, late);
		expect(await polls.poll()).toEqual([]);
		polls.failures.clear();
		expect(await polls.poll()).toHaveLength(150);
		expect(polls.requests).toBe(2);
	});

	it('goes on with the next page if it had read the ends of the list', async () => {
		const polls = new Polls('episodeCreated', many(250));
		await polls.poll();
		polls.records.splice(150, 0, { id: 'new' });
		polls.isLate = true;
		polls.failures.set(3, late);
		expect([await polls.poll(), polls.requests]).toEqual([[], 3]);
		polls.failures.clear();
		const numbers: number[] = [];
		const found = await polls.poll(false, async (page, perPage) => {
			numbers.push(page);
			return await polls.fetchPage(page, perPage);
		});
		expect([found, numbers]).toEqual([['new'], [2]]);
	});

	it('starts again with another credential', async () => {
		const polls = new Polls('subscriberStateChanged', many(350));
		await polls.poll();
		polls.isLate = true;
		polls.failures.set(3, late);
		await polls.poll();
		polls.failures.clear();
		const records = many(250, 1000).map((record) => ({ ...record, state: 'available' }));
		Object.assign(polls, { source: 'B', records });
		await polls.poll();
		Object.assign(records[0]!, { state: 'suspended' });
		expect(await polls.poll()).toEqual([1000]);
	});
});
