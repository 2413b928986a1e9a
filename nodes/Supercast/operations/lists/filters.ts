/**
 * The collection Filters of a Get Many operation. Supercast has no filters, so the node applies
 * them.
 */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../api/errors/errors';
import { textOf } from '../../api/json';
import { requireDateTime } from '../dates';
import { isBlank, requireText } from '../validation';
import type { ItemParameters } from '../types';

/** Whether a record, as Supercast sends it, matches. */
export type RecordTest = (record: IDataObject) => boolean;

/** One filter of a kind of record. */
export interface ListFilter {
	/** Its parameter in the collection. */
	property: INodeProperties;
	/**
	 * Reads the wanted value, which is not blank.
	 *
	 * @param label The parameter's label, for the error.
	 * @throws InputError when it is malformed.
	 */
	read: (typed: unknown, label: string, item: ItemParameters) => RecordTest;
}

/** The collection Filters, for a kind of record with something to filter by. */
export function filterProperties(filters: ListFilter[] = []): INodeProperties[] {
	if (filters.length === 0) return [];
	return [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: filters.map(({ property }) => property),
		},
	];
}

/**
 * Reads the collection Filters.
 *
 * @returns The test that is true when all filters match. Undefined when there are none.
 * @throws InputError when a filter is malformed, or was added but is blank. An expression that
 * finds nothing must not turn "this member" into "everyone".
 */
export function wantedRecords(
	filters: ListFilter[] | undefined,
	item: ItemParameters,
): RecordTest | undefined {
	if (filters === undefined) return undefined;
	const given = item.collection('filters');
	const tests = filters
		.filter(({ property }) => Object.hasOwn(given, property.name))
		.map(({ property, read }) => {
			const { displayName, name } = property;
			const typed = given[name];
			if (!isBlank(typed)) return read(typed, displayName, item);
			throw new InputError(
				`The filter '${displayName}' is empty`,
				'Fill it in, or remove it to get all records. If you use an expression, check that its field exists and has a value in this item.',
			);
		});
	return tests.length === 0 ? undefined : (record) => tests.every((test) => test(record));
}

/** A filter by a text or number that must be equal. */
export function sameTextFilter(property: INodeProperties, field: string): ListFilter {
	return {
		property,
		read: (typed, label) => {
			const wanted = requireText(typed, label).trim();
			return (record) => textOf(record[field]).trim() === wanted;
		},
	};
}

/** A filter for records from a date on. A record without the date does not match. */
export function sinceFilter(property: INodeProperties, field: string): ListFilter {
	return {
		property,
		read: (typed, label, item) => {
			const since = Date.parse(requireDateTime(typed, label, item));
			return (record) => Date.parse(textOf(record[field])) >= since;
		},
	};
}
