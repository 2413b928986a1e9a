/**
 * The collection Filters of a Get Many operation. Supercast has no filters, so the node applies
 * them itself.
 */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../api/errors/errors';
import { textOf } from '../../api/json';
import { requireDateTime } from '../dates';
import { isBlank, requireId } from '../validation';
import type { ItemParameters } from '../types';

/** Returns whether a record matches a filter. The record is in the form that Supercast sends. */
export type RecordTest = (record: IDataObject) => boolean;

/** One filter for a kind of record. */
export interface ListFilter {
	/** The filter's parameter in the collection. */
	property: INodeProperties;
	/**
	 * Reads the value to filter by, which is not blank.
	 *
	 * @param label The parameter's label, for the error.
	 * @throws InputError if it is malformed.
	 */
	read: (typed: unknown, label: string, item: ItemParameters) => RecordTest;
}

/** The collection Filters, for a kind of record that has filters. */
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
 * @returns A test that is true if all filters match. Undefined if there are no filters.
 * @throws InputError if a filter is malformed, or was added but is blank. If a blank filter were
 * ignored, the node would return everyone instead of one member.
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
