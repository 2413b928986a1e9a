/** A list whose details are not documented: see `Manners`. */

import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

/** Undocumented details of a list, and what happens to it while it is read. */
export interface Manners {
	/** The most entries that a page has. */
	cap: number;
	/** The value of `X-Per-Page`: how many entries a page has, or how many were requested. */
	perPage: 'asked' | 'true';
	wrap: 'data' | 'each' | 'name' | 'none';
	/** How many entries of the list are null. */
	nulls: number;
	/** Deletes the record at `index` before a request. Past the end, `index` begins again at 0. */
	deletions: Array<{ before: number; index: number }>;
	/** Whether records have an empty text as their uuid. */
	hasEmptyUuids: boolean;
}

/** The list, and the records that were deleted from it. */
export class QuarrelsomeList {
	readonly deleted = new Set<number>();
	requests = 0;
	private readonly entries: Array<IDataObject | null>;

	constructor(
		count: number,
		private readonly manners: Manners,
	) {
		const uuid = manners.hasEmptyUuids ? { uuid: '' } : {};
		this.entries = Array.from({ length: count }, (_, id) => ({ ...uuid, id }));
		for (let n = 0; n < manners.nulls; n++) this.entries.splice((n * 7) % (count + 1), 0, null);
	}

	/** Responds as n8n's request helper does. */
	async answer({ qs }: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const { cap, perPage, deletions } = this.manners;
		const request = this.requests++;
		for (const { index } of deletions.filter(({ before }) => before === request))
			this.delete(index);
		const { page, per_page: asked } = qs as { page: number; per_page: number };
		const size = Math.min(asked, cap);
		const entries = this.entries.slice((page - 1) * size, page * size);
		const headers = {
			'x-page': String(page),
			'x-per-page': String(perPage === 'asked' ? asked : size),
			'x-total': String(this.entries.length),
		};
		return { statusCode: 200, headers, body: this.wrapped(entries) as IDataObject };
	}

	private delete(index: number): void {
		const [entry] = this.entries.splice(index % Math.max(1, this.entries.length), 1);
		if (entry) this.deleted.add(Number(entry.id));
	}

	private wrapped(entries: Array<IDataObject | null>): unknown {
		switch (this.manners.wrap) {
			case 'data':
				return { data: entries };
			case 'each':
				return entries.map((entry) => (entry === null ? null : { episode: entry }));
			case 'name':
				return { episodes: entries };
			case 'none':
				return entries;
		}
	}
}
