/** How far a list has been read, and what its answers say about its length. */
import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../api/paging/readPages';

/** The record if it was not known like this; no note if it is not listed. */
type Found = { record?: IDataObject; note?: string | undefined; isGone?: boolean };

/** So many pages in a row without anything new: the service ignores the number of the page. */
const MOST_IDLE_PAGES = 5;

/**
 * One reading of a list. It ends at an empty page, or when as many records were seen as the service
 * says there are. No page size is relied on, neither the one asked for nor the one the service names.
 */
export class ListScan {
	/** Hashes of the records that were read; and of those that this poll has read, what is new. */
	readonly seen = new Set<string>();
	found = new Map<string, Found>();
	/** How many pages were read in order, from the first one on. */
	pages = 0;
	/** Whether the list was read to its end, or need not be. */
	isOver = false;
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

	/** Notes a page. Returns its records that were not seen yet, with their hashes. */
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

	/** How many records are known now, at least; undefined if the service does not say, or says too few. */
	size(): number | undefined {
		const { total, seen, highest } = this;
		if (total === undefined || seen.size > highest) return undefined;
		return this.isSteady ? total : Math.min(total, seen.size) - (highest - total);
	}
}
