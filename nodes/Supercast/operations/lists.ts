import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError, ServiceError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import { textOf } from '../api/json';
import { LARGEST_PAGE, PAGES_AHEAD, readAhead, readPages } from '../api/paging/readPages';
import { pageReader } from '../api/records';
import { listRequest, recordKey, type RecordKind } from './kinds';
import { snakeCase } from './fields';
import { simplifier, simplifyProperties } from './output';
import {
	choice,
	choiceField,
	collectionField,
	dateField,
	numberField,
	switchField,
} from './properties';
import type { ItemParameters, Operation } from './types';
import { isBlank, isOn, readField, requireChoice, requireNumber, timeOf } from './validation';

/** How often to read a list that turns out to be incomplete. */
const MOST_READINGS = 3;

export interface ListOptions<T> {
	/** Returns undefined for a record to leave out. */
	take?: (record: IDataObject) => T | undefined;
	/** The most results to return. By default, all. */
	limit?: number;
	/** Whether to read the list again if a record was deleted during the reading. */
	mustBeSteady?: boolean;
}

/**
 * Reads a list, each record once, and again if it ends before Supercast's total. The caller judges
 * an incomplete last reading.
 * @throws ServiceError if a page cannot be read, or the list never stops changing.
 */
export async function readList<T = IDataObject>(
	client: SupercastClient,
	kind: RecordKind,
	{ take, limit = Infinity, mustBeSteady = false }: ListOptions<T>,
) {
	const most = take === undefined ? limit : Infinity;
	// If it is unknown how far the list must be read, request no page that may not be needed.
	const ahead = most === limit ? PAGES_AHEAD : 0;
	const pageSize = Math.min(LARGEST_PAGE, most);
	const keyOf = (record: IDataObject): string | undefined => recordKey(kind, record);
	for (let reading = 1; ; reading++) {
		const fetchPage = readAhead(pageReader(client, listRequest(kind)), most, ahead);
		const taken: T[] = [];
		let [read, total, isSteady]: [number, number | undefined, boolean] = [0, undefined, true];
		for await (const page of readPages(fetchPage, pageSize, keyOf)) {
			({ total, isSteady } = page);
			read = page.read - page.records.length;
			for (const record of page.records) {
				if (taken.length === limit) break;
				read++;
				const one = take === undefined ? (record as T) : take(record);
				if (one !== undefined) taken.push(one);
			}
			if (taken.length === limit) break;
		}
		const isShort = taken.length < limit && read < (total ?? 0);
		// Nothing was deleted, and the total was read. Without a total, the end is the only sign.
		const isComplete = isSteady && (total === undefined || read === total);
		const isGood = mustBeSteady ? isComplete : !isShort;
		if (isGood || reading === MOST_READINGS) return { taken, read, total, isShort, isComplete };
	}
}

/** A filter in the collection Filters. Supercast has none, so the node applies it itself. */
export interface ListFilter {
	/** Its type says how to read the wanted value. Of several choices, any may match. */
	property: INodeProperties;
	/** By default, the field that the property is named after must have the wanted text. */
	matches?: (record: IDataObject, wanted: string) => boolean;
}

/** For `Created`, the filter Created After. A record without the time does not match. */
export function sinceFilter(label: string, records: string): ListFilter {
	const verb = label.toLowerCase();
	return {
		property: dateField(`${verb}After`, `${label} After`, {
			description: `Return only ${records} at or after this time, in the workflow's time zone`,
		}),
		matches: (record, since) => timeOf(record[`${verb}_at`]) >= Date.parse(since),
	};
}

const countProperties = [
	switchField('returnAll', 'Return All', {
		description: 'Whether to return all results or only up to a given limit',
	}),
	numberField('limit', 'Limit', {
		default: 50,
		typeOptions: { minValue: 1 },
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
];

const sortOption = choiceField('sort', 'Sort', {
	default: 'newest',
	description:
		"The order of the results. Sorting reads the whole list, usually with one request per 100 records. Without this option, the results are in Supercast's order.",
	options: [
		choice('email', 'Email', 'By email, from A to Z'),
		choice('newest', 'Newest First', 'By creation date'),
		choice('oldest', 'Oldest First', 'By creation date'),
	],
});

/** Compares by creation date. Records without one come last. */
export function newestFirst(one: IDataObject, other: IDataObject): number {
	return (timeOf(other.created_at) || 0) - (timeOf(one.created_at) || 0);
}

const ORDERS: Record<string, typeof newestFirst> = {
	email: (one, other) => (nameKey(one.email) < nameKey(other.email) ? -1 : 1),
	newest: newestFirst,
	oldest: (one, other) => newestFirst(other, one),
};

/** Builds the operation that reads a list. To sort it, the node reads the whole list. */
export function getManyOperation(
	kind: RecordKind,
	description: string,
	{ filters = [], isSortable = false }: { filters?: ListFilter[]; isSortable?: boolean },
): Operation {
	const collected = filters.map(({ property }) => property);
	const collection = collectionField('filters', 'Filters', 'Add Filter', collected);
	const properties = filters.length === 0 ? countProperties : [...countProperties, collection];
	return {
		name: 'Get Many',
		action: `Get many ${kind.plural}`,
		description,
		properties: [...properties, ...simplifyProperties(kind)],
		options: isSortable ? [sortOption] : undefined,
		prepare: (item) => {
			const all = isOn(item.parameter('returnAll'), 'Return All');
			const count = all
				? Infinity
				: Math.floor(requireNumber(item.parameter('limit'), 'Limit', { minValue: 1 }));
			const { sort } = item.collection('options');
			const isSorted = isSortable && sort !== undefined && sort !== null;
			const order = isSorted ? ORDERS[requireChoice(sort, sortOption)] : undefined;
			const take = filters.length === 0 ? undefined : readFilters(filters, item);
			const simplify = simplifier(kind, item);
			return {
				run: async (client, addHint) => {
					const limit = isSorted ? Infinity : count;
					const reading = await readList(client, kind, { take, limit });
					const { taken, read, total = read, isShort } = reading;
					if (isShort) {
						throw new ServiceError(
							`Supercast sent only ${part(read, total)} ${kind.plural}`,
							'The node read the list several times, and each time it ended before its total. Try again later.',
							{ kind: 'unexpected', status: 200, came: 'a list' },
						);
					}
					const records = isSorted ? taken.sort(order).slice(0, count) : taken;
					// n8n's editor explains how to get the other records, so the hint does not.
					if (take !== undefined) {
						const all = read < total ? `the first ${part(read, total)}` : english.format(read);
						const match = `${english.format(taken.length)} ${taken.length === 1 ? 'matches' : 'match'}`;
						addHint?.(`Of ${all} ${kind.plural}, ${match} the filters.`);
					} else if (records.length < total) {
						addHint?.(`${part(records.length, total)} ${kind.plural}`);
					}
					return records.map(simplify);
				},
			};
		},
	};
}

function readFilters(
	filters: ListFilter[],
	item: ItemParameters,
): ListOptions<IDataObject>['take'] {
	const given = item.collection('filters');
	const tests: Array<(record: IDataObject) => boolean> = [];
	for (const { property, matches } of filters) {
		const { name } = property;
		if (!Object.hasOwn(given, name)) continue;
		const wanted = wantedValues(property, given[name], item);
		const hasText: ListFilter['matches'] = (record, one) =>
			textOf(record[snakeCase(name)]).trim() === one;
		tests.push((record) => wanted.some((one) => (matches ?? hasText)(record, one)));
	}
	if (tests.length === 0) return undefined;
	return (record) => (tests.every((test) => test(record)) ? record : undefined);
}

function wantedValues(property: INodeProperties, typed: unknown, item: ItemParameters): string[] {
	if (isBlank(typed)) {
		// If an empty filter were ignored, the node would return everyone instead of one member.
		throw new InputError(
			`The filter '${property.displayName}' is empty`,
			'Fill it in, or remove it to get all records. If you use an expression, check that its field exists and has a value in this item.',
		);
	}
	if (property.options === undefined) return [textOf(readField(property, typed, item))];
	const list = typeof typed === 'string' ? typed.split(',') : [typed].flat();
	return list.map((one) => requireChoice(one, property));
}

const english = new Intl.NumberFormat('en-US');
const part = (shown: number, total: number): string =>
	`${english.format(shown)} of ${english.format(total)}`;
