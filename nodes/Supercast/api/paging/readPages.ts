/** Reading a list page by page. Pure: knows neither n8n nor what the records are. */

import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors/errors';

/** One page as the service sent it; the numbers come from `X-Per-Page` and `X-Total` if present. */
export interface Page {
	records: IDataObject[];
	perPage?: number;
	total?: number;
}

/** Reads page `page` (from 1), asking for `perPage` records. */
export type FetchPage = (page: number, perPage: number) => Promise<Page>;

/** The largest page that is asked for. What the service accepts is unknown, so its header decides. */
export const LARGEST_PAGE = 100;

// A page so far out that only a service that ignores the page number has records on it.
const FAR_PAGE = 1_000_000;

// A service that changes its page size once has to be read again from where it did. One that changes
// it all the time cannot be read at all.
const MOST_READS_WITHOUT_PROGRESS = 5;

/**
 * Yields the records of a list page by page, each record once.
 *
 * Relies on no order. The page size is the service's (`X-Per-Page`), whatever was asked for. With
 * `X-Total` the list ends where page x size reaches it; without, at an empty page, or at one that
 * repeats while the service turns out to ignore the page number. (Headers: the vendor's Ruby client.
 * Lists without them: inferred.)
 *
 * @param fetchPage Reads one page.
 * @param limit Most records wanted in total; Infinity for all. No page is read beyond it.
 * @throws ServiceError when the page size keeps changing, since records would be missed in silence.
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

	private covered = 0;

	private readsWithoutProgress = 0;

	constructor(private readonly asked: number) {}

	/** Notes a page that was read. Returns whether it was the last. */
	advance({ records, perPage, total }: Page): boolean {
		const size = perPage ?? this.asked;
		const start = (this.page - 1) * size;
		// A page size that changed in between leaves a gap before this page, to be read first.
		const isBeyondGap = start > this.covered;
		if (records.length === 0 && !isBeyondGap) return true;
		const reached = isBeyondGap ? this.covered : Math.max(this.covered, start + size);
		this.readsWithoutProgress = reached > this.covered ? 0 : this.readsWithoutProgress + 1;
		if (this.readsWithoutProgress > MOST_READS_WITHOUT_PROGRESS) {
			throw new ServiceError(
				'The list cannot be read in full: Supercast keeps changing its page size',
				'Records would be missed in silence. Run it again later.',
				{ kind: 'unexpected', status: 200 },
			);
		}
		this.covered = reached;
		this.page = Math.floor(reached / size) + 1;
		return total !== undefined && reached >= total;
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
	const { uuid, id } = record;
	const name = uuid ?? id;
	return typeof name === 'string' || typeof name === 'number'
		? String(name)
		: JSON.stringify(record);
}
