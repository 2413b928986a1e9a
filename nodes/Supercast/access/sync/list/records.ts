/** Which records of the membership system are on the list, by their own IDs (decision 0019). */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../../api/json';

/** What is known of the records on a list. */
export interface RecordCounts {
	/** How many records have different IDs. */
	different: number;
	/** The IDs that came more than once. */
	doubled: readonly string[];
	/** The items that name nobody, so that nobody knows whose records they are. */
	nameless: readonly IDataObject[];
}

/** Counts the records while the list is read. */
export class RecordCounter {
	private readonly seen = new Set<string>();

	private readonly doubled = new Set<string>();

	private readonly nameless: IDataObject[] = [];

	add(id: unknown): void {
		const text = textOf(id).trim();
		if (text === '') return;
		if (this.seen.has(text)) this.doubled.add(text);
		this.seen.add(text);
	}

	addNameless(json: IDataObject): void {
		this.nameless.push(json);
	}

	get counts(): RecordCounts {
		const { seen, doubled, nameless } = this;
		return { different: seen.size, doubled: [...doubled], nameless };
	}
}
