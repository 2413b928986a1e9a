import type { IDataObject } from 'n8n-workflow';

import type { FetchPage, Page } from '../../../../nodes/Supercast/api/paging/page';
import { readPages } from '../../../../nodes/Supercast/api/paging/readPages';

const records = (count: number, from = 0): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: from + index }));

const keyOf = ({ id }: IDataObject) => `${id as number}`;

async function readAll(fetchPage: FetchPage): Promise<unknown[]> {
	const ids: unknown[] = [];
	for await (const { records: page } of readPages(fetchPage, 100, keyOf)) {
		ids.push(...page.map(({ id }) => id));
	}
	return ids;
}

describe('a list that does not match its headers', () => {
	/** The given pages in turn, and the numbers of the requested ones. */
	async function readGiven(pages: Record<number, Array<Partial<Page> & { ids: number[] }>>) {
		const asked: number[] = [];
		const left = new Map(Object.entries(pages).map(([page, all]) => [Number(page), [...all]]));
		const fetchPage: FetchPage = async (page) => {
			asked.push(page);
			const { ids, ...more } = left.get(page)!.shift()!;
			return { records: ids.map((id) => ({ id })), ...more };
		};
		return { asked, ids: await readAll(fetchPage) };
	}

	it('tells how many entries it has read, records or not', async () => {
		const pages: Page[] = [
			{ records: [{ id: 1 }], received: 3, total: 4 },
			{ records: [{ id: 2 }], total: 4 },
		];
		const fetchPage: FetchPage = async (page) => await Promise.resolve(pages[page - 1]!);
		const read: number[] = [];
		for await (const progress of readPages(fetchPage, 100, keyOf)) read.push(progress.read);
		expect(read).toEqual([3, 4]);
	});

	it('is read again from the page before if its total falls, and from further back if it falls far', async () => {
		const says = (total: number) => ({ perPage: 2, total });
		const once = await readGiven({
			1: [{ ids: [1, 2], ...says(6) }],
			2: [
				{ ids: [3, 4], ...says(6) },
				{ ids: [4, 5], ...says(5) },
			],
			3: [
				{ ids: [6], ...says(5) },
				{ ids: [6], ...says(5) },
			],
		});
		expect(once).toEqual({ asked: [1, 2, 3, 2, 3], ids: [1, 2, 3, 4, 6, 5] });
		const far = await readGiven({
			1: [
				{ ids: [1, 2], ...says(6) },
				{ ids: [4, 5], ...says(3) },
			],
			2: [
				{ ids: [3, 4], ...says(6) },
				{ ids: [6], ...says(3) },
			],
			3: [{ ids: [], ...says(3) }],
		});
		expect(far).toEqual({ asked: [1, 2, 3, 1, 2], ids: [1, 2, 3, 4, 5, 6] });
	});

	it('is not read again if the total falls before the second page, or grows', async () => {
		const says = (total: number) => ({ perPage: 2, total });
		const grown = await readGiven({
			1: [{ ids: [1, 2], ...says(3) }],
			2: [{ ids: [3, 4], ...says(4) }],
		});
		expect(grown.asked).toEqual([1, 2]);
	});

	it('is abandoned if its total goes up and down for ever', async () => {
		let requests = 0;
		const fetchPage: FetchPage = async (page) => {
			const total = requests++ % 2 === 0 ? 100 : 99;
			return { records: records(10, 10 * (page - 1)), perPage: 10, total };
		};
		await expect(readAll(fetchPage)).rejects.toMatchObject({
			message: 'The list kept changing while the node was reading it',
			description: 'The node stopped, because it would have missed records. Try again later.',
			failure: { kind: 'unexpected', status: 200, came: 'a list' },
		});
		// Two reads make progress, five more do not, and the next one is too many.
		expect(requests).toBe(8);
	});

	it('is abandoned if every request adds one record and deletes another, for ever', async () => {
		let requests = 0;
		const fetchPage: FetchPage = async (page) => {
			if (++requests > 1000) throw new Error('reads for ever');
			const total = page === 1 ? 500 : 399 + (requests % 2);
			return { records: records(100, 100 * requests), total };
		};
		await expect(readAll(fetchPage)).rejects.toThrow('kept changing');
		expect(requests).toBeLessThan(20);
	});

	it('is not read again if only later pages have a total', async () => {
		const { asked, ids } = await readGiven({
			1: [{ ids: [1, 2], perPage: 2 }],
			2: [{ ids: [3, 4], perPage: 2, total: 5 }],
			3: [{ ids: [5], perPage: 2, total: 5 }],
		});
		expect({ asked, ids }).toEqual({ asked: [1, 2, 3], ids: [1, 2, 3, 4, 5] });
	});

	it('is read on if its total falls again with the first page, since nothing comes before that', async () => {
		const says = (total: number) => ({ perPage: 2, total });
		const { asked, ids } = await readGiven({
			1: [
				{ ids: [1, 2], ...says(5) },
				{ ids: [3, 4], ...says(3) },
			],
			2: [
				{ ids: [4, 5], ...says(4) },
				{ ids: [5], ...says(3) },
			],
		});
		expect({ asked, ids }).toEqual({ asked: [1, 2, 1, 2], ids: [1, 2, 4, 5, 3] });
	});

	it('is read to its end while its total falls, however often', async () => {
		const left = Array.from({ length: 40 }, (_, id) => ({ id }));
		let requests = 0;
		const fetchPage: FetchPage = async (page) => {
			if (requests++ < 20) left.pop();
			const shown = left.slice(2 * (page - 1), 2 * page);
			return await Promise.resolve({ records: shown, perPage: 2, total: left.length });
		};
		expect(await readAll(fetchPage)).toEqual(left.map(({ id }) => id));
	});

	it('is read on after a few pages with nothing new', async () => {
		const { asked, ids } = await readGiven({
			1: [{ ids: [1, 2] }],
			2: [{ ids: [1, 2] }],
			3: [{ ids: [1, 2] }],
			4: [{ ids: [1, 2] }],
			5: [{ ids: [1, 2] }],
			6: [{ ids: [1, 2] }],
			7: [{ ids: [3, 4] }],
			8: [{ ids: [] }],
		});
		expect({ asked, ids }).toEqual({ asked: [1, 2, 3, 4, 5, 6, 7, 8], ids: [1, 2, 3, 4] });
	});
});
