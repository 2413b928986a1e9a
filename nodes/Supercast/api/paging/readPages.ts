import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors/errors';
import { textOf } from '../json';

/** One page as the service sent it. */
export interface Page {
	records: IDataObject[];
	/** How many entries it had, whatever they were; by default as many as there are records. */
	received?: number;
	/** `X-Per-Page`, if present. */
	perPage?: number;
	/** `X-Total`, if present. */
	total?: number;
}

/** Reads page `page` (from 1), asking for `perPage` records. */
export type FetchPage = (page: number, perPage: number) => Promise<Page>;

/** The largest page that is asked for. What the service accepts is unknown, so its header decides. */
export const LARGEST_PAGE = 100;

// A page so far out that only a service that ignores the page number has records on it.
const FAR_PAGE = 1_000_000;

// A service that changes its page size once has to be read again from where it did, and so has a list
// out of which a record was deleted. One that changes all the time cannot be read at all.
const MOST_READS_WITHOUT_PROGRESS = 5;

/**
 * Yields the records of a list page by page, each record once.
 *
 * Relies on no order. The page size is the service's (`X-Per-Page`), whatever was asked for; a page that
 * is shorter than it says is not full, and ends nothing. With `X-Total` the list ends where as many
 * entries were read; without, at an empty page, or at one that repeats while the service turns out to
 * ignore the page number. (Headers: the vendor's Ruby client. Lists without them: inferred.)
 *
 * A record that is deleted meanwhile moves those behind it to the page before, where they would be
 * missed: a total that falls means to step back. Without `X-Total`, or where as many are added in the
 * same moment, nothing shows it.
 *
 * @param fetchPage Reads one page.
 * @param limit Most records wanted in total; Infinity for all. No page is read beyond it.
 * @throws ServiceError when the page size or the total keeps changing, since records would be missed in
 * silence.
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

		// Without a total, nothing new can be the end, or records pushed on by others inserted.
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

	/** How many entries of the list come before the page. */
	private start = 0;

	/** How many of the first entries were read. */
	private covered = 0;

	/** The most entries that were covered at any time. */
	private furthest = 0;

	private size = 0;

	/** The most entries that a page of this size had. */
	private largest = 1;

	private total = Infinity;

	private lowestTotal = Infinity;

	private readsWithoutProgress = 0;

	constructor(private readonly asked: number) {}

	/** Notes a page that was read. Returns whether it was the last. */
	advance({ records, received = records.length, perPage = this.asked, total }: Page): boolean {
		const isResized = perPage !== this.size && this.page > 1;
		if (isResized) this.start = (this.page - 1) * perPage;
		if (perPage !== this.size) this.largest = 1;
		this.size = perPage;
		this.largest = Math.max(this.largest, received);
		// A page size that changed in between leaves a gap before this page, to be read first.
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
				'The list kept changing while the node read it',
				'The node stopped, because it would have missed records. Run it again later.',
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

/** What makes a record the same on two pages: its uuid, its id, or else all that it holds. */
export function identityOf(record: IDataObject): string {
	const name = [record.uuid, record.id].map(textOf).find((text) => text.trim() !== '');
	return name ?? JSON.stringify(record);
}
