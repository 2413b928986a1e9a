import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors/errors';
import type { FetchPage, Page } from './page';

const MOST_READS_WITHOUT_PROGRESS = 5;

export interface Progress {
	records: IDataObject[];
	/** The keys of all records that have been read. */
	seen: ReadonlySet<string>;
	/** How many different entries have been read. */
	read: number;
	/** The latest total that Supercast sent. */
	total: number | undefined;
	/** Whether the list shows no sign that a record was deleted during the reading. */
	isSteady: boolean;
	/** Whether there may be more, because Supercast ignores the page number after a full page. */
	isCutOff: boolean;
}

type KeyOf = (record: IDataObject) => string | undefined;

/**
 * Reads a list page by page, each record once. The list ends at its total (`X-Total`, named in the
 * vendor's Ruby client), or at an empty page. If the total is reached at the end of a full page, reads
 * one page more, because a total that is too low could be the reason. Without a total, it also ends if Supercast turns out
 * to ignore the page number (inferred). If the total falls, later records have moved forward, so
 * the reader goes back. A list may still end too early: compare `read` with `total`.
 * @param keyOf Identifies a record. Without a key, its place and content identify the record.
 * @throws ServiceError if the total keeps changing.
 */
export async function* readPages(
	fetchPage: FetchPage,
	pageSize: number,
	keyOf: KeyOf,
): AsyncGenerator<Progress> {
	const list = new ListScan(keyOf, pageSize);
	const read = async (page: number): Promise<Progress> =>
		list.add(page, await fetchPage(page, pageSize));
	for (;;) {
		while (list.nextPage !== undefined) yield await read(list.nextPage);
		if (!list.mayGoOn) return;
		const progress = await read(list.lastPage + 1);
		yield progress;
		// Supercast may also ignore the page number, and show the same records again.
		if (progress.records.length === 0) return;
	}
}

/** How far a list has been read. */
class ListScan {
	/** Undefined at the end of the list. */
	nextPage: number | undefined = 1;

	/** The page that was read last. */
	lastPage = 0;

	/** Whether a page may follow after the total: that page is as long as a page may be. */
	mayGoOn = false;

	private readonly seen = new Set<string>();
	/** Entries that are not records, such as null. */
	private blanks = 0;
	private total: number | undefined;
	private lowestTotal = Infinity;
	private isSteady = true;
	/** How many entries from the start of the list have been read without a gap. */
	private covered = 0;
	private furthest = 0;
	private longestPage = 1;
	/** Pages in a row that brought nothing new. */
	private idleReads = 0;

	constructor(
		private readonly keyOf: KeyOf,
		private readonly pageSize: number,
	) {}

	/** Adds a page. */
	add(page: number, answer: Page): Progress {
		const { records, received, reached, end } = this.placed(answer);
		const fresh = this.freshOf(records, end === Infinity ? 0 : this.covered);
		const fall = Math.max(0, (this.total ?? 0) - end);
		this.countIdle(fresh.length > 0 && reached > this.furthest, end);
		if (this.idleReads > MOST_READS_WITHOUT_PROGRESS) return this.giveUp(end, received);
		this.isSteady = this.isSteady && fall === 0;
		this.blanks += received - records.length;
		this.total = answer.total ?? this.total;
		this.furthest = Math.max(this.furthest, reached);
		this.longestPage = Math.max(this.longestPage, received);
		this.lastPage = page;
		this.mayGoOn = this.isFull(answer, received);
		if (fall > 0 && page > 1) this.goBack(page, fall);
		else this.goOn(page, reached, received === 0 || reached >= end);
		return this.progress(fresh);
	}

	/** Where a page and the list end. Ignores a total below the number of entries read. */
	private placed({ records, received = records.length, total = Infinity }: Page) {
		const reached = this.covered + received;
		const isCredible = received === 0 || reached <= total;
		return { records, received, reached, end: isCredible ? total : Infinity };
	}

	/** Whether there is a total, and the last page is as long as a page may be. */
	private isFull({ perPage = Infinity }: Page, received: number): boolean {
		const longest = this.lastPage > 1 ? this.longestPage : Math.min(this.pageSize, perPage);
		return this.total !== undefined && received > 0 && received >= longest;
	}

	private progress(records: IDataObject[], isCutOff = false): Progress {
		const { total, isSteady, seen, blanks } = this;
		return { records, seen, read: seen.size + blanks, total, isSteady, isCutOff };
	}

	/** A page that is not full shows that there are no more pages. */
	private giveUp(end: number, received: number): Progress {
		this.nextPage = undefined;
		if (end < Infinity) throw keptChanging();
		return this.progress([], received === this.pageSize);
	}

	/** @param start The place of the first record in the list, if it is known. */
	private freshOf(records: readonly IDataObject[], start: number): IDataObject[] {
		const fresh: IDataObject[] = [];
		for (const [index, record] of records.entries()) {
			const key = this.keyOf(record) ?? `${start + index} ${JSON.stringify(record)}`;
			if (this.seen.has(key)) continue;
			this.seen.add(key);
			fresh.push(record);
		}
		return fresh;
	}

	private countIdle(isFurther: boolean, total: number): void {
		const isProgress = isFurther || total < this.lowestTotal;
		this.idleReads = isProgress ? 0 : this.idleReads + 1;
		this.lowestTotal = Math.min(this.lowestTotal, total);
	}

	/** After a deletion, some records have moved to pages that were read before. */
	private goBack(page: number, deleted: number): void {
		const first = Math.max(1, page - Math.ceil(deleted / this.longestPage));
		this.nextPage = first;
		this.covered = (first - 1) * this.longestPage;
	}

	private goOn(page: number, reached: number, isEnd: boolean): void {
		this.nextPage = isEnd ? undefined : page + 1;
		this.covered = reached;
	}
}

function keptChanging(): ServiceError {
	return new ServiceError(
		'The list kept changing while the node was reading it',
		'The node stopped, because it would have missed records. Try again later.',
		{ kind: 'unexpected', status: 200, came: 'a list' },
	);
}
