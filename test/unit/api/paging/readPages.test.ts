import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { FetchPage, Page } from '../../../../nodes/Supercast/api/paging/page';
import { readAhead } from '../../../../nodes/Supercast/api/paging/readAhead';
import { type Progress, readPages } from '../../../../nodes/Supercast/api/paging/readPages';
import { runs } from '../../../support/deep';

const records = (count: number, from = 0): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: from + index }));

describe('readPages', () => {
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

					const read = new Set(ids);
					expect(read.size).toBe(ids.length);
					expect(records(total).filter(({ id }) => !read.has(id))).toEqual([]);
				},
			),
			runs(75),
		);
	});

	it.each([
		[199, 2],
		[200, 3],
		[201, 3],
	])('reads no more pages than it takes to prove the end of %d records', async (count, pages) => {
		const list = listOf(records(count), { cap: 100 });
		expect(await readAll(list)).toHaveLength(count);
		expect(list.requests).toBe(pages);
	});

	it('reads on if the total is too low, and reached at the end of a full page', async () => {
		const list = listOf(records(301), { cap: 100 });
		const tooLow: FetchPage = async (...asked) => ({
			...(await list.fetchPage(...asked)),
			total: 200,
		});
		expect(await readAll({ ...list, fetchPage: tooLow })).toHaveLength(301);
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

describe('pages that are read ahead', () => {
	interface Service {
		ids: number[];
		fetchPage: FetchPage;
		/** Pages in the order of their requests. */
		asked: number[];
		mostAtOnce: number;
	}

	/** A list. Each response takes as many turns of the event loop as the next value of `delays`. */
	function serviceWith(count: number, { cap = 5, delays = [0], hasTotal = true } = {}): Service {
		let underway = 0;
		const service: Service = {
			ids: Array.from({ length: count }, (_, id) => id),
			asked: [],
			mostAtOnce: 0,
			fetchPage: async (page, asked) => {
				const turns = delays[service.asked.push(page) % delays.length]!;
				service.mostAtOnce = Math.max(service.mostAtOnce, ++underway);
				for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
				underway--;
				const perPage = Math.min(asked, cap);
				const ids = service.ids.slice((page - 1) * perPage, page * perPage);
				const total = hasTotal ? { perPage, total: service.ids.length } : {};
				return { records: ids.map((id) => ({ id })), ...total };
			},
		};
		return service;
	}

	const keyOf = ({ id }: IDataObject) => `${id as number}`;

	async function read(
		{ fetchPage }: Service,
		limit = Infinity,
		seen?: () => void,
	): Promise<unknown[]> {
		const ids: unknown[] = [];
		for await (const { records } of readPages(readAhead(fetchPage, limit), 100, keyOf)) {
			ids.push(...records.map(({ id }) => id));
			seen?.();
			if (ids.length >= limit) break;
		}
		return ids.slice(0, limit);
	}

	const counts = fc.nat({ max: 60 });
	const delays = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 5 });

	describe('reading ahead', () => {
		it('returns the same records in the same order, with the same requests, up to any limit', async () => {
			const limits = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 70 }));
			await fc.assert(
				fc.asyncProperty(
					counts,
					delays,
					limits,
					fc.boolean(),
					async (count, waits, limit, hasTotal) => {
						const plain = serviceWith(count, { hasTotal });
						const expected: unknown[] = [];
						for await (const { records } of readPages(plain.fetchPage, 100, keyOf)) {
							expected.push(...records.map(({ id }) => id));
							if (expected.length >= limit) break;
						}
						const ahead = serviceWith(count, { delays: waits, hasTotal });
						expect(await read(ahead, limit)).toEqual(expected.slice(0, limit));
						expect(ahead.asked).toEqual(plain.asked);
					},
				),
			);
		});

		it('requests at most four pages at the same time', async () => {
			const service = serviceWith(100, { delays: [3] });
			await read(service);
			expect(service.mostAtOnce).toBe(4);
		});

		it('skips nothing when records are added in front, whichever response comes first', async () => {
			await fc.assert(
				fc.asyncProperty(counts, delays, fc.array(fc.boolean()), async (count, waits, comings) => {
					const service = serviceWith(count, { delays: waits });
					const coming = [...comings];
					const fetchPage: FetchPage = async (page, asked) => {
						const answer = await service.fetchPage(page, asked);
						if (coming.shift() === true) service.ids.unshift(1000 + coming.length);
						return answer;
					};
					const ids = await read({ ...service, fetchPage });
					const old = ids.filter((id) => Number(id) < 1000);
					expect(old).toEqual(Array.from({ length: count }, (_, id) => id));
				}),
				runs(75),
			);
		});

		it('fails with the page that failed, after those before it', async () => {
			const service = serviceWith(30);
			const fetchPage: FetchPage = async (page, asked) => {
				if (page >= 3) throw new Error(`page ${page}`);
				return await service.fetchPage(page, asked);
			};
			let pages = 0;
			await expect(read({ ...service, fetchPage }, Infinity, () => pages++)).rejects.toThrow(
				'page 3',
			);
			expect(pages).toBe(2);
		});
	});

	describe('what is requested ahead', () => {
		const entries = (count: number, more: Partial<Page> = {}): Page => ({
			records: Array.from({ length: count }, (_, id) => ({ id })),
			...more,
		});

		/** The pages that were requested while two pages like this one were read. */
		async function askedFor(answer: Page, limit = Infinity): Promise<number[]> {
			const asked: number[] = [];
			const fetchPage = readAhead(async (page) => {
				asked.push(page);
				return await Promise.resolve(answer);
			}, limit);
			await fetchPage(1, 5);
			expect(asked).toEqual([1]);
			await fetchPage(2, 5);
			return asked;
		}

		it.each([
			['the next three pages', entries(5, { perPage: 5, total: 100 }), [1, 2, 3, 4, 5]],
			['no page after the last', entries(5, { perPage: 5, total: 15 }), [1, 2, 3]],
			[
				'as many pages as are needed if they hold fewer entries than they say',
				entries(2, { perPage: 5, total: 6 }),
				[1, 2, 3],
			],
			[
				'the same, by the entries and not by the records among them',
				entries(1, { received: 2, perPage: 5, total: 6 }),
				[1, 2, 3],
			],
			['nothing after an empty page', entries(0, { perPage: 5, total: 10 }), [1, 2]],
			['nothing after a short page that is the last', entries(2, { perPage: 5, total: 5 }), [1, 2]],
			['nothing without a total', entries(5, { perPage: 5 }), [1, 2]],
			['nothing without a page size', entries(5, { total: 100 }), [1, 2]],
		])('is %s', async (_, page, asked) => {
			expect(await askedFor(page)).toEqual(asked);
		});

		it('ends at the limit', async () => {
			expect(await askedFor(entries(5, { perPage: 5, total: 100 }), 10)).toEqual([1, 2]);
		});
	});
});

describe('a list that does not match its headers', () => {
	const keyOf = ({ id }: IDataObject) => `${id as number}`;

	async function readAll(fetchPage: FetchPage): Promise<unknown[]> {
		const ids: unknown[] = [];
		for await (const { records: page } of readPages(fetchPage, 100, keyOf)) {
			ids.push(...page.map(({ id }) => id));
		}
		return ids;
	}

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
			3: [{ ids: [], ...says(4) }],
		});
		expect(grown.asked).toEqual([1, 2, 3]);
	});

	it('is abandoned if its total goes up and down forever', async () => {
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

	it('is abandoned if every request adds one record and deletes another, forever', async () => {
		let requests = 0;
		const fetchPage: FetchPage = async (page) => {
			if (++requests > 1000) throw new Error('reads forever');
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
