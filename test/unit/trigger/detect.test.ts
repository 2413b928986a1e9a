import type { IDataObject } from 'n8n-workflow';

import { InputError, ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import type { FetchPage } from '../../../nodes/Supercast/api/paging/page';
import { nearLimit, tooLong } from '../../../nodes/Supercast/trigger/eventKind';
import { EVENTS } from '../../../nodes/Supercast/trigger/events';
import { HOUR, many, Polls } from './pollsOf';
import type { Habits } from '../../doubles/simulatedList';
import type { Setup } from './steps';
import { TriggerModel } from './triggerModel';

describe('what a poll detects', () => {
	const HOUR = 3_600_000;
	const DAY = 24 * HOUR;

	/** A tenth of what the trigger can watch. The events say how many that is. */
	const MOST = 4_000;

	type Options = Partial<Habits & Setup>;

	/** A trigger that knows a list of this many records, the older ones with the lower numbers. */
	async function watching(existing: number, options: Options = {}): Promise<TriggerModel> {
		const { order = 'newest', cap = 100, headers = 'all', ...setup } = options;
		const model = new TriggerModel({
			event: 'usageAlertCreated',
			habits: { order, cap, headers },
			ids: 'number',
			existing,
			includeExisting: false,
			memory: 'process',
			triggers: 1,
			states: [],
			most: MOST,
			...setup,
		});
		await model.activate();
		return model;
	}

	/** One poll: the IDs that it announces, and its number of requests. */
	async function poll(model: TriggerModel): Promise<{ ids: string[]; requests: number }> {
		const { requests } = model.list;
		const { length } = model.announced;
		await model.happen({ kind: 'poll', during: [], end: 'saved' });
		const ids = model.announced.slice(length).map(({ id }) => id);
		return { ids, requests: model.list.requests - requests };
	}

	describe('a record that the earlier trigger lost', () => {
		it('has a date before other known records', async () => {
			const model = await watching(150);
			model.list.records.pop();
			const ids = model.list.create(1, model.now - 2 * HOUR);
			// In a list by date, among the others.
			const [late] = model.list.records.splice(-1);
			model.list.records.splice(100, 0, late!);
			await poll(model);
			model.now += HOUR;
			await poll(model);
			expect(model.announced.map(({ id }) => id)).toEqual(ids);
		});

		it.each(['newest', 'oldest', 'updated', 'shuffled'] as const)(
			'has a random number as its id, %s first',
			async (order) => {
				const model = await watching(150, { order, ids: 'random number', cap: 25 });
				const ids = model.list.create(2, model.now);
				expect((await poll(model)).ids.sort()).toEqual(ids.sort());
			},
		);

		it.each(['total', 'echo', 'short', 'none'] as const)(
			'is behind the first page of 25, with the headers "%s"',
			async (headers) => {
				const model = await watching(150, { order: 'oldest', headers, cap: 25 });
				const ids = model.list.create(2, model.now);
				expect((await poll(model)).ids).toEqual(ids);
				expect((await poll(model)).ids).toEqual([]);
			},
		);

		it('is the second alert of a subscriber whose uuid the alert carries', async () => {
			const model = await watching(0);
			model.list.create(1, model.now, { uuid: 'listener' });
			expect((await poll(model)).ids).toEqual(['1']);
			model.list.create(1, model.now, { uuid: 'listener' });
			expect((await poll(model)).ids).toEqual(['2']);
		});

		it('slipped between two pages of the poll before n8n crashed', async () => {
			const model = await watching(0, { order: 'oldest', cap: 2, headers: 'all' });
			model.list.create(5, model.now);
			// The first alert is dismissed after it was read, so the third one moves to the page
			// before.
			const edit = { kind: 'remove', share: 0 } as const;
			const during = [{ request: 2, edit }];
			await model.happen({ kind: 'poll', during, end: 'crash before execution' });
			await poll(model);
			expect(new Set(model.announced.map(({ id }) => id))).toEqual(new Set(['2', '3', '4', '5']));
		});
	});

	describe('a record that the earlier trigger announced twice', () => {
		it('was gone when the credential was replaced', async () => {
			const model = await watching(20);
			const gone = model.list.records.splice(0);
			await model.happen({ kind: 'access', credential: 'B', channel: 0 });
			model.list.records.push(...gone);
			expect((await poll(model)).ids).toEqual([]);
			const ids = model.list.create(1, model.now);
			expect((await poll(model)).ids).toEqual(ids);
		});

		it('got a uuid', async () => {
			const model = await watching(20);
			for (const record of model.list.records) delete record.uuid;
			await model.activate();
			for (const record of model.list.records) record.uuid = `new ${String(record.id)}`;
			model.now += DAY;
			expect((await poll(model)).ids).toEqual([]);
		});

		it('was hidden once', async () => {
			const model = await watching(30);
			const gone: IDataObject[] = model.list.records.splice(0);
			expect((await poll(model)).ids).toEqual([]);
			model.list.records.push(...gone);
			expect((await poll(model)).ids).toEqual([]);
		});
	});

	describe('a list that the earlier trigger could not watch', () => {
		it('has thousands of records, of which two have swapped their dates', async () => {
			const model = await watching(2_500);
			const [one, other] = [model.list.records[1_000]!, model.list.records[2_000]!];
			[one.created_at, other.created_at] = [other.created_at!, one.created_at!];
			expect(await poll(model)).toEqual({ ids: [], requests: 1 });
			const ids = model.list.create(1, model.now);
			expect(await poll(model)).toEqual({ ids, requests: 1 });
		});

		it('has almost as many records as it may have, and one more is added between two requests', async () => {
			const model = await watching(MOST - 10);
			model.now += HOUR;
			const create = { kind: 'create', count: 1, backMs: 0, state: 'available' } as const;
			const during = [{ request: 20, edit: create }];
			await model.happen({ kind: 'poll', during, end: 'saved' });
			expect(await poll(model)).toEqual({ ids: [String(MOST - 9)], requests: 1 });
			expect(await poll(model)).toEqual({ ids: [], requests: 1 });
		});

		it('shrinks from 2,001 to 11', async () => {
			const model = await watching(2_001);
			model.list.records.splice(0, 1_990);
			expect((await poll(model)).ids).toEqual([]);
			const ids = model.list.create(2, model.now);
			expect((await poll(model)).ids).toEqual(ids.reverse());
		});
	});

	describe('the cost of a poll', () => {
		it.each(['newest', 'oldest', 'updated', 'shuffled'] as const)(
			'is one request when nothing is new, %s first',
			async (order) => {
				const model = await watching(1_000, { order });
				expect(await poll(model)).toEqual({ ids: [], requests: 1 });
			},
		);

		it('is one complete fetch, not more, after a response without headers', async () => {
			const model = await watching(1_050);
			model.list.habits.headers = 'none';
			expect((await poll(model)).requests).toBe(12);
			model.list.habits.headers = 'all';
			expect((await poll(model)).requests).toBe(11);
			expect((await poll(model)).requests).toBe(1);
		});

		it('is a complete fetch once an hour, or every ten minutes for a short list', async () => {
			for (const [size, minutes] of [[1_050, 60] as const, [350, 10] as const]) {
				const model = await watching(size);
				const costs: number[] = [];
				for (let minute = 1; minute <= 2 * minutes; minute++)
					costs.push((await poll(model)).requests);
				const whole = costs.flatMap((cost, index) => (cost > 1 ? [index + 1] : []));
				expect(whole).toEqual([minutes - 1, 2 * (minutes - 1)]);
			}
		});
	});

	describe('a list that is too long', () => {
		it('is refused at activation, with a sentence', async () => {
			const error: unknown = await watching(MOST + 1).catch((reason: unknown) => reason);
			expect(error).toBeInstanceOf(InputError);
			expect(error).toMatchObject({
				message: 'There are more than 4,000 usage alerts, which is too many for this event',
				description: expect.stringContaining('supports up to 4,000 usage alerts'),
			});
		});

		it('makes room for new records by forgetting deleted ones', async () => {
			const model = await watching(20, { most: 40 });
			for (let round = 0; round < 5; round++) {
				const ids = model.list.create(15, model.now);
				expect((await poll(model)).ids).toEqual(ids.reverse());
				model.list.records.splice(20);
				expect((await poll(model)).ids).toEqual([]);
			}
			expect(model.stored.known.length).toBeLessThanOrEqual(8 * 55);
		});
	});

	it('keeps 4,000 IDs in 32 kB', async () => {
		const model = await watching(MOST);
		expect(JSON.stringify(model.stored).length).toBeLessThan(32_300);
	});
});

describe('a missing subscriber', () => {
	const MINUTES = 60_000;
	const failure = (status: number): ServiceError =>
		new ServiceError('failed', '', { kind: 'status', status } as never);

	it('who still exists is forgotten after two thorough fetches', async () => {
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
		expect(polls.changesFound).toEqual([{ before: 'u-1,,,a', since: 0, repeats: 0 }]);
	});

	it('waits for the next poll after 50 others', async () => {
		const polls = new Polls('subscriberDeleted', many(70));
		await polls.poll();
		polls.records.splice(0, 60);
		expect(await polls.poll()).toHaveLength(50);
		expect([(await polls.poll()).length, polls.lookUps]).toEqual([10, 10]);
	});

	it('gets its turn, even if the look-ups of 50 others keep failing', async () => {
		const polls = new Polls('subscriberDeleted', many(100));
		await polls.poll();
		polls.records.splice(0, 60);
		polls.isGone = async (fingerprint) => {
			const number = Number(/\d+/.exec(fingerprint));
			if (number < 50) throw failure(500);
			return number > 50;
		};
		expect(await polls.poll()).toEqual([]);
		expect(await polls.poll()).toHaveLength(10);
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

describe('a list that cannot be watched', () => {
	/** Polls of a list with so many subscribers, whose state Supercast doesn't show. */
	function stateless(count: number): Polls {
		return new Polls(
			'subscriberStateChanged',
			many(count).map((record) => ({ ...record, state: undefined })),
		);
	}

	it('has a total, but no records', async () => {
		const polls = new Polls('episodeCreated', []);
		const error: unknown = await polls
			.poll(false, async () => ({ records: [], total: 1_200 }))
			.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: expect.stringMatching(/no episodes.*1,200/),
			description: expect.stringContaining('npm run probe'),
		});
		expect(await polls.poll(false, async () => ({ records: [], total: 0 }))).toEqual([]);
	});

	it('shows no states, so no state could ever change', async () => {
		const error: unknown = await stateless(5)
			.poll()
			.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: expect.stringMatching(/subscribers.*"state"/),
			description: expect.stringContaining('npm run probe'),
		});
	});

	it('is watched if some records show a state, or if it is too short to judge', async () => {
		expect(await stateless(4).poll()).toEqual([]);
		const polls = stateless(5);
		Object.assign(polls.records[4]!, { state: 'available' });
		expect(await polls.poll()).toEqual([]);
	});

	it('is watched without states if the event is not about them', async () => {
		const records = many(5).map((record) => ({ ...record, state: undefined }));
		expect(await new Polls('subscriberCreated', records).poll()).toEqual([]);
	});
});

describe('a list that becomes too long', () => {
	it.each([
		['usageAlertCreated', 31_999, false],
		['usageAlertCreated', 32_000, true],
		['subscriberDeleted', 16_000, true],
	] as const)('%s with %d records: warns %s', (event, count, warns) => {
		const eventKind = EVENTS[event]({ states: [], email: '', now: 0 });
		const warning = nearLimit(eventKind, count);
		expect(warning !== undefined).toBe(warns);
		if (warns) {
			expect(warning).toContain('Schedule Trigger');
			expect(warning).toContain(` ${count.toLocaleString('en')} `);
		}
		expect(tooLong(eventKind).description).toContain('Schedule Trigger');
	});
});
