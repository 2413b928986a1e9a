import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import type { FetchPage } from '../../../nodes/Supercast/api/paging/page';
import { detect } from '../../../nodes/Supercast/trigger/detect';
import { EVENTS, type TriggerEvent } from '../../../nodes/Supercast/trigger/events';
import { StateStore } from '../../../nodes/Supercast/trigger/state';
import { DAY, many, Polls, START } from './pollsOf';

describe('what n8n saves', () => {
	it('changes only with the first poll, and with a poll that returns something', async () => {
		const polls = new Polls('episodeCreated', many(3));
		await polls.poll();
		const first = polls.data.supercastTrigger;
		expect(first).toBeDefined();
		polls.now += DAY;
		await polls.poll();
		expect(polls.data.supercastTrigger).toBe(first);
		polls.records.push({ id: 4 });
		expect(await polls.poll()).toEqual([4]);
		expect(polls.data.supercastTrigger).not.toBe(first);
	});

	it('also changes after a crash, since the list was read again', async () => {
		const polls = new Polls('episodeCreated', many(3));
		await polls.poll();
		polls.records.push({ id: 4 });
		await polls.poll();
		polls.records.pop();
		const before = polls.data.supercastTrigger;
		polls.sessions.clear();
		polls.processStartedAt = polls.now;
		expect(await polls.poll()).toEqual([]);
		expect(polls.data.supercastTrigger).not.toBe(before);
	});
});

describe('a durable cursor', () => {
	it('has the state of a poll that must be saved, and so has the workflow', async () => {
		const polls = new Polls('episodeCreated', many(3));
		const cursor = (polls.cursor = {});
		await polls.poll();
		expect(polls.data).toEqual(cursor);
		polls.records.push({ id: 4 });
		expect(await polls.poll()).toEqual([4]);
		expect(polls.data).not.toEqual(cursor);
		// After a crash, the list is read again.
		polls.records.pop();
		polls.sessions.clear();
		polls.processStartedAt = polls.now;
		polls.now += DAY;
		expect(await polls.poll()).toEqual([]);
		expect(polls.data).toEqual(cursor);
	});
});

describe('a poll that fails', () => {
	const reset = new ServiceError('reset', '', { kind: 'network', code: 'ETIMEDOUT' });

	it('throws, whatever the reason, if it has read nothing', async () => {
		for (const isLate of [false, true]) {
			const polls = new Polls(isLate ? 'episodeCreated' : 'subscriberDeleted', many(250));
			await polls.poll();
			polls.isLate = isLate;
			polls.failures.set(1, reset);
			await expect(polls.poll()).rejects.toBe(reset);
		}
	});

	it('throws halfway, unless its time was over', async () => {
		const polls = new Polls('subscriberDeleted', many(250));
		await polls.poll();
		polls.failures.set(3, reset);
		await expect(polls.poll()).rejects.toBe(reset);
		polls.isLate = true;
		expect(await polls.poll()).toEqual([]);
		polls.failures.clear();
		expect(await polls.poll()).toEqual([]);
		expect(polls.requests).toBeLessThan(3);
	});
});

describe('the first fetch', () => {
	it('repeats while records move between pages, and misses none', async () => {
		const polls = new Polls('episodeCreated', many(250));
		let reads = 0;
		const moving: FetchPage = async (page, perPage) => {
			if (page === 1) reads++;
			if (reads === 1 && page === 2) polls.records.push(polls.records.shift()!);
			return await polls.fetchPage(page, perPage);
		};
		const ids = await polls.poll(true, moving);
		expect(new Set(ids)).toEqual(new Set(many(250).map(({ id }) => id)));
		expect(await polls.poll()).toEqual([]);
	});

	it('does not return an episode that was unpublished meanwhile', async () => {
		const published = many(250).map((one) => ({ ...one, published_at: '2020-01-01T00:00:00Z' }));
		const polls = new Polls('episodePublished', published);
		const moving: FetchPage = async (page, perPage) => {
			const isFirst = polls.records.length === 250;
			if (isFirst && page === 2) polls.records.splice(5, 2, { id: 6, published_at: null });
			return await polls.fetchPage(page, perPage);
		};
		expect(await polls.poll(true, moving)).not.toContain(6);
	});

	it('ends after twenty rounds if the list never comes to rest', async () => {
		const polls = new Polls('episodeCreated', many(250));
		let reads = 0;
		const restless: FetchPage = async (page, perPage) => {
			if (page === 1) reads++;
			const { records } = await polls.fetchPage(page, perPage);
			return { records, perPage, total: 300 + reads + page };
		};
		await polls.poll(false, restless);
		expect(reads).toBe(20);
	});

	it('returns existing records only if that was chosen', async () => {
		expect(await new Polls('episodeCreated', many(2)).poll()).toEqual([]);
		expect(await new Polls('episodeCreated', many(2)).poll(true)).toEqual([1, 2]);
	});
});

describe('the whole list', () => {
	it.each([
		[500, 9],
		[501, 59],
	])('of %d records is read again after %d minutes', async (count, minutes) => {
		const polls = new Polls('episodeCreated', many(count));
		await polls.poll();
		polls.now += minutes * 60_000 - 1;
		await polls.poll();
		expect(polls.requests).toBe(1);
		polls.now += 1;
		await polls.poll();
		expect(polls.requests).toBeGreaterThan(1);
	});

	it('is read at every poll while more records are known than there is room for', async () => {
		const polls = new Polls('episodeCreated', many(250), { maxRecords: 300 });
		await polls.poll();
		polls.records = [...many(200), ...many(60, 1_000)];
		expect(await polls.poll()).toHaveLength(60);
		await polls.poll();
		expect(polls.requests).toBeGreaterThan(1);
		// The 50 deleted records are forgotten now, so the first page is enough.
		await polls.poll();
		expect(polls.requests).toBe(1);
	});

	it('is not read, and nothing is forgotten, while there is just enough room', async () => {
		const polls = new Polls('episodeCreated', many(3), { maxRecords: 3 });
		await polls.poll();
		const last = polls.records.pop()!;
		expect([await polls.poll(), polls.requests]).toEqual([[], 1]);
		polls.records.push(last);
		expect(await polls.poll()).toEqual([]);
	});

	it('is read if the last fetch was in the future', async () => {
		const polls = new Polls('episodeCreated', many(3));
		await polls.poll();
		polls.now -= 1;
		await polls.poll();
		expect(polls.requests).toBe(2);
	});
});

describe('a deleted subscriber', () => {
	it('is returned once, and again only after they came back', async () => {
		const polls = new Polls('subscriberDeleted', many(3));
		await polls.poll();
		const [first] = polls.records.splice(0, 1);
		expect(await polls.poll()).toEqual(['deleted']);
		expect(await polls.poll()).toEqual([]);
		polls.records.push(first!);
		expect(await polls.poll()).toEqual([]);
		polls.records.pop();
		expect(await polls.poll()).toEqual(['deleted']);
	});
});

describe('an episode that is due later', () => {
	const episode = (publishedAt: number): IDataObject => ({
		id: 7,
		published_at: new Date(publishedAt).toISOString(),
	});

	it('is returned once, even if it is unpublished and published again', async () => {
		const polls = new Polls('episodePublished', [episode(START + DAY)]);
		await polls.poll();
		expect(await polls.poll()).toEqual([]);
		polls.records = [episode(START - 1)];
		expect(await polls.poll()).toEqual([7]);
		polls.records = [{ id: 7 }];
		expect(await polls.poll()).toEqual([]);
		polls.records = [episode(START - 1)];
		expect(await polls.poll()).toEqual([]);
	});

	it('is returned again in time if the clock was ahead when it was returned', async () => {
		const polls = new Polls('episodePublished', []);
		await polls.poll();
		polls.records = [episode(START + DAY)];
		polls.now = START + 2 * DAY;
		expect(await polls.poll()).toEqual([7]);
		polls.now = START;
		expect(await polls.poll()).toEqual([]);
		polls.now = START + DAY;
		expect(await polls.poll()).toEqual([7]);
	});
});

describe('another credential', () => {
	/** Polls that knew three records, and now have another credential and these records. */
	async function switchedTo(records: IDataObject[], event: TriggerEvent = 'episodeCreated') {
		const polls = new Polls(event, many(3));
		await polls.poll();
		return Object.assign(polls, { source: 'B', records });
	}

	it('of the same channel starts nothing, and finds what is new', async () => {
		const polls = await switchedTo([...many(3), { id: 4 }]);
		expect(await polls.poll()).toEqual([4]);
	});

	it('is saved and counted, even if nothing is new', async () => {
		const polls = await switchedTo(many(3));
		const before = polls.data.supercastTrigger;
		const generation = (): unknown => polls.sessions.get('node')?.state?.generation;
		expect(generation()).toBe(1);
		expect([await polls.poll(), generation()]).toEqual([[], 2]);
		expect(polls.data.supercastTrigger).not.toBe(before);
		expect([await polls.poll(), generation()]).toEqual([[], 2]);
	});

	it('of another channel makes its records the known ones', async () => {
		const polls = await switchedTo(many(3, 100));
		expect(await polls.poll()).toEqual([]);
		polls.records.push({ id: 200 });
		expect(await polls.poll()).toEqual([200]);
	});

	it('of another channel returns its records if existing ones were chosen', async () => {
		const polls = await switchedTo(many(2, 100));
		expect(await polls.poll(true)).toEqual([100, 101]);
	});

	it('of another channel does not make the subscribers of the first one look deleted', async () => {
		const polls = await switchedTo(many(3, 100), 'subscriberDeleted');
		expect(await polls.poll()).toEqual([]);
		expect(await polls.poll()).toEqual([]);
	});
});

describe('the cost of a poll', () => {
	const SIZES = [10, 100, 1_000, 10_000];
	const ORDERS = ['newest', 'by update', 'oldest', 'shuffled'] as const;

	interface Cost {
		first: number;
		quiet: number;
		oneNew: number;
	}

	/** Requests of the first poll, of a quiet one, and of one that finds a new record. */
	async function measure(
		event: TriggerEvent,
		size: number,
		order: (typeof ORDERS)[number],
		hasHeaders: boolean,
	): Promise<Cost> {
		const list: IDataObject[] = Array.from({ length: size }, (_, index) => ({
			...{ id: index, state: 'available' },
		}));
		const clock = { now: () => 1_700_000_000_000, processStartedAt: 0 };
		const store = new StateStore({ workflow: {} }, event, new Map(), clock);
		let requests = 0;
		const requestsOfPoll = async (found: number): Promise<number> => {
			requests = 0;
			const changes = await detect({
				eventKind: EVENTS[event]({ states: [], email: '', now: clock.now() }),
				fetchPage: async (page, perPage) => {
					requests++;
					const records = list.slice((page - 1) * perPage, page * perPage);
					return { records, ...(hasHeaders ? { perPage, total: list.length } : {}) };
				},
				isGone: async () => false,
				signal: new AbortController().signal,
				store,
				source: '',
				includeExisting: false,
				clock,
			});
			expect(changes).toHaveLength(found);
			return requests;
		};
		const first = await requestsOfPoll(0);
		const quiet = await requestsOfPoll(0);
		const place = { newest: 0, 'by update': 0, oldest: size, shuffled: Math.floor(size / 2) };
		list.splice(place[order], 0, { id: 'new' });
		return { first, quiet, oneNew: await requestsOfPoll(EVENTS_OF_CHANGE.has(event) ? 0 : 1) };
	}

	const EVENTS_OF_CHANGE = new Set<TriggerEvent>(['subscriberStateChanged', 'subscriberDeleted']);

	function cell(values: number[]): string {
		expect(new Set(values).size).toBe(1);
		return String(values[0]);
	}

	/**
	 * Requests with 100 records per page: the first poll, a quiet one, one that finds a new record
	 * (newest first, oldest first, no order), the same three without the length of the list, and a
	 * quiet poll of an event that reads the complete list.
	 */
	const EXPECTED = `
		10     |   2 |   1 | 1 | 1 |   1 |   2 |   2 |   2 |   1
		100    |   2 |   1 | 1 | 2 |   1 |   2 |   2 |   3 |   1
		1,000  |  11 |   1 | 1 | 2 |  12 |  11 |  11 |  12 |  10
		10,000 | 101 |   1 | 1 | 2 | 102 | 101 | 101 | 102 | 100`;

	it('is one request if nothing is new, and the order of the list decides the rest', async () => {
		const rows: string[] = [];
		for (const size of SIZES) {
			const costs = new Map<string, Cost>();
			for (const order of ORDERS) {
				costs.set(order, await measure('subscriberCreated', size, order, true));
				costs.set(`${order}, no headers`, await measure('subscriberCreated', size, order, false));
			}
			const change = await measure('subscriberStateChanged', size, 'newest', true);
			const of = (key: keyof Cost, suffix: string, orders: readonly string[] = ORDERS): string =>
				cell(orders.map((order) => costs.get(`${order}${suffix}`)![key]));
			rows.push(
				[
					size.toLocaleString('en'),
					of('first', ''),
					of('quiet', ''),
					of('oneNew', '', ['newest', 'by update']),
					of('oneNew', '', ['oldest']),
					of('oneNew', '', ['shuffled']),
					of('quiet', ', no headers'),
					of('first', ', no headers'),
					of('oneNew', ', no headers'),
					cell([change.quiet]),
				].join(' | '),
			);
		}
		expect(rows).toEqual(
			EXPECTED.trim()
				.split('\n')
				.map((line) => line.trim().replace(/ +/g, ' ')),
		);
	});
});
