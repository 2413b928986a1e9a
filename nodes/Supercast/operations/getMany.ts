import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import {
	filterProperties,
	readList,
	wantedRecords,
	type ListFilter,
	type RecordTest,
} from './lists';
import { listProperties, simplifier, simplifyProperties, wantedCount } from './options';
import type { RecordKind } from './kinds';
import { choice, choiceField } from './properties';
import type { ItemParameters, Operation } from './types';
import { requireChoices, timeOf } from './validation';

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

type Order = (one: IDataObject, other: IDataObject) => number;

const createdAt = (record: IDataObject): number => timeOf(record.created_at) || 0;

const ORDERS: Record<string, Order> = {
	email: (one, other) => (nameKey(one.email) < nameKey(other.email) ? -1 : 1),
	newest: (one, other) => createdAt(other) - createdAt(one),
	oldest: (one, other) => createdAt(one) - createdAt(other),
};

function chosenOrder(item: ItemParameters): Order | undefined {
	const { sort } = item.collection('options');
	if (sort === undefined || sort === null) return undefined;
	return ORDERS[requireChoices([sort], Object.keys(ORDERS), 'Sort')[0]!];
}

/**
 * Builds the operation that reads a list.
 *
 * @param filters The parameters in the collection Filters.
 */
export function getManyOperation(
	kind: RecordKind,
	description: string,
	{ filters = [], isSortable = false }: { filters?: ListFilter[]; isSortable?: boolean } = {},
): Operation {
	return {
		name: 'Get Many',
		action: `Get many ${kind.plural}`,
		description,
		properties: [...listProperties, ...filterProperties(filters), ...simplifyProperties(kind)],
		options: isSortable ? [sortOption] : undefined,
		prepare: (item) => {
			const count = wantedCount(item);
			const order = isSortable ? chosenOrder(item) : undefined;
			const isWanted = wantedRecords(filters, item);
			const simplify = simplifier(kind, item);
			return {
				run: async (client, addHint) => {
					const { records, hint } = await excerpt(client, kind, { count, isWanted, order });
					if (hint !== undefined) addHint?.(hint);
					return records.map(simplify);
				},
			};
		},
	};
}

interface Wanted {
	count: number;
	isWanted: RecordTest | undefined;
	order: Order | undefined;
}

/**
 * Reads records until there are enough. To sort them, reads all.
 *
 * @returns The records, and a hint about those that were left out.
 * @throws ServiceError if the list ends before its total, because records would be missing.
 */
async function excerpt(
	client: SupercastClient,
	kind: RecordKind,
	{ count, isWanted, order }: Wanted,
): Promise<{ records: IDataObject[]; hint?: string }> {
	const takesAll = isWanted === undefined;
	const take = (record: IDataObject): IDataObject | undefined =>
		takesAll || isWanted(record) ? record : undefined;
	const limit = order === undefined ? count : Infinity;
	const reading = await readList(client, kind, { take, limit, takesAll });
	const { taken, read, total = read, isShort } = reading;
	if (isShort) throw tooShort(`${counted(read)} of ${counted(total)} ${kind.plural}`);
	const records = order === undefined ? taken : taken.sort(order).slice(0, count);
	// n8n's editor explains how to get the other records, so the hint does not.
	const part = (shown: number): string => `${counted(shown)} of ${counted(total)}`;
	if (takesAll) {
		const { length } = records;
		return length < total ? { records, hint: `${part(length)} ${kind.plural}` } : { records };
	}
	const all = read < total ? `the first ${part(read)}` : counted(read);
	const match = `${counted(taken.length)} ${taken.length === 1 ? 'matches' : 'match'}`;
	return { records, hint: `Of ${all} ${kind.plural}, ${match} the filters.` };
}

function tooShort(part: string): ServiceError {
	return new ServiceError(
		`Supercast sent only ${part}`,
		'The node read the list several times, and each time it ended before its total. Try again later.',
		{ kind: 'unexpected', status: 200, came: 'a list' },
	);
}

function counted(value: number): string {
	return value.toLocaleString('en-US');
}
