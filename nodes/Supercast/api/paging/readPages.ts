import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors/errors';

/** One page as Supercast sent it. */
export interface Page {
	records: IDataObject[];
	/** How many entries the page had, valid or not. By default, the number of records. */
	received?: number;
	/** `X-Per-Page` and `X-Total`, if present. */
	perPage?: number;
	total?: number;
}

/** Reads page `page` (starting at 1), and requests `perPage` records. */
export type FetchPage = (page: number, perPage: number) => Promise<Page>;

/** The largest page size to request. It is unknown which sizes Supercast accepts. */
export const LARGEST_PAGE = 100;

// For a page this far out, only an API that ignores the page number returns records.
const FAR_PAGE = 1_000_000;

const MOST_READS_WITHOUT_PROGRESS = 5;

/** The records of a page that no earlier page had, and how far the list has been read. */
export interface Progress {
	records: IDataObject[];
	/** How many different entries have been read. */
	read: number;
	/** The latest total that Supercast sent; undefined if it has never sent one. */
	total: number | undefined;
	/** Whether the list shows no sign that a record was deleted during the reading. */
	isSteady: boolean;
}

/**
 * Reads a list page by page, each record once. The list ends once as many entries have been read as
 * `X-Total` says, or at an empty page. Without a total, it also ends at a page that repeats, if
 * Supercast turns out to ignore the page number. The vendor's Ruby client names the headers. What
 * happens without them is inferred. If the total falls, the reader goes back, because later records have moved forward.
 * A list may still end before its total: compare `read` with `total`.
 *
 * @param keyOf Identifies a record. Without a key, its place and its content identify it.
 * @throws ServiceError if the total keeps changing.
 */
export async function* readPages(
	fetchPage: FetchPage,
	pageSize: number,
	keyOf: (record: IDataObject) => string | undefined,
): AsyncGenerator<Progress> {
	const seen = new Set<string>();
	const position = new Position();
	let blanks = 0;
	let isPaged = false;
	for (;;) {
		const { records, received = records.length, total } = await fetchPage(position.page, pageSize);
		// A total that is lower than what was read says nothing.
		const isCredible =
			total !== undefined && (received === 0 || position.covered + received <= total);
		const start = isCredible ? position.covered : 0;
		const fresh = records.filter((record, index) => {
			const key = keyOf(record) ?? `${start + index} ${JSON.stringify(record)}`;
			return !seen.has(key) && seen.add(key);
		});
		blanks += received - records.length;
		const isEnd = position.advance(received, isCredible ? total : undefined);
		position.total = total ?? position.total;
		yield {
			records: fresh,
			read: seen.size + blanks,
			total: position.total,
			isSteady: position.isSteady,
		};
		if (isEnd) return;
		// Without a total, a page with nothing new may mean that Supercast ignores the page number.
		// It may also mean that new records have moved known ones to this page.
		if (fresh.length > 0 || isCredible || isPaged) continue;
		if ((await fetchPage(FAR_PAGE, pageSize)).records.length > 0) return;
		isPaged = true;
	}
}

/** How far a list has been read, and which page comes next. */
class Position {
	page = 1;
	/** How many entries from the start of the list have been read without a gap. */
	covered = 0;
	total: number | undefined;
	isSteady = true;
	/** The highest value that `covered` has had, and the lowest total. */
	private furthest = 0;
	private lowest = Infinity;
	/** The largest number of entries on any page. */
	private fullest = 1;
	private idleReads = 0;

	/** Adds a page that was read. Returns whether the list has ended. */
	advance(received: number, total = Infinity): boolean {
		const reached = this.covered + received;
		const isProgress = reached > this.furthest || total < this.lowest;
		this.idleReads = isProgress ? 0 : this.idleReads + 1;
		if (this.idleReads > MOST_READS_WITHOUT_PROGRESS) throw keptChanging();
		this.furthest = Math.max(this.furthest, reached);
		this.lowest = Math.min(this.lowest, total);
		this.fullest = Math.max(this.fullest, received);
		const fall = Math.max(0, (this.total ?? 0) - total);
		this.isSteady &&= fall === 0;
		if (fall > 0 && this.page > 1) {
			this.page = Math.max(1, this.page - Math.ceil(fall / this.fullest));
			this.covered = (this.page - 1) * this.fullest;
			return false;
		}
		this.page++;
		this.covered = reached;
		return received === 0 || reached >= total;
	}
}

function keptChanging(): ServiceError {
	return new ServiceError(
		'The list kept changing while the node was reading it',
		'The node stopped, because it would have missed records. Try again later.',
		{ kind: 'unexpected', status: 200, came: 'a list' },
	);
}

/** How many pages to request in addition to the next one. */
export const PAGES_AHEAD = 3;

/**
 * Creates a page reader that requests pages before they are needed, once Supercast has sent the total.
 * A page that was read early may lack records that have moved. So it is read again if its total
 * differs from the total of the page before.
 *
 * @param limit The maximum number of entries to read; Infinity for all.
 */
export function readAhead(fetchPage: FetchPage, limit = Infinity, ahead = PAGES_AHEAD): FetchPage {
	const underway = new Map<number, Promise<Page>>();
	let total: number | undefined;
	/** The largest number of entries on a page that is not the last one. */
	let fullest = 0;
	return async (page, pageSize) => {
		const beginFrom = (first: number): void => {
			const needed = fullest === 0 ? 0 : Math.ceil(Math.min(total ?? 0, limit) / fullest);
			for (let next = first; next <= Math.min(page + ahead, needed); next++) {
				if (underway.has(next)) continue;
				const answer = fetchPage(next, pageSize);
				// If the request fails, nothing else may be handling its error.
				answer.catch(() => undefined);
				underway.set(next, answer);
			}
		};
		beginFrom(page);
		const early = await underway.get(page);
		underway.delete(page);
		const answer = early?.total === total && early ? early : await fetchPage(page, pageSize);
		const { records, received = records.length, perPage = Infinity } = answer;
		total = answer.total;
		const isLast = page * perPage >= (total ?? 0);
		if (!isLast) fullest = Math.max(fullest, received);
		beginFrom(page + 1);
		return answer;
	};
}
