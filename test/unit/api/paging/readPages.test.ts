import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	identityOf,
	readPages,
	type FetchPage,
} from '../../../../nodes/Supercast/api/paging/readPages';

const records = (count: number, from = 0): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: from + index }));

interface List {
	fetchPage: FetchPage;
	requests: number;
	all: IDataObject[];
}

/** A list in pages of at most `cap` records, with or without headers. */
function listOf(
	all: IDataObject[],
	{ cap = 100, headers = true, before = undefined as ((list: List) => void) | undefined } = {},
): List {
	const list: List = {
		all,
		requests: 0,
		fetchPage: async (page, asked) => {
			list.requests++;
			before?.(list);
			const perPage = Math.min(asked, cap);
			const wanted = list.all.slice((page - 1) * perPage, page * perPage);
			return headers ? { records: wanted, perPage, total: list.all.length } : { records: wanted };
		},
	};
	return list;
}

async function readAll(list: List, limit?: number): Promise<unknown[]> {
	const ids: unknown[] = [];
	for await (const page of readPages(list.fetchPage, limit)) ids.push(...page.map(({ id }) => id));
	return ids;
}

describe('readPages', () => {
	it('returns each record exactly once, whatever the page size, total, headers and insertions', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 12 }),
				fc.integer({ min: 0, max: 60 }),
				fc.boolean(),
				fc.array(fc.record({ at: fc.nat({ max: 9 }), front: fc.boolean() }), { maxLength: 4 }),
				async (cap, total, headers, insertions) => {
					let next = total;
					const list = listOf(records(total), {
						cap,
						headers,
						before: (current: List) => {
							const due = insertions.filter(({ at }) => at === current.requests);
							if (due[0] === undefined) return;
							const inserted = records(1, next++);
							current.all = due[0].front
								? [...inserted, ...current.all]
								: [...current.all, ...inserted];
						},
					});

					const ids = await readAll(list);

					expect(new Set(ids).size).toBe(ids.length);
					expect(ids).toEqual(expect.arrayContaining(records(total).map(({ id }) => id)));
				},
			),
			{ numRuns: 300 },
		);
	});

	it('returns exactly the limit, and requests no page beyond it', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 12 }),
				fc.integer({ min: 0, max: 60 }),
				fc.boolean(),
				fc.integer({ min: 1, max: 70 }),
				async (cap, total, headers, limit) => {
					const list = listOf(records(total), { cap, headers });
					const ids = await readAll(list, limit);
					expect(ids).toHaveLength(Math.min(limit, total));
					if (limit <= total) expect(list.requests).toBe(Math.ceil(limit / Math.min(cap, limit)));
				},
			),
		);
	});

	it("follows Supercast's page size, not the one that it requested", async () => {
		const list = listOf(records(100), { cap: 30 });
		expect(await readAll(list)).toHaveLength(100);
		expect(list.requests).toBe(4);
	});

	it('reads no more pages than the total needs', async () => {
		const list = listOf(records(200), { cap: 100 });
		expect(await readAll(list)).toHaveLength(200);
		expect(list.requests).toBe(2);
	});

	it.each([[[10, 10, 25]], [[25, 7]], [[40, 10, 10, 30]]])(
		"misses nothing when Supercast's page size changes: %j",
		async (sizes) => {
			const all = records(95);
			let requests = 0;
			const fetchPage: FetchPage = async (page) => {
				const perPage = sizes[Math.min(requests++, sizes.length - 1)]!;
				return { records: all.slice((page - 1) * perPage, page * perPage), perPage, total: 95 };
			};
			const ids = await readAll({ all, fetchPage, requests: 0 });
			expect([...ids].sort((a, b) => Number(a) - Number(b))).toEqual(all.map(({ id }) => id));
		},
	);

	it('fails with an error, not silently, if the page size never settles', async () => {
		let requests = 0;
		const fetchPage: FetchPage = async (page) => {
			const perPage = [10, 25, 7, 40][requests++ % 4]!;
			return { records: records(perPage, (page - 1) * perPage), perPage, total: 95 };
		};
		await expect(readAll({ all: [], fetchPage, requests: 0 })).rejects.toThrow('kept changing');
	});

	it('ends if a server without headers sends the same page again and again', async () => {
		const list = listOf(records(5));
		const ignoring: FetchPage = async () => (await list.fetchPage(1, 5), { records: records(5) });
		expect(await readAll({ ...list, fetchPage: ignoring })).toHaveLength(5);
		expect(list.requests).toBe(3);
	});

	it.each([
		[Infinity, 100],
		[250, 100],
		[7, 7],
		[0.5, 1],
	])('up to a limit of %d requests pages of %d', async (limit, perPage) => {
		const sizes: number[] = [];
		const fetchPage: FetchPage = async (_, asked) => {
			sizes.push(asked);
			return await Promise.resolve({ records: [] });
		};
		await readAll({ all: [], requests: 0, fetchPage }, limit);
		expect(new Set(sizes)).toEqual(new Set([perPage]));
	});

	it('yields no empty page', async () => {
		const list = listOf([...records(2), ...records(2), ...records(2, 2)], { cap: 2 });
		const pages: IDataObject[][] = [];
		for await (const page of readPages(list.fetchPage)) pages.push(page);
		expect(pages).toEqual([records(2), records(2, 2)]);
	});

	it('distinguishes records without an id by their content', async () => {
		const list = listOf([{ name: 'a' }, { name: 'b' }], { cap: 1, headers: false });
		const names: unknown[] = [];
		for await (const page of readPages(list.fetchPage)) names.push(...page.map(({ name }) => name));
		expect(names).toEqual(['a', 'b']);
	});
});

describe('the identity of a record', () => {
	it.each([
		[{ uuid: 'u', id: 1 }, 'u'],
		[{ uuid: '', id: 1 }, '1'],
		[{ uuid: ' ', id: 'x' }, 'x'],
		[{ uuid: null, id: '' }, '{"uuid":null,"id":""}'],
		[{ name: 'a' }, '{"name":"a"}'],
	])('of %j is %s', (record, identity) => {
		expect(identityOf(record)).toBe(identity);
	});
});
