import type { Page } from '../api/paging/page';

/** After this many pages in a row with nothing new, Supercast must be ignoring the page number. */
const MOST_IDLE_PAGES = 5;

/** One snapshot of a list, in one or more polls. It ends at an empty page, or at Supercast's total. */
export class PollSnapshot {
	/** The hashes of the IDs on all pages. */
	readonly seen = new Set<string>();
	/** How many pages were read in order, starting with the first one. */
	pages = 0;
	isOver = false;
	/** The latest total that Supercast has sent, and the highest one. */
	total: number | undefined;
	highest = 0;
	/** Whether records were added or deleted during the snapshot. */
	hasMoved = false;
	/** How many pages in a row had nothing new. */
	private idlePages = 0;
	private longestPage = 0;

	/** A thorough reading goes on after a full last page, because the total may be too low. */
	constructor(public isThorough: boolean) {}

	get isSteady(): boolean {
		return !this.hasMoved && this.seen.size >= this.highest;
	}

	/** Returns false for a record that was on an earlier page. */
	isNew(hash: string): boolean {
		const isNew = !this.seen.has(hash);
		this.seen.add(hash);
		return isNew;
	}

	/** Ends a page, of which `fresh` records were new. Only pages read in order count as progress. */
	endPage(number: number, { records, total = this.total }: Page, fresh: number): void {
		const isResized = this.total !== undefined && total !== this.total;
		this.hasMoved ||= isResized || fresh < records.length;
		this.total = total;
		this.highest = Math.max(this.highest, total ?? 0);
		if (number === this.pages + 1) this.advance(records.length, fresh);
	}

	/** Goes on beyond Supercast's total. */
	continueThoroughly(): void {
		this.isThorough = true;
		this.isOver = false;
	}

	private advance(length: number, fresh: number): void {
		this.pages++;
		this.idlePages = fresh > 0 ? 0 : this.idlePages + 1;
		const isCounted = this.seen.size >= (this.total ?? Infinity);
		const isLast = isCounted && (!this.isThorough || length < this.longestPage);
		this.longestPage = Math.max(this.longestPage, length);
		this.isOver = isLast || length === 0 || this.idlePages >= MOST_IDLE_PAGES;
	}
}
