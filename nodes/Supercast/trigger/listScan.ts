import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../api/paging/readPages';

/**
 * `record` is present only if the record or its note is new. Without a `note`, the record is
 * missing or must be forgotten.
 */
type Found = { record?: IDataObject; note?: string; isGone?: boolean; isForgotten?: boolean };

/** After this many pages in a row with nothing new, Supercast must be ignoring the page number. */
const MOST_IDLE_PAGES = 5;

/** One reading of a list. It ends at an empty page, or at Supercast's total, with any page size. */
export class ListScan {
	readonly seen = new Set<string>();
	found = new Map<string, Found>();
	/** How many pages were read in order, starting with the first one. */
	pages = 0;
	isOver = false;
	/** The latest total that Supercast has sent, and the highest one. */
	total: number | undefined;
	highest = 0;
	/** Whether records were added or deleted during the reading. */
	hasMoved = false;
	/** Whether the clock was ahead at the last reading, so that its notes may be wrong. */
	wasAhead = false;
	private idlePages = 0;
	private longestPage = 0;

	/** A thorough reading goes on after a full last page, because the total may be too low. */
	constructor(public isThorough: boolean) {}

	get isSteady(): boolean {
		return !this.hasMoved && this.seen.size >= this.highest;
	}

	/** Adds a page. Returns the records that no earlier page had, with their hashes. */
	add(page: Page, number: number, hashOf: (record: IDataObject) => string) {
		const { total = this.total, records } = page;
		const fresh: Array<[string, IDataObject]> = [];
		for (const record of records) {
			const hash = hashOf(record);
			if (!this.seen.has(hash)) fresh.push([hash, record]);
			this.seen.add(hash);
		}
		this.hasMoved ||= fresh.length !== records.length || total !== (this.total ?? total);
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
	 * The least number of listed records that are now known: `before`, and `added` in this poll.
	 * Undefined without a credible total.
	 */
	size(before?: number, added = 0): number | undefined {
		const { total, seen, highest } = this;
		if (total === undefined) return undefined;
		if (!this.isOver) return before === undefined ? undefined : Math.min(before + added, total);
		if (seen.size > highest) return undefined;
		return this.isSteady ? total : Math.min(total, seen.size) - (highest - total);
	}
}
