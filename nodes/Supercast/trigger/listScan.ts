/** How far a list has been read, and what its answers say about its length. */
import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../api/paging/readPages';

/** So many pages in a row without anything new: the service ignores the number of the page. */
const MOST_IDLE_PAGES = 5;

/**
 * One reading of a list. It ends at an empty page, or when as many records were seen as the service
 * says there are. No page size is relied on, neither the one asked for nor the one the service names.
 */
export class ListScan {
	/** Hashes of the records that were read. */
	readonly seen = new Set<string>();
	/** How many pages were read in order, from the first one on. */
	pages = 0;
	isOver = false;
	/** Whether the rest need not be read. */
	isEnough = false;
	/** How many records the service said there are, at last and at most. */
	total: number | undefined;
	highest = 0;
	/** Whether no record came or went meanwhile, as far as it shows. */
	isSteady = true;
	private idlePages = 0;
	private longestPage = 0;

	/** @param isThorough Whether to look behind a full last page, in case there are more than it says. */
	constructor(readonly isThorough: boolean) {}

	/** Notes a page, and yields its records that were not seen yet, with their hashes. */
	take(page: Page, number: number, hashOf: (record: IDataObject) => string) {
		const all = new Map(page.records.map((record) => [hashOf(record), record]));
		const fresh = [...all].filter(([hash]) => !this.seen.has(hash));
		for (const [hash] of fresh) this.seen.add(hash);
		const { total = this.total, records } = page;
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
	 * How many records the list has that are known when this reading is over: the least it can be, if
	 * some came or went. Undefined when the service does not say, or says less than there are.
	 */
	size(): number | undefined {
		const { total, seen, highest } = this;
		if (total === undefined || seen.size > highest) return undefined;
		return this.isSteady ? total : Math.min(total, seen.size) - (highest - total);
	}
}
