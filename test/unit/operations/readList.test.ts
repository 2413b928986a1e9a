import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../../nodes/Supercast/api/client';
import { CustomerIdRegister } from '../../../nodes/Supercast/api/customerIdRegister';
import { RecentDecisions } from '../../../nodes/Supercast/api/recentDecisions';
import { recordKind } from '../../../nodes/Supercast/operations/kinds';
import { readList, type ListOptions } from '../../../nodes/Supercast/operations/lists';

const people = recordKind('Person', { isPerson: true });
const alerts = recordKind('Alert');

type Answer = { body: unknown[]; headers: IDataObject };

/** A list in pages of at most `cap` entries. `change` replaces single responses. */
function clientOf(
	list: unknown[],
	{ cap = 100, change = (_: number, answer: Answer): Partial<Answer> => answer } = {},
): { client: SupercastClient; asked: Array<[number, number]> } {
	const asked: Array<[number, number]> = [];
	const client: SupercastClient = {
		inTurn: async (_, work) => await work(),
		customerIds: new CustomerIdRegister(() => 0),
		decisions: new RecentDecisions(() => 0),
		request: async ({ query = {} }) => {
			const [page, size] = [Number(query.page), Number(query.per_page)];
			asked.push([page, size]);
			const perPage = Math.min(cap, size);
			const body = list.slice((page - 1) * perPage, page * perPage);
			const headers = { 'x-per-page': `${perPage}`, 'x-total': `${list.length}` };
			return { status: 200, headers, body, ...change(asked.length, { body, headers }) };
		},
	};
	return { client, asked };
}

const rows = (count: number): IDataObject[] => Array.from({ length: count }, (_, id) => ({ id }));
const all: ListOptions<IDataObject> = {};

it('returns exactly the limit, and requests no page beyond it', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 12 }),
			fc.nat({ max: 60 }),
			fc.integer({ min: 1, max: 70 }),
			async (cap, total, limit) => {
				const { client, asked } = clientOf(rows(total), { cap });
				const { taken, read, isShort } = await readList(client, alerts, { ...all, limit });
				expect(taken).toEqual(rows(Math.min(limit, total)));
				expect([read, isShort]).toEqual([taken.length, false]);
				if (limit <= total) expect(asked).toHaveLength(Math.ceil(limit / Math.min(cap, limit)));
			},
		),
	);
});

it.each([
	[Infinity, 100],
	[250, 100],
	[7, 7],
])('up to a limit of %d requests pages of %d', async (limit, perPage) => {
	const { client, asked } = clientOf([]);
	await readList(client, alerts, { ...all, limit });
	expect(asked).toEqual([[1, perPage]]);
});

it('stops reading once enough records match, and requests no page early', async () => {
	const { client, asked } = clientOf(rows(500));
	const isEven = (record: IDataObject) => (Number(record.id) % 2 === 0 ? record : undefined);
	const reading = await readList(client, alerts, { take: isEven, limit: 60 });
	expect(reading.taken).toHaveLength(60);
	expect(reading).toMatchObject({ read: 119, total: 500, isShort: false });
	expect(asked.map(([page]) => page)).toEqual([1, 2]);
});

describe('a list that ends before its total', () => {
	it('is read again, and is complete if that was passing', async () => {
		const { client, asked } = clientOf(rows(250), {
			change: (request, answer) => (request === 2 ? { ...answer, body: [] } : answer),
		});
		const reading = await readList(client, alerts, all);
		expect(reading).toMatchObject({ read: 250, total: 250, isShort: false, isComplete: true });
		expect(asked.map(([page]) => page).filter((page) => page === 1)).toHaveLength(2);
	});

	it.each([
		['empty', 0],
		['short', 40],
	])('is called short after three readings, if page 2 is always %s', async (_, kept) => {
		const list = rows(250);
		const { client, asked } = clientOf(list, {
			change: (__, { body, headers }) => ({
				headers,
				body: body[0] === list[100] ? body.slice(0, kept) : body,
			}),
		});
		const reading = await readList(client, alerts, all);
		expect(reading).toMatchObject({ total: 250, isShort: true, isComplete: false });
		expect(reading.read).toBeLessThan(250);
		expect(asked.filter(([page]) => page === 1)).toHaveLength(3);
	});

	it('is complete without a total, as nothing else is known', async () => {
		const { client } = clientOf(rows(150), { change: (_, { body }) => ({ headers: {}, body }) });
		const reading = await readList(client, alerts, all);
		expect(reading).toMatchObject({ read: 150, total: undefined, isComplete: true });
	});

	it('proves nothing if its total is lower than what was read', async () => {
		const { client } = clientOf(rows(250), {
			change: (_, { body }) => ({ headers: { 'x-total': '0' }, body }),
		});
		const reading = await readList(client, alerts, all);
		expect(reading).toMatchObject({ read: 250, isShort: false, isComplete: false });
	});
});

describe('what identifies a record', () => {
	const taken = async (kind: typeof alerts, list: IDataObject[]) =>
		(await readList(clientOf(list, { cap: 2 }).client, kind, all)).taken;

	it('is not the uuid of another record that it carries', async () => {
		const list = [1, 2, 3].map((id) => ({ id, uuid: 'u-1' }));
		expect(await taken(alerts, list)).toEqual(list);
	});

	it('is not an ID that equals the uuid of another record', async () => {
		const list = [{ uuid: 'x' }, { id: 'x' }, { uuid: 'y', id: 'x' }, { email: 'x' }];
		expect(await taken(people, list)).toEqual(list);
	});

	it('is its place in the list, if it has no ID', async () => {
		const list = [{ uuid: 'u-1', note: 'a' }, { uuid: 'u-1', note: 'a' }, { note: 'b' }];
		expect(await taken(alerts, list)).toEqual(list);
	});

	it('is the uuid of a person, who may change meanwhile', async () => {
		const list = [
			{ uuid: 'u-1', id: 1 },
			{ uuid: '', id: 2 },
			{ uuid: 'u-1', id: 3 },
		];
		expect(await taken(people, list)).toEqual(list.slice(0, 2));
	});
});
