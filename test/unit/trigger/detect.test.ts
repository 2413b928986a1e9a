import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../nodes/Supercast/api/errors/errors';
import type { Habits } from './simulatedList';
import type { Setup } from './steps';
import { TriggerModel } from './triggerModel';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

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
		most: 40_000,
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
	it('has 25,000 records, of which two have swapped their dates', async () => {
		const model = await watching(25_000);
		const [one, other] = [model.list.records[10_000]!, model.list.records[20_000]!];
		[one.created_at, other.created_at] = [other.created_at!, one.created_at!];
		expect(await poll(model)).toEqual({ ids: [], requests: 1 });
		const ids = model.list.create(1, model.now);
		expect(await poll(model)).toEqual({ ids, requests: 1 });
	});

	it('has 39,999 records, and one more is added between two requests', async () => {
		const model = await watching(39_990);
		model.now += HOUR;
		const create = { kind: 'create', count: 1, backMs: 0, state: 'available' } as const;
		const during = [{ request: 200, edit: create }];
		await model.happen({ kind: 'poll', during, end: 'saved' });
		expect(await poll(model)).toEqual({ ids: ['39991'], requests: 1 });
		expect(await poll(model)).toEqual({ ids: [], requests: 1 });
	});

	it('shrinks from 20,001 to 11', async () => {
		const model = await watching(20_001);
		model.list.records.splice(0, 19_990);
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

	it('is one whole reading, not more, after a response without headers', async () => {
		const model = await watching(1_050);
		model.list.habits.headers = 'none';
		expect((await poll(model)).requests).toBe(12);
		model.list.habits.headers = 'all';
		expect((await poll(model)).requests).toBe(11);
		expect((await poll(model)).requests).toBe(1);
	});

	it('is a whole reading once an hour, or every ten minutes for a short list', async () => {
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
		const error: unknown = await watching(40_001).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: 'There are more than 40,000 usage alerts, which is too many for this event',
			description: expect.stringContaining('supports up to 40,000 usage alerts'),
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

it('keeps 40,000 IDs in 320 kB', async () => {
	const model = await watching(40_000);
	expect(JSON.stringify(model.stored).length).toBeLessThan(320_300);
});
