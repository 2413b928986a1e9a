import type { IDataObject } from 'n8n-workflow';

export interface Page {
	records: IDataObject[];
	/** How many entries, valid or not. Defaults to `records.length`. */
	received?: number;
	/** `X-Per-Page` and `X-Total`, if present. */
	perPage?: number;
	total?: number;
}

/** Reads page `page` (starting at 1), and requests `perPage` records. */
export type FetchPage = (page: number, perPage: number) => Promise<Page>;

/** The largest page size to request. It is unknown which sizes Supercast accepts. */
export const LARGEST_PAGE = 100;
