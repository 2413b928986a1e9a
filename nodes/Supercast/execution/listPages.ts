/** Reads a list for a user who is looking for one record: the newest first, if the order is known. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import { LARGEST_PAGE, type FetchPage, type Page } from '../api/paging/readPages';

/** If this many records with different dates are in order, that is hardly by chance. */
const ENOUGH_IN_ORDER = 12;

/** Some records of a list. `next` is where the list continues, and undefined after its end. */
export interface ListPart {
	records: IDataObject[];
	next?: number;
}

/**
 * Reads a list page by page.
 *
 * @param ahead How many pages to request early, once it is known that they exist.
 * @param from The number of the page to continue at, with a minus sign to read backward. By default,
 * reading starts at the first page, or at the last one if the list is sorted from oldest to newest.
 */
export async function* readForDropDown(
	fetchPage: FetchPage,
	ahead: number,
	from?: number,
): AsyncGenerator<ListPart> {
	const requested = new Map<number, Promise<Page>>();
	let last: number | undefined;
	const read = async (place: number): Promise<Page> => {
		for (let next = place; next !== 0 && next <= place + ahead; next++) {
			const number = Math.abs(next);
			if (requested.has(number) || (next !== place && number > (last ?? 0))) continue;
			const answer = fetchPage(number, LARGEST_PAGE);
			// If the request fails, nothing else may be handling its error.
			answer.catch(() => undefined);
			requested.set(number, answer);
		}
		const page = await requested.get(Math.abs(place))!;
		const { perPage = LARGEST_PAGE, total } = page;
		if (total !== undefined) last = Math.max(1, Math.ceil(total / perPage));
		return page;
	};
	let place = from ?? 1;
	if (from === undefined) {
		const { records } = await read(1);
		if (last === 1) {
			yield { records: newestFirst(records) };
			return;
		}
		if (last !== undefined && isOldestFirst(records)) place = -last;
	}
	let first: string | undefined;
	while (place !== 0) {
		const { records } = await read(place);
		// An API that ignores the page number sends the same page again.
		const isRepeated = records.length > 0 && first === JSON.stringify(records[0]);
		first = JSON.stringify(records[0]);
		const isLast = last === undefined ? records.length === 0 : place >= last;
		const next = isRepeated || isLast || place === -1 ? undefined : place + 1;
		yield { records: isRepeated ? [] : place < 0 ? [...records].reverse() : records, next };
		place = next ?? 0;
	}
}

function agesOf(records: readonly IDataObject[]): number[] {
	return records.map(({ created_at: createdAt }) => Date.parse(textOf(createdAt)));
}

function isOldestFirst(records: readonly IDataObject[]): boolean {
	const ages = agesOf(records);
	const isRising = ages.every((age, index) => index === 0 || age >= ages[index - 1]!);
	return isRising && new Set(ages).size >= ENOUGH_IN_ORDER;
}

/** Sorts a complete list, if all of its records have a date. */
function newestFirst(records: IDataObject[]): IDataObject[] {
	const ages = new Map(agesOf(records).map((age, index) => [records[index]!, age]));
	if ([...ages.values()].some(Number.isNaN)) return records;
	return [...records].sort((one, other) => ages.get(other)! - ages.get(one)!);
}
