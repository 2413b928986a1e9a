/**
 * Reads a list for a user who is looking for one record. The newest records come first, if the
 * order is known.
 */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import { LARGEST_PAGE, type FetchPage, type Page } from '../api/paging/readPages';

/**
 * A list counts as sorted from oldest to newest if this many records with different dates are in
 * order. In an unsorted list, this happens by chance once in 479 million cases (12 factorial).
 */
const ENOUGH_IN_ORDER = 12;

/** The next page to read, and the direction of reading: up, or down from the last page. */
export interface Cursor {
	page: number;
	step: -1 | 1;
}

/**
 * Some records of a list, and where the list continues. `next` is undefined after the last page.
 */
export interface ListPart {
	records: IDataObject[];
	next?: Cursor;
}

/**
 * Reads a list page by page.
 *
 * @param fetchPage Reads one page.
 * @param ahead How many pages to request early, once it is known that they exist.
 * @param from Where to continue. By default, reading starts at the first page, or at the last page
 * if the list is sorted from oldest to newest.
 */
export async function* partsOf(
	fetchPage: FetchPage,
	ahead: number,
	from?: Cursor,
): AsyncGenerator<ListPart> {
	const pages = new Prefetch(fetchPage, ahead);
	let cursor: Cursor | undefined = from;
	if (cursor === undefined) {
		const first = await pages.take({ page: 1, step: 1 });
		const last = pages.lastPage;
		if (last === 1) {
			yield { records: newestFirst(first.records) };
			return;
		}
		cursor = { page: 1, step: 1 };
		if (last !== undefined && isOldestFirst(first.records)) cursor = { page: last, step: -1 };
		pages.keep(first);
	}
	let before: Page | undefined;
	while (cursor !== undefined) {
		const page: Page = await pages.take(cursor);
		if (before !== undefined && isSame(before, page)) {
			yield { records: [] };
			return;
		}
		before = page;
		const next: Cursor | undefined = pages.after(cursor, page);
		const records = cursor.step === 1 ? page.records : [...page.records].reverse();
		yield next === undefined ? { records } : { records, next };
		cursor = next;
	}
}

/** Pages that were requested early. */
class Prefetch {
	/** The number of the last page, once Supercast has sent the total. */
	lastPage: number | undefined;

	private readonly underway = new Map<number, Promise<Page>>();

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly ahead: number,
	) {}

	/** Keeps the first page, which was read to find out the order, until it is needed. */
	keep(first: Page): void {
		this.underway.set(1, Promise.resolve(first));
	}

	async take({ page, step }: Cursor): Promise<Page> {
		const answer = this.ask(page);
		for (let next = 1; next <= this.ahead; next++) {
			const number = page + next * step;
			if (number >= 1 && number <= (this.lastPage ?? 0)) void this.ask(number);
		}
		const taken = await answer;
		this.underway.delete(page);
		const { perPage = LARGEST_PAGE, total } = taken;
		if (total !== undefined) this.lastPage = Math.max(1, Math.ceil(total / perPage));
		return taken;
	}

	after({ page, step }: Cursor, { records }: Page): Cursor | undefined {
		if (step === -1) return page > 1 ? { page: page - 1, step } : undefined;
		const isLast = this.lastPage === undefined ? records.length === 0 : page >= this.lastPage;
		return isLast ? undefined : { page: page + 1, step };
	}

	private ask(page: number): Promise<Page> {
		const answer = this.underway.get(page) ?? this.fetchPage(page, LARGEST_PAGE);
		// If the request fails, nothing else may be handling its error.
		answer.catch(() => undefined);
		this.underway.set(page, answer);
		return answer;
	}
}

/**
 * Whether two pages begin with the same record. An API that ignores the page number sends the same
 * page again.
 */
function isSame(one: Page, other: Page): boolean {
	const [first, second] = [one, other].map(({ records: [record] }) => record);
	return first !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

function agesOf(records: readonly IDataObject[]): number[] {
	return records.map(({ created_at: createdAt }) => Date.parse(textOf(createdAt)));
}

function isOldestFirst(records: readonly IDataObject[]): boolean {
	const ages = agesOf(records);
	const isRising = ages.every((age, index) => index === 0 || age >= ages[index - 1]!);
	return isRising && new Set(ages).size >= ENOUGH_IN_ORDER;
}

/** Sorts a complete list from newest to oldest, if all of its records have a date. */
function newestFirst(records: IDataObject[]): IDataObject[] {
	const ages = new Map(agesOf(records).map((age, index) => [records[index]!, age]));
	if ([...ages.values()].some(Number.isNaN)) return records;
	return [...records].sort((one, other) => ages.get(other)! - ages.get(one)!);
}
