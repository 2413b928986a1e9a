import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors/errors';
import { textOf } from '../json';

/** One page as Supercast sent it. */
export interface Page {
	records: IDataObject[];
	/** How many entries the page had, valid or not. By default, the number of records. */
	received?: number;
	/** `X-Per-Page`, if present. */
	perPage?: number;
	/** `X-Total`, if present. */
	total?: number;
}

/** Reads page `page` (starting at 1), and requests `perPage` records. */
export type FetchPage = (page: number, perPage: number) => Promise<Page>;

/**
 * The largest page size to request. It is unknown which sizes Supercast accepts, so the reader uses
 * the size in the response header.
 */
export const LARGEST_PAGE = 100;

// For a page this far out, only an API that ignores the page number returns records.
const FAR_PAGE = 1_000_000;

// If the page size changes or a record is deleted, the reader reads part of the list again. If the
// list never stops changing, the reader gives up.
const MOST_READS_WITHOUT_PROGRESS = 5;

/**
 * Yields the records of a list page by page, each record once.
 *
 * Does not rely on any order. Uses the page size that Supercast sends in `X-Per-Page`, regardless
 * of the requested size. A shorter page is not necessarily the last one. With `X-Total`, the list
 * ends once that many entries have been read. Without it, the list ends at an empty page. It also
 * ends at a page that repeats, if Supercast turns out to ignore the page number. (Headers: the
 * vendor's Ruby client. Lists without them: inferred.)
 *
 * If a record is deleted during the reading, later records move forward, and the reader would miss
 * some of them. So if the total falls, the reader goes back. It cannot detect such a deletion
 * without `X-Total`, or if the same number of records is added at the same moment.
 *
 * @param fetchPage Reads one page.
 * @param limit The maximum number of records to read; Infinity for all. The reader requests no page
 * beyond it.
 * @throws ServiceError if the page size or the total keeps changing, because the reader would
 * otherwise silently miss records.
 */
export async function* readPages(
	fetchPage: FetchPage,
	limit = Infinity,
): AsyncGenerator<IDataObject[]> {
	const asked = Math.max(1, Math.min(LARGEST_PAGE, limit));
	const seen = new Set<string>();
	const position = new Position(asked);
	let isPaged = false;
	while (seen.size < limit) {
		const answer = await fetchPage(position.page, asked);
		const fresh = takeUnseen(answer.records, seen, limit);
		if (fresh.length > 0) yield fresh;
		if (position.advance(answer)) return;

		// Without a total, a page with nothing new may mean that Supercast ignores the page number.
		// It may also mean that new records have moved known ones to this page.
		const isUnclear: boolean = fresh.length === 0 && answer.total === undefined && !isPaged;
		if (isUnclear && (await ignoresPageNumber(fetchPage, asked))) return;
		isPaged ||= isUnclear;
	}
}

async function ignoresPageNumber(fetchPage: FetchPage, asked: number): Promise<boolean> {
	return (await fetchPage(FAR_PAGE, asked)).records.length > 0;
}

/** How far a list has been read, and which page comes next. */
class Position {
	page = 1;

	/** How many entries of the list come before this page. */
	private start = 0;

	/** How many entries from the start of the list have been read without a gap. */
	private covered = 0;

	/** The highest value that `covered` has had. */
	private furthest = 0;

	private size = 0;

	/** The largest number of entries on any page of this size. */
	private largest = 1;

	private total = Infinity;

	private lowestTotal = Infinity;

	private readsWithoutProgress = 0;

	constructor(private readonly asked: number) {}

	/** Adds a page that was read. Returns whether it was the last page. */
	advance({ records, received = records.length, perPage = this.asked, total }: Page): boolean {
		const isResized = perPage !== this.size && this.page > 1;
		if (isResized) this.start = (this.page - 1) * perPage;
		if (perPage !== this.size) this.largest = 1;
		this.size = perPage;
		this.largest = Math.max(this.largest, received);
		// If the page size changed in between, read the gap before this page first.
		const isBeyondGap = this.start > this.covered;
		const fall = total === undefined ? 0 : Math.max(0, this.total - total);
		const hasFallen = fall > 0 && this.total !== Infinity;
		const reached = isBeyondGap ? this.covered : this.start + received;
		this.noteProgress(reached, total);
		if (hasFallen && this.page > 1) {
			this.goTo(Math.max(1, this.page - Math.ceil(fall / this.largest)), this.largest);
			this.covered = this.start;
			return false;
		}
		if (received === 0 && !isBeyondGap) return true;
		if (isResized) this.goTo(Math.floor(this.covered / perPage) + 1, perPage);
		else {
			this.page++;
			this.start = reached;
		}
		return total !== undefined && this.covered >= total;
	}

	private goTo(page: number, size: number): void {
		this.page = page;
		this.start = (page - 1) * size;
	}

	private noteProgress(reached: number, total = Infinity): void {
		const isProgress = reached > this.furthest || total < this.lowestTotal;
		this.readsWithoutProgress = isProgress ? 0 : this.readsWithoutProgress + 1;
		if (this.readsWithoutProgress > MOST_READS_WITHOUT_PROGRESS) {
			throw new ServiceError(
				'The list kept changing while the node was reading it',
				'The node stopped, because it would have missed records. Try again later.',
				{ kind: 'unexpected', status: 200, came: 'a list' },
			);
		}
		this.covered = Math.max(this.covered, reached);
		this.furthest = Math.max(this.furthest, reached);
		this.total = total;
		this.lowestTotal = Math.min(this.lowestTotal, total);
	}
}

function takeUnseen(records: IDataObject[], seen: Set<string>, limit: number): IDataObject[] {
	const fresh: IDataObject[] = [];
	for (const record of records) {
		if (seen.size >= limit) break;
		const identity = identityOf(record);
		if (seen.has(identity)) continue;
		seen.add(identity);
		fresh.push(record);
	}
	return fresh;
}

/** Identifies a record across pages: by its uuid, its ID, or otherwise its whole content. */
export function identityOf(record: IDataObject): string {
	const name = [record.uuid, record.id].map(textOf).find((text) => text.trim() !== '');
	return name ?? JSON.stringify(record);
}
