/** How far a list has been read, and what its responses say about its length. */
import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../api/paging/readPages';

/** The record if it, or its note, is new. No note if it is not listed. */
type Found = { record?: IDataObject; note?: string | undefined; isGone?: boolean };

/** After this many pages in a row without anything new, Supercast is ignoring the page number. */
const MOST_IDLE_PAGES = 5;

/**
 * One reading of a list. It ends at an empty page, or when the number of records has reached
 * Supercast's total. It relies on no page size, neither the requested one nor the one that
 * Supercast names.
 */
export class ListScan {
	/** Hashes of all records that were read, and the new ones that this poll has read. */
	readonly seen = new Set<string>();
	found = new Map<string, Found>();
	/** How many pages were read in order, starting with the first one. */
	pages = 0;
	/** Whether the list was read to its end, or does not have to be. */
	isOver = false;
	isEnough = false;
	/** Supercast's total: the last one, and the highest. */
	total: number | undefined;
	highest = 0;
	/** Whether the list shows no sign that records were added or deleted meanwhile. */
	isSteady = true;
	private idlePages = 0;
	private longestPage = 0;

	/**
	 * @param isThorough Whether to read on after a full last page, since there may be more records
	 * than the total.
	 */
	constructor(readonly isThorough: boolean) {}

	/** Adds a page. Returns its records that were not seen before, with their hashes. */
	take(page: Page, number: number, hashOf: (record: IDataObject) => string) {
		const { total = this.total, records } = page;
		const all = new Map(records.map((record) => [hashOf(record), record]));
		const fresh = [...all].filter(([hash]) => !this.seen.has(hash));
		for (const [hash] of fresh) this.seen.add(hash);
		this.isSteady &&= fresh.length === records.length && total === (this.total ?? total);
		this.total = total;
		this.highest = Math.max(this.highest, total ?? 0);
		if (number !== this.pages + 1) return fresh;
		this.pages = number;
		this.idlePages = fresh.length === 0 ? this.idlePages + 1 : 0;
		const isCounted = total !== undefined && this.seen.size >= total;
		const isLast = isCounted && (records.length < this.longestPage || !this.isThorough);
		this.longestPage = Math.max(this.longestPage, records.length);
		this.isOver = records.length === 0 || this.idlePages === MOST_IDLE_PAGES || isLast;
		return fresh;
	}

	/**
	 * How many records are known now, at least. Undefined if Supercast sends no total, or one too
	 * low.
	 */
	size(): number | undefined {
		const { total, seen, highest } = this;
		if (total === undefined || seen.size > highest) return undefined;
		return this.isSteady ? total : Math.min(total, seen.size) - (highest - total);
	}
}
