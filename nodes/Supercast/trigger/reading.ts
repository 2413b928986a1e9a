/** Reads as much of a list as it takes to be sure that nothing new is missed. Pure. */

import type { IDataObject } from 'n8n-workflow';

import { identityOf, readPages, type FetchPage, type Page } from '../api/paging/readPages';
import { observeOrder, type Order } from './order';

/** A record of a list, and what tells it from the others. */
export interface Listed {
	id: string;
	/** Milliseconds since 1970, where the record says so. */
	createdAt?: number;
	record: IDataObject;
}

/** What was read of a list: each record once. */
export interface Reading {
	/** In the order of the list; in the middle, records may have been left out. */
	records: Listed[];
	/** As this reading observed it. */
	order: Order;
	/** Whether the list was read from one end to the other. */
	isComplete: boolean;
	/** Whether records came or went meanwhile, so that some may have been skipped. */
	hasChanged: boolean;
	/** How many there are, where the service says so. */
	total?: number;
}

/** When a reader may stop. */
export interface Need {
	/**
	 * Asked only about a list whose order this reading has verified.
	 *
	 * @param newestFirst What was read at the end where new records appear, the newest first.
	 * @param read All that was read.
	 */
	isMet(newestFirst: readonly Listed[], read: readonly Listed[], total?: number): boolean;
	/** No more records are read than this, or twice as many while their order is verified. */
	most: number;
}

/** A list that is too long to be read as a whole, where nothing less will do. */
export class ListTooLongError extends Error {}

/**
 * Reads a list from its first page on until the need is met. It stops before the end only when the
 * records of this very reading come in order of age. A list that has the oldest first is then read
 * from its end backwards.
 *
 * @throws ListTooLongError when the need is not met by `need.most` records, or cannot be.
 */
export async function readList(fetchPage: FetchPage, need: Need): Promise<Reading> {
	return await new Reader(fetchPage, need).run();
}

class Reader {
	private readonly records: Listed[] = [];
	private readonly ids = new Set<string>();
	private readonly totals = new Set<number | undefined>();
	private page = 0;
	private answer: Page = { records: [] };
	private hasTriedEnd = false;

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly need: Need,
	) {}

	async run(): Promise<Reading> {
		for await (const page of readPages(async (number, size) => await this.fetch(number, size))) {
			this.records.push(...this.unread(page));
			const order = observeOrder(this.records);
			if (order === 'newest' && this.isMet(this.records, this.records)) {
				return this.reading(order, false);
			}
			const fromEnd = order === 'oldest' ? await this.readFromEnd() : undefined;
			if (fromEnd !== undefined) return fromEnd;
			this.checkLength(order);
		}
		return this.reading(observeOrder(this.records), true);
	}

	private async fetch(number: number, size: number): Promise<Page> {
		this.answer = await this.fetchPage(number, size);
		this.page = number;
		this.totals.add(this.answer.total);
		return this.answer;
	}

	/** Reads the last pages. Returns undefined when forwards is the better way after all. */
	private async readFromEnd(): Promise<Reading | undefined> {
		const { perPage, total } = this.answer;
		if (this.hasTriedEnd || perPage === undefined || total === undefined) return undefined;
		const lastPage = Math.ceil(total / perPage);
		const firstUnread = this.page + 1;
		if (lastPage <= firstUnread) return undefined;
		this.hasTriedEnd = true;
		let end: Listed[] = [];
		for (let number = lastPage; number >= firstUnread; number--) {
			const answer = await this.fetch(number, perPage);
			if (answer.perPage !== perPage) break;
			end = [...this.unread(answer.records), ...end];
			const read = [...this.records, ...end];
			if (observeOrder(read) !== 'oldest') break;
			if (this.isMet([...end].reverse(), read)) {
				this.records.push(...end);
				return this.reading('oldest', false);
			}
		}
		for (const { id } of end) this.ids.delete(id);
		return undefined;
	}

	private isMet(newestFirst: readonly Listed[], read: readonly Listed[]): boolean {
		return this.need.isMet(newestFirst, read, this.answer.total);
	}

	private checkLength(order: Order): void {
		const { need, records, answer } = this;
		const isVerified = order === 'newest' || order === 'oldest';
		const isLong = order === 'none' && (answer.total ?? 0) > need.most;
		if (isLong || records.length > (isVerified ? 2 * need.most : need.most)) {
			throw new ListTooLongError('The list is too long to be read as a whole');
		}
	}

	private unread(records: IDataObject[]): Listed[] {
		return records.map(listed).filter(({ id }) => {
			if (this.ids.has(id)) return false;
			this.ids.add(id);
			return true;
		});
	}

	private reading(order: Order, isComplete: boolean): Reading {
		const { records, totals, answer } = this;
		const { total } = answer;
		const isShort = isComplete && total !== undefined && records.length < total;
		return {
			records,
			order,
			isComplete,
			hasChanged: totals.size > 1 || isShort,
			...(total === undefined ? {} : { total }),
		};
	}
}

function listed(record: IDataObject): Listed {
	const { created_at: time } = record;
	const createdAt = typeof time === 'string' ? Date.parse(time) : NaN;
	return {
		id: identityOf(record),
		...(Number.isNaN(createdAt) ? {} : { createdAt }),
		record,
	};
}
