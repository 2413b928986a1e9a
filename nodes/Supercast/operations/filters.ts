import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { textOf, timeOf } from '../api/json';
import { dateField } from './properties';
import { isBlank } from './texts';
import type { ItemParameters } from './types';
import { readField, requireChoice } from './validation';

/** A filter in the collection Filters. Supercast has none, so the node applies it itself. */
export interface ListFilter {
	/** Its type says how to read the wanted value. Of several values, one match is enough. */
	property: INodeProperties;
	/** The field of the record to compare with the wanted text, unless `matches` decides. */
	field?: string;
	matches?: (record: IDataObject, wanted: string) => boolean;
}

/** Builds a filter such as Created After from `Created`. Records without the time do not match. */
export function sinceFilter(label: string, records: string): ListFilter {
	const verb = label.toLowerCase();
	return {
		property: dateField(`${verb}After`, `${label} After`, {
			description: `Return only ${records} at this time or later, in the workflow's time zone`,
		}),
		matches: (record, since) => timeOf(record[`${verb}_at`]) >= Date.parse(since),
	};
}

/**
 * Reads the filters of an item. Returns a function that returns matching records, or undefined if
 * there are no filters.
 * @throws InputError if a filter is empty or has a wrong value. An empty list of choices means all.
 */
export function readFilters(
	filters: ListFilter[],
	item: ItemParameters,
): ((record: IDataObject) => IDataObject | undefined) | undefined {
	const given = item.collection('filters');
	const tests: Array<(record: IDataObject) => boolean> = [];
	for (const { property, field = '', matches } of filters) {
		const { name } = property;
		if (!Object.hasOwn(given, name)) continue;
		if (isNothingChosen(property, given[name])) continue;
		const wanted = wantedValues(property, given[name], item);
		const hasText: ListFilter['matches'] = (record, one) => textOf(record[field]).trim() === one;
		tests.push((record) => wanted.some((one) => (matches ?? hasText)(record, one)));
	}
	if (tests.length === 0) return undefined;
	return (record) => (tests.every((test) => test(record)) ? record : undefined);
}

/** Whether no choice is selected. An empty text is something else: a field that does not exist. */
function isNothingChosen({ options }: INodeProperties, typed: unknown): boolean {
	return options !== undefined && Array.isArray(typed) && typed.length === 0;
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
