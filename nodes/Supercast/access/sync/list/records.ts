/** Which records of the membership system are on the list, by their own IDs (decision 0019). */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../../api/json';

/** What is known of the records on a list. */
export interface RecordCounts {
	/** How many records have different IDs. */
	different: number;
	/** The IDs that came more than once. */
	doubled: readonly string[];
	nameless: readonly NamelessItem[];
}

/** An item that names nobody, so that nobody knows whose record it is. */
export interface NamelessItem {
	/** Its number, counted from 0. */
	item: number;
	json: IDataObject;
}

/** Counts the records while the list is read. */
export class RecordCounter {
	private readonly seen = new Set<string>();

	private readonly doubled = new Set<string>();

	private readonly nameless: NamelessItem[] = [];

	add(id: unknown): void {
		const text = textOf(id).trim();
		if (text === '') return;
		if (this.seen.has(text)) this.doubled.add(text);
		this.seen.add(text);
	}

	addNameless(one: NamelessItem): void {
		this.nameless.push(one);
	}

	get counts(): RecordCounts {
		const { seen, doubled, nameless } = this;
		return { different: seen.size, doubled: [...doubled], nameless };
	}
}
