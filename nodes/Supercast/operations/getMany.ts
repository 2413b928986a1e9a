import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { filterProperties, wantedRecords, type ListFilter, type RecordTest } from './lists/filters';
import { readList } from './lists/readList';
import { listProperties, simplifier, simplifyProperties, wantedCount } from './properties';
import { listRequest, type RecordKind, type Simplifiable } from './recordKind';
import type { Operation } from './types';

/** What is specific to the list of one kind of record. */
export interface GetManyOptions extends Pick<Operation, 'action' | 'description'> {
	/** The parameters in the collection Filters. */
	filters?: ListFilter[];
}

/** Builds the operation that reads a list. */
export function getManyOperation(
	kind: RecordKind & Partial<Simplifiable>,
	{ filters, ...texts }: GetManyOptions,
): Operation {
	return {
		name: 'Get Many',
		...texts,
		properties: [...listProperties, ...filterProperties(filters), ...simplifyProperties(kind)],
		prepare: (item) => {
			const count = wantedCount(item);
			const isWanted = wantedRecords(filters, item);
			const simplify = simplifier(kind, item);
			return {
				run: async (client, addHint) => {
					const read = isWanted === undefined ? readFirst : readMatching(isWanted);
					const { records, hint } = await read(client, kind, count);
					if (hint !== undefined) addHint?.(hint);
					return records.map(simplify);
				},
			};
		},
	};
}

/** Some records of a list, and a hint about the records that were left out. */
interface Excerpt {
	records: IDataObject[];
	hint?: string;
}

async function readFirst(
	client: SupercastClient,
	kind: RecordKind,
	count: number,
): Promise<Excerpt> {
	const { pages, totals } = readList(client, listRequest(kind), count);
	const records: IDataObject[] = [];
	for await (const page of pages) records.push(...page);
	const total = Math.max(...totals);
	if (total <= records.length || !Number.isFinite(total)) return { records };
	// n8n's editor explains how to get the other records, so the hint does not.
	return { records, hint: `${counted(records.length)} of ${counted(total)} ${kind.plural}` };
}

/** Returns a function that reads the list until enough records match. */
function readMatching(isWanted: RecordTest): typeof readFirst {
	return async (client, kind, count) => {
		// It is unknown how far the list must be read, so do not request pages that may not be
		// needed.
		const pagesAhead = count === Infinity ? undefined : 0;
		const { pages, totals } = readList(client, listRequest(kind), Infinity, pagesAhead);
		const records: IDataObject[] = [];
		let seen = 0;
		for await (const page of pages) {
			for (const record of page) {
				if (records.length === count) break;
				seen++;
				if (isWanted(record)) records.push(record);
			}
			if (records.length === count) break;
		}
		const total = Math.max(seen, ...totals);
		const all = seen < total ? `the first ${counted(seen)} of ${counted(total)}` : counted(seen);
		const match = `${counted(records.length)} ${records.length === 1 ? 'matches' : 'match'}`;
		return { records, hint: `Of ${all} ${kind.plural}, ${match} the filters.` };
	};
}

function counted(value: number): string {
	return value.toLocaleString('en-US');
}
