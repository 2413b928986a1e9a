import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { FetchPage, Page } from '../../../../nodes/Supercast/api/paging/page';
import { readAhead } from '../../../../nodes/Supercast/api/paging/readAhead';
import { readPages } from '../../../../nodes/Supercast/api/paging/readPages';

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
			{ numRuns: 300 },
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
