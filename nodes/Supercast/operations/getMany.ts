/** The operation that reads a list, with its filters and its order. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError, ServiceError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import { textOf } from '../api/json';
import type { RecordKind } from './kinds';
import { readList, type ListReading } from './lists';
import { simplifier, simplifyProperties } from './output';
import { choice, choiceField, collectionField, numberField, switchField } from './properties';
import type { ItemParameters, Operation } from './types';
import { isBlank, isOn, readField, requireChoice, requireNumber, timeOf } from './validation';

const returnAll = switchField('returnAll', 'Return All', {
	description: 'Whether to return all results or only up to a given limit',
});

const limit = numberField('limit', 'Limit', {
	default: 50,
	typeOptions: { minValue: 1 },
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
});

const sortOption = choiceField('sort', 'Sort', {
	default: 'newest',
	description:
		'The order of the results. Sorting reads the whole list, usually with one request per 100 records. Without this option, the order is that of Supercast.',
	options: [
		choice('email', 'Email', 'By email, from A to Z'),
		choice('newest', 'Newest First', 'By creation date'),
		choice('oldest', 'Oldest First', 'By creation date'),
	],
});

const createdAt = (record: IDataObject): number => timeOf(record.created_at) || 0;

const ORDERS: Record<string, (one: IDataObject, other: IDataObject) => number> = {
	email: (one, other) => (nameKey(one.email) < nameKey(other.email) ? -1 : 1),
	newest: (one, other) => createdAt(other) - createdAt(one),
	oldest: (one, other) => createdAt(one) - createdAt(other),
};

/** A filter in the collection Filters. Supercast has none, so the node applies it itself. */
export interface ListFilter {
	/** Its type says how to read the wanted value. Of several choices, any may match. */
	property: INodeProperties;
	matches: (record: IDataObject, wanted: string) => boolean;
}

/** A filter for records whose field equals a text or number. */
export function sameTextFilter(property: INodeProperties, field: string): ListFilter {
	return { property, matches: (record, wanted) => textOf(record[field]).trim() === wanted };
}

/** A filter for records with a text that contains another one, in any case. */
export function containsFilter(
	property: INodeProperties,
	of: (record: IDataObject) => string,
): ListFilter {
	return {
		property,
		matches: (record, wanted) => nameKey(of(record)).includes(nameKey(wanted)),
	};
}

/** A filter for records on or after a date. A record without this date does not match. */
export function sinceFilter(property: INodeProperties, field: string): ListFilter {
	return {
		property,
		matches: (record, since) => Date.parse(textOf(record[field])) >= Date.parse(since),
	};
}

/**
 * Builds the operation that reads a list. To sort it, the node reads the whole list.
 *
 * @param filters The parameters in the collection Filters.
 */
export function getManyOperation(
	kind: RecordKind,
	description: string,
	{ filters = [], isSortable = false }: { filters?: ListFilter[]; isSortable?: boolean } = {},
): Operation {
	const collected = filters.map(({ property }) => property);
	const collection = collectionField('filters', 'Filters', 'Add Filter', collected);
	const properties = filters.length === 0 ? [] : [collection];
	return {
		name: 'Get Many',
		action: `Get many ${kind.plural}`,
		description,
		properties: [returnAll, limit, ...properties, ...simplifyProperties(kind)],
		options: isSortable ? [sortOption] : undefined,
		prepare: (item) => {
			const count = isOn(item.parameter('returnAll'), 'Return All')
				? Infinity
				: Math.floor(requireNumber(item.parameter('limit'), 'Limit', { minValue: 1 }));
			const { sort } = item.collection('options');
			const isSorted = isSortable && sort !== undefined && sort !== null;
			const order = isSorted ? ORDERS[requireChoice(sort, sortOption)] : undefined;
			const isWanted = filters.length === 0 ? undefined : filterTest(filters, item);
			const simplify = simplifier(kind, item);
			return {
				run: async (client, addHint) => {
					const reading = await readList(client, kind, {
						take: (record) => (isWanted?.(record) === false ? undefined : record),
						takesAll: isWanted === undefined,
						limit: isSorted ? Infinity : count,
					});
					const { taken } = reading;
					const records = isSorted ? taken.sort(order).slice(0, count) : taken;
					const hint = hintAbout(reading, kind, records.length, isWanted !== undefined);
					if (hint !== '') addHint?.(hint);
					return records.map(simplify);
				},
			};
		},
	};
}

/**
 * Says which records a limit or the filters left out. n8n's editor explains how to get them.
 *
 * @throws ServiceError if the list ended before its total, because records would be missing.
 */
function hintAbout(
	{ taken, read, total = read, isShort }: ListReading<IDataObject>,
	{ plural }: RecordKind,
	shown: number,
	isFiltered: boolean,
): string {
	if (isShort) {
		throw new ServiceError(
			`Supercast sent only ${counted(read)} of ${counted(total)} ${plural}`,
			'The node read the list several times, and each time it ended before its total. Try again later.',
			{ kind: 'unexpected', status: 200, came: 'a list' },
		);
	}
	if (!isFiltered) return shown < total ? `${counted(shown)} of ${counted(total)} ${plural}` : '';
	const all = read < total ? `the first ${counted(read)} of ${counted(total)}` : counted(read);
	const match = `${counted(taken.length)} ${taken.length === 1 ? 'matches' : 'match'}`;
	return `Of ${all} ${plural}, ${match} the filters.`;
}

/**
 * Reads the collection Filters.
 *
 * @returns A test that is true if all filters match. Undefined if there are no filters.
 * @throws InputError if a filter is malformed or blank. If a blank one were ignored, the node would
 * return everyone instead of one member.
 */
function filterTest(
	filters: ListFilter[],
	item: ItemParameters,
): ((record: IDataObject) => boolean) | undefined {
	const given = item.collection('filters');
	const added = filters.filter(({ property }) => Object.hasOwn(given, property.name));
	const tests = added.map(({ property, matches }) => {
		const typed = given[property.name];
		if (isBlank(typed)) {
			throw new InputError(
				`The filter '${property.displayName}' is empty`,
				'Fill it in, or remove it to get all records. If you use an expression, check that its field exists and has a value in this item.',
			);
		}
		const wanted = wantedValues(property, typed, item);
		return (record: IDataObject) => wanted.some((one) => matches(record, one));
	});
	return tests.length === 0 ? undefined : (record) => tests.every((test) => test(record));
}

function wantedValues(property: INodeProperties, typed: unknown, item: ItemParameters): string[] {
	if (property.type === 'options') return [requireChoice(typed, property)];
	if (property.type !== 'multiOptions') return [textOf(readField(property, typed, item))];
	const list = typeof typed === 'string' ? typed.split(',') : [typed].flat();
	return list.map((one) => requireChoice(one, property));
}

function counted(value: number): string {
	return value.toLocaleString('en-US');
}
