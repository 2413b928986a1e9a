import type { IDataObject } from 'n8n-workflow';

import { detect } from '../../../nodes/Supercast/trigger/detect';
import { MOST_KNOWN, UNSURE_MS, type Memory } from '../../../nodes/Supercast/trigger/memory';
import { ListTooLongError } from '../../../nodes/Supercast/trigger/reading';
import { ListService, type ListOrder } from './simulatedList';

const start = 1_700_000_000_000;

/** A trigger that watches a list of alerts, each a second younger than the one before. */
class Watch {
	readonly service: ListService;

	memory: Memory | undefined;

	now = start;

	processStartedAt = start - 1_000;

	constructor(
		existing: number,
		private readonly options: {
			order?: ListOrder;
			most?: number;
			ids?: 'number' | 'uuid';
			dated?: boolean;
		} = {},
	) {
		const { order = 'newest', ids = 'uuid', dated = true } = options;
		this.service = new ListService({ order, cap: 100, headers: true }, ids, dated);
		for (let index = 0; index < existing; index++) this.raise();
	}

	raise(count = 1): string[] {
		this.now += 1_000;
		return this.service.raise(count, this.now);
	}

	async poll(): Promise<string[]> {
		this.now += 60_000;
		const news = await detect({
			fetchPage: this.service.fetchPage,
			shelf: { recall: () => this.memory, keep: (memory) => (this.memory = memory) },
			source: 'one',
			includeExisting: false,
			clock: { now: () => this.now, processStartedAt: this.processStartedAt },
			...(this.options.most === undefined ? {} : { most: this.options.most }),
		});
		return news.map(({ id }) => id);
	}

	async requestsOfPoll(): Promise<number> {
		const before = this.service.requests;
		await this.poll();
		return this.service.requests - before;
	}
}

describe('how much is read', () => {
	it.each([
		['newest', 1],
		['oldest', 2],
		['none', 10],
	] as const)('of 1,000 records, %s first: %i pages', async (order, pages) => {
		const watch = new Watch(1_000, { order });
		await watch.poll();
		expect(await watch.requestsOfPoll()).toBe(pages);
	});

	it('is everything when the order changes', async () => {
		const watch = new Watch(500);
		await watch.poll();
		watch.service.habits.order = 'none';
		const ids = watch.raise();
		expect(await watch.poll()).toEqual(ids);
	});

	it('is everything when the list grew elsewhere than where it looks', async () => {
		const watch = new Watch(500);
		await watch.poll();
		watch.service.alerts.splice(100, 0, { id: 'late', created_at: '2001-01-01T00:00:00Z' });
		expect(await watch.poll()).toEqual(['late']);
	});
});

describe('records that move while they are read', () => {
	it('are found by the next poll, even if the order changes before it', async () => {
		const watch = new Watch(0, { order: 'oldest', ids: 'number' });
		const { service } = watch;
		Object.assign(service.habits, { cap: 1, headers: false });
		await watch.poll();
		watch.raise(9);
		let requests = 0;
		// The first alert is dismissed after it was read: the second one moves to its place.
		service.beforePage = () => {
			if (++requests === 2) service.dismiss(0);
			if (requests === 2) service.raise(3, watch.now);
		};
		expect(await watch.poll()).not.toContain('2');
		service.habits.order = 'newest';
		const ids = watch.raise(2);
		expect((await watch.poll()).sort()).toEqual(['2', ...ids].sort());
		expect(await watch.poll()).toEqual([]);
	});

	it('lead to a whole reading next time where headers show it', async () => {
		const watch = new Watch(500, { ids: 'number' });
		await watch.poll();
		watch.raise(150);
		let requests = 0;
		watch.service.beforePage = () => {
			if (++requests === 2) watch.service.dismiss(0.999);
		};
		await watch.poll();
		expect(await watch.requestsOfPoll()).toBe(7);
		await watch.poll();
		expect(await watch.requestsOfPoll()).toBe(1);
	});
});

describe('an announcement that n8n may not have written', () => {
	async function announced(): Promise<{ watch: Watch; ids: string[] }> {
		const watch = new Watch(3);
		await watch.poll();
		const ids = watch.raise(2);
		expect(await watch.poll()).toEqual(ids);
		return { watch, ids };
	}

	it('is repeated once when a new process started soon after', async () => {
		const { watch, ids } = await announced();
		watch.processStartedAt = watch.now + UNSURE_MS - 1;
		watch.now = watch.processStartedAt;
		expect(await watch.poll()).toEqual(ids);
		expect(await watch.poll()).toEqual([]);
	});

	it('is not repeated by the same process, nor by one that started later', async () => {
		const { watch } = await announced();
		expect(await watch.poll()).toEqual([]);
		watch.processStartedAt = watch.now + UNSURE_MS;
		expect(await watch.poll()).toEqual([]);
	});
});

describe('a list that is longer than the memory', () => {
	const most = 200;

	it.each(['newest', 'oldest'] as const)('is watched when the %s come first', async (order) => {
		const watch = new Watch(500, { order, most });
		expect(await watch.poll()).toEqual([]);
		const ids = watch.raise(3);
		expect(await watch.poll()).toEqual(ids);
		expect(await watch.poll()).toEqual([]);
	});

	it('does not announce its older part when the newer one goes', async () => {
		const watch = new Watch(500, { most });
		await watch.poll();
		watch.service.alerts.splice(320);
		const ids = watch.raise(2);
		expect(await watch.poll()).toEqual(ids);
	});

	it.each([6, 11])('forgets its oldest first, though of %d it did not know which', async (few) => {
		const watch = new Watch(few, { most, ids: 'number', dated: false });
		await watch.poll();
		const ids = watch.raise(most - few + 1);
		expect(await watch.poll()).toEqual(ids);
		expect(await watch.poll()).toEqual([]);
	});

	it('needs no more room, nor a reading of all, where the list does not say its length', async () => {
		const watch = new Watch(most - 10, { most });
		watch.service.habits.headers = false;
		await watch.poll();
		for (let round = 0; round < 5; round++) {
			const ids = Array.from({ length: 20 }, () => watch.raise()).flat();
			expect(await watch.poll()).toEqual(ids);
			expect(await watch.poll()).toEqual([]);
		}
		expect(watch.memory?.known).toHaveLength(8 * most);
		const { requests } = watch.service;
		await watch.poll();
		expect(watch.service.requests - requests).toBe(1);
	});

	it('is nothing new when it is empty for once', async () => {
		const watch = new Watch(500, { most });
		await watch.poll();
		const gone = watch.service.alerts.splice(0);
		expect(await watch.poll()).toEqual([]);
		watch.service.alerts.push(...gone);
		expect(await watch.poll()).toEqual([]);
	});

	it('is an error when it comes in no order', async () => {
		const watch = new Watch(500, { order: 'none', most });
		await expect(watch.poll()).rejects.toThrow(ListTooLongError);
		expect(watch.memory).toBeUndefined();
	});

	it('is an error rather than an announcement when nothing in it is known', async () => {
		const watch = new Watch(500, { most });
		await watch.poll();
		const { memory } = watch;
		watch.service.alerts.splice(290);
		await expect(watch.poll()).rejects.toThrow(ListTooLongError);
		expect(watch.memory).toBe(memory);
	});
});

describe('the memory', () => {
	it('takes no more than 160 kB', async () => {
		const watch = new Watch(MOST_KNOWN + 500);
		await watch.poll();
		expect(JSON.stringify(watch.memory).length).toBeLessThan(160_200);
		watch.raise(50);
		await watch.poll();
		expect(watch.memory?.known).toHaveLength(160_000);
	});

	it('forgets only what is gone when it overflows', async () => {
		const watch = new Watch(20, { most: 40 });
		await watch.poll();
		for (let round = 0; round < 4; round++) {
			const ids = watch.raise(15);
			expect(await watch.poll()).toEqual(ids);
			watch.service.alerts.splice(20);
			expect(await watch.poll()).toEqual([]);
			expect(watch.memory?.known.length).toBeLessThanOrEqual(8 * (40 + 15));
		}
		watch.service.habits.order = 'none';
		expect(await watch.poll()).toEqual([]);
	});

	it('knows a record again that was gone for a while', async () => {
		const watch = new Watch(30);
		await watch.poll();
		const gone: IDataObject[] = watch.service.alerts.splice(0);
		expect(await watch.poll()).toEqual([]);
		watch.service.alerts.push(...gone);
		expect(await watch.poll()).toEqual([]);
	});
});
