import { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import type { Page } from '../../../nodes/Supercast/api/paging/page';
import { HOUR, many, Polls, START } from './pollsOf';

/** A page with these IDs. */
function page(ids: number[], total?: number): Page {
	return { records: ids.map((id) => ({ id, state: 'available' })), total };
}

/** Reads these pages, and then the last one again and again. Returns the numbers of the requests. */
async function read(polls: Polls, pages: Page[]): Promise<number[]> {
	const numbers: number[] = [];
	await polls.poll(false, async (number) => {
		numbers.push(number);
		return pages[Math.min(number, pages.length) - 1]!;
	});
	return numbers;
}

/** The first poll reads thoroughly, and later ones with this event read all pages to the total. */
const newPolls = (): Polls => new Polls('subscriberStateChanged', []);

function sizeOf({ sessions }: Polls): number | undefined {
	return sessions.get('node')?.state?.size;
}

describe('the end of a reading', () => {
	it('is an empty page', async () => {
		expect(await read(newPolls(), [page([1, 2]), page([])])).toEqual([1, 2]);
	});

	it('is a page that reaches the total and is not full', async () => {
		const pages = [page([1, 2], 3), page([3], 3), page([], 3)];
		expect(await read(newPolls(), pages)).toEqual([1, 2]);
	});

	it('is the total, except for a thorough reading', async () => {
		const polls = newPolls();
		const pages = [page([1, 2], 2), page([], 2)];
		expect(await read(polls, pages)).toEqual([1, 2]);
		expect(await read(polls, pages)).toEqual([1]);
	});

	it('is the fifth page in a row without a new record', async () => {
		const [first, same, other] = [page([1, 2]), page([2, 1]), page([3])];
		expect(await read(newPolls(), [first, same])).toEqual([1, 2, 3, 4, 5, 6]);
		const pages = [first, same, same, same, same, other, same];
		expect(await read(newPolls(), pages)).toHaveLength(11);
	});

	it('is the end of the first poll if as many records were found as the total says', async () => {
		const moved = [page([1, 2], 3), page([2, 3], 3), page([], 3)];
		expect(await read(newPolls(), moved)).toEqual([1, 2, 3]);
	});

	it('is not the end of the first poll if a page repeats a record', async () => {
		const [first, second] = [page([1, 2], 4), page([], 4)];
		// The total is too high. Only a second reading shows it.
		expect(await read(newPolls(), [first, second])).toEqual([1, 2, 1, 2]);
		const moving = [page([1, 2], 4), page([2, 3], 4), page([], 4)];
		expect((await read(newPolls(), moving)).filter((number) => number === 1)).toHaveLength(20);
	});
});

describe('the size of a list', () => {
	it('is unknown without a total, or with one that is too low', async () => {
		const polls = newPolls();
		await read(polls, [page([1, 2]), page([])]);
		expect(sizeOf(polls)).toBeUndefined();
		await read(polls, [page([1, 2], 2), page([3], 2), page([], 2)]);
		expect(sizeOf(polls)).toBeUndefined();
		const none = newPolls();
		await read(none, [page([])]);
		expect(sizeOf(none)).toBeUndefined();
	});

	it('is the total of a steady list', async () => {
		const polls = newPolls();
		await read(polls, [page([1, 2], 3), page([3], 3)]);
		expect(sizeOf(polls)).toBe(3);
	});

	it('is at least what is left if records came and went', async () => {
		const polls = newPolls();
		await read(polls, [page([1, 2], 2), page([], 2)]);
		await read(polls, [page([1, 2], 5), page([3, 4], 4)]);
		expect(sizeOf(polls)).toBe(3);
	});

	it('is the total after a poll that needs only the first page', async () => {
		const polls = new Polls('episodeCreated', []);
		await read(polls, [page([1, 2], 4), page([3, 4], 4), page([], 4)]);
		expect(await read(polls, [page([5, 1], 5)])).toEqual([1]);
		expect(sizeOf(polls)).toBe(5);
	});

	it('is the total after a poll that needs only the first and the last page', async () => {
		const polls = new Polls('episodeCreated', many(350));
		await polls.poll();
		polls.records.push({ id: 'new' });
		expect([await polls.poll(), polls.requests, sizeOf(polls)]).toEqual([['new'], 2, 351]);
	});

	it('is unknown after a poll whose time was up', async () => {
		const polls = new Polls('subscriberStateChanged', many(250));
		await polls.poll();
		polls.now += HOUR;
		polls.isLate = true;
		polls.failures.set(2, new ServiceError('late', '', { kind: 'network', code: 'ETIMEDOUT' }));
		expect([await polls.poll(), sizeOf(polls)]).toEqual([[], undefined]);
		// The whole reading is still due.
		expect(polls.sessions.get('node')?.state?.readAt).toBe(START);
		polls.failures.clear();
		expect([await polls.poll(), sizeOf(polls)]).toEqual([[], 250]);
		expect(polls.requests).toBe(2);
		expect(polls.sessions.get('node')?.state?.readAt).toBe(START + HOUR);
	});
});
