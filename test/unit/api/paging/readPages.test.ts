import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { FetchPage } from '../../../../nodes/Supercast/api/paging/page';
import { readPages, type Progress } from '../../../../nodes/Supercast/api/paging/readPages';

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

const keyOf = ({ id }: IDataObject) => (id === undefined ? undefined : `${id as number}`);

async function progress({ fetchPage }: Pick<List, 'fetchPage'>): Promise<Progress[]> {
	const all: Progress[] = [];
	for await (const one of readPages(fetchPage, 100, keyOf)) all.push(one);
	return all;
}

async function readAll(list: Pick<List, 'fetchPage'>): Promise<unknown[]> {
	return (await progress(list)).flatMap(({ records }) => records.map(({ id }) => id));
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

	it('reads no more pages than the total needs', async () => {
		const list = listOf(records(200), { cap: 100 });
		expect(await readAll(list)).toHaveLength(200);
		expect(list.requests).toBe(2);
	});

	it('ends if a server without headers sends the same page again and again', async () => {
		const list = listOf(records(5));
		const ignoring: FetchPage = async () => (await list.fetchPage(1, 5), { records: records(5) });
		expect(await readAll({ ...list, fetchPage: ignoring })).toHaveLength(5);
		expect(list.requests).toBe(7);
	});

	it('keeps equal records without an ID apart by their place', async () => {
		const all = [{ name: 'a' }, { name: 'a' }, { name: 'b' }, { name: 'a' }];
		const list = listOf(all, { cap: 2 });
		const read = await progress(list);
		expect(read.flatMap(({ records: page }) => page)).toEqual(all);
		expect(read.at(-1)).toMatchObject({ read: 4, total: 4, isSteady: true });
	});

	it('tells how far it got if the list ends before its total', async () => {
		const list = listOf(records(150));
		const fetchPage: FetchPage = async (page, asked) =>
			page === 2 ? { records: [], perPage: 100, total: 150 } : await list.fetchPage(page, asked);
		expect((await progress({ fetchPage })).at(-1)).toMatchObject({ read: 100, total: 150 });
	});

	it.each([0, 50])('reads on to an empty page if the total of %d is too low', async (total) => {
		const list = listOf(records(250));
		const fetchPage: FetchPage = async (page, asked) => ({
			...(await list.fetchPage(page, asked)),
			total,
		});
		expect((await progress({ fetchPage })).at(-1)).toMatchObject({ read: 250, total });
		expect(list.requests).toBe(4);
	});

	it('tells if a record was deleted meanwhile', async () => {
		const list = listOf(records(6), {
			cap: 2,
			before: (current) => {
				if (current.requests === 3) current.all = current.all.slice(1);
			},
		});
		expect((await progress(list)).at(-1)).toMatchObject({ read: 6, total: 5, isSteady: false });
	});
});
