import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import { textOf } from '../api/json';
import { LARGEST_PAGE, PAGES_AHEAD, readAhead, readPages } from '../api/paging/readPages';
import { pageReader } from '../api/records';
import { listRequest, recordKey, type RecordKind } from './kinds';
import { collectionField } from './properties';
import type { ItemParameters } from './types';
import { isBlank, requireDateTime, requireId, requireText } from './validation';

/** The maximum number of times to read a list that turns out to be incomplete. */
const MOST_READINGS = 3;

/** How to read a list. */
export interface ListOptions<T> {
	/** Converts a record. Returns undefined for a record to leave out. */
	take: (record: IDataObject) => T | undefined;
	/** How many records to take; Infinity for all. */
	limit?: number;
	/** Whether every record counts, so that `limit` is also the number of records to read. */
	takesAll?: boolean;
	/** Whether to read the list again if a record was deleted during the reading. */
	mustBeSteady?: boolean;
}

/** The records of a list, and whether they are all of them. */
export interface ListReading<T> {
	taken: T[];
	/** How many different entries were read. */
	read: number;
	/** The total that Supercast sent (`X-Total`); undefined if it sent none. */
	total: number | undefined;
	/** Whether the list ended before the total, although `limit` was not reached. */
	isShort: boolean;
	/**
	 * Whether the reading proves that the list contains no other record: as many entries were read
	 * as the total says, and none was deleted meanwhile. Without a total, the end of the list is the
	 * only sign.
	 */
	isComplete: boolean;
}

/**
 * Reads a list, each record once. Reads it again, up to three times, if it ends before Supercast's
 * total.
 *
 * @returns The last reading. The caller decides what an incomplete one is good for.
 * @throws ServiceError if a page cannot be read, or the list never stops changing.
 */
export async function readList<T>(
	client: SupercastClient,
	kind: RecordKind,
	options: ListOptions<T>,
): Promise<ListReading<T>> {
	for (let reading = 1; ; reading++) {
		const result = await readOnce(client, kind, options);
		const isGood = options.mustBeSteady === true ? result.isComplete : !result.isShort;
		if (isGood || reading === MOST_READINGS) return result;
	}
}

async function readOnce<T>(
	client: SupercastClient,
	kind: RecordKind,
	{ take, limit = Infinity, takesAll = false }: ListOptions<T>,
): Promise<ListReading<T>> {
	const most = takesAll ? limit : Infinity;
	// If it is unknown how far the list must be read, request no page that may not be needed.
	const ahead = most === limit ? PAGES_AHEAD : 0;
	const fetchPage = readAhead(pageReader(client, listRequest(kind)), most, ahead);
	const pageSize = Math.max(1, Math.min(LARGEST_PAGE, most));
	const taken: T[] = [];
	let [read, total, isSteady]: [number, number | undefined, boolean] = [0, undefined, true];
	for await (const page of readPages(fetchPage, pageSize, (record) => recordKey(kind, record))) {
		({ total, isSteady } = page);
		let left = page.records.length;
		for (const record of page.records) {
			if (taken.length === limit) break;
			left--;
			const one = take(record);
			if (one !== undefined) taken.push(one);
		}
		read = page.read - left;
		if (taken.length === limit) break;
	}
	const isShort = taken.length < limit && read < (total ?? 0);
	const isComplete = isSteady && (total === undefined || read === total);
	return { taken, read, total, isShort, isComplete };
}

/** Whether a record, as Supercast sends it, matches a filter. */
export type RecordTest = (record: IDataObject) => boolean;

/** A filter in the collection Filters. Supercast has none, so the node applies it itself. */
export interface ListFilter {
	property: INodeProperties;
	/** Reads the value to filter by, which is not blank. */
	read: (typed: unknown, label: string, item: ItemParameters) => RecordTest;
}

/** The collection Filters, for a kind of record that has filters. */
export function filterProperties(filters: ListFilter[]): INodeProperties[] {
	const properties = filters.map(({ property }) => property);
	if (properties.length === 0) return [];
	return [collectionField('filters', 'Filters', 'Add Filter', properties)];
}

/**
 * Reads the collection Filters.
 *
 * @returns A test that is true if all filters match. Undefined if there are no filters.
 * @throws InputError if a filter is malformed or blank. If a blank one were ignored, the node would
 * return everyone instead of one member.
 */
export function wantedRecords(filters: ListFilter[], item: ItemParameters): RecordTest | undefined {
	if (filters.length === 0) return undefined;
	const given = item.collection('filters');
	const added = filters.filter(({ property }) => Object.hasOwn(given, property.name));
	const tests = added.map(({ property: { displayName, name }, read }) => {
		if (!isBlank(given[name])) return read(given[name], displayName, item);
		throw new InputError(
			`The filter '${displayName}' is empty`,
			'Fill it in, or remove it to get all records. If you use an expression, check that its field exists and has a value in this item.',
		);
	});
	return tests.length === 0 ? undefined : (record) => tests.every((test) => test(record));
}

/** A filter for records whose field equals a text or number. */
export function sameTextFilter(property: INodeProperties, field: string): ListFilter {
	return {
		property,
		read: (typed, label) => {
			const wanted = requireId(typed, label);
			return (record) => textOf(record[field]).trim() === wanted;
		},
	};
}

/** A filter for records with a text that contains another one, in any case. */
export function containsFilter(
	property: INodeProperties,
	of: (record: IDataObject) => string,
): ListFilter {
	return {
		property,
		read: (typed, label) => {
			const wanted = nameKey(requireText(typed, label));
			return (record) => nameKey(of(record)).includes(wanted);
		},
	};
}

/** A filter for records on or after a date. A record without this date does not match. */
export function sinceFilter(property: INodeProperties, field: string): ListFilter {
	return {
		property,
		read: (typed, label, item) => {
			const since = Date.parse(requireDateTime(typed, label, item));
			return (record) => Date.parse(textOf(record[field])) >= since;
		},
	};
}
