import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../api/errors/errors';
import { identifierKey } from '../api/identity';
import type { SupercastClient } from '../api/client';
import { timeOf } from '../api/json';
import { readFilters, type ListFilter } from './filters';
import type { RecordKind } from './kinds';
import { readList, type ListOptions } from './lists';
import { simplifier, simplifyProperties } from './output';
import { choice, choiceField, collectionField, numberField, switchField } from './properties';
import type { ItemParameters, ItemTask, Operation } from './types';
import { isOn, requireChoice, requireNumber } from './validation';

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
		"The order of the results. Sorting reads the complete list, usually with one request per 100 records. Without this option, the results are in Supercast's order.",
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

interface ListOrder {
	compare: typeof newestFirst;
	words: string;
}

const NEWEST_FIRST: ListOrder = { compare: newestFirst, words: 'newest first' };

const ORDERS: Record<string, ListOrder> = {
	email: {
		compare: (one, other) => (identifierKey(one.email) < identifierKey(other.email) ? -1 : 1),
		words: 'by email',
	},
	newest: NEWEST_FIRST,
	oldest: { compare: (one, other) => newestFirst(other, one), words: 'oldest first' },
};

interface ListSettings {
	isSortable?: boolean;
	filters?: ListFilter[];
}

/** Builds the operation that reads a list. To sort it, the node reads the whole list. */
export function getManyOperation(
	kind: RecordKind,
	description: string,
	{ filters = [], isSortable = false }: ListSettings,
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
			const wanted: Wanted = {
				count: readCount(item),
				order: isSortable ? readOrder(item) : undefined,
				take: filters.length === 0 ? undefined : readFilters(filters, item),
			};
			return getManyTask(kind, wanted, item);
		},
	};
}

interface Wanted {
	count: number;
	/** Undefined for the order in which Supercast sends the list. */
	order?: ListOrder;
	take: ListOptions<IDataObject>['take'];
}

function readCount(item: ItemParameters): number {
	if (isOn(item.parameter('returnAll'), 'Return All')) return Infinity;
	return Math.floor(requireNumber(item.parameter('limit'), 'Limit', { minValue: 1 }));
}

function readOrder(item: ItemParameters): ListOrder | undefined {
	const { sort } = item.collection('options');
	return sort === undefined || sort === null ? undefined : ORDERS[requireChoice(sort, sortOption)];
}

function getManyTask(kind: RecordKind, wanted: Wanted, item: ItemParameters): ItemTask {
	const simplify = simplifier(kind, item);
	// People often ask an agent for the newest records, or for the number of records.
	const order = wanted.order ?? (item.isTool === true ? NEWEST_FIRST : undefined);
	return {
		isList: true,
		run: async (client, addHint) => {
			const { taken, ...counts } = await readWanted(client, kind, { ...wanted, order });
			const records =
				order === undefined ? taken : taken.sort(order.compare).slice(0, wanted.count);
			const found: Found = { ...counts, plural: kind.plural, shown: records.length };
			const matches = taken.length;
			if (found.isCutOff) addHint?.(CUT_OFF);
			const hint =
				item.isTool === true
					? noteForAgent(found, matches, order ?? NEWEST_FIRST)
					: hintFor(found, matches, wanted.take !== undefined);
			if (hint !== undefined) addHint?.(hint);
			return records.map(simplify);
		},
	};
}

async function readWanted(
	client: SupercastClient,
	kind: RecordKind,
	{ take, order, count }: Wanted,
): Promise<Pick<Found, 'isCutOff' | 'read' | 'total'> & { taken: IDataObject[] }> {
	const limit = order === undefined ? count : Infinity;
	const list = await readList(client, kind, { take, limit });
	const { taken, read, total = read, isShort, isCutOff } = list;
	if (isShort) {
		throw new ServiceError(
			`Supercast sent only ${part(read, total)} ${kind.plural}`,
			'The node read the list several times. Each time, the list ended before the total that Supercast reported. Try again later.',
			{ kind: 'unexpected', status: 200, came: 'a list' },
		);
	}
	return { taken, read, total: Math.max(read, total), isCutOff };
}

interface Found {
	shown: number;
	read: number;
	total: number;
	isCutOff: boolean;
	plural: string;
}

const CUT_OFF =
	'Supercast sent the same records for each page and no total, so there may be more of them.';

/** n8n's editor explains how to get the other records, so the hint does not. */
function hintFor(
	{ shown, read, total, plural }: Found,
	matches: number,
	isFiltered: boolean,
): string | undefined {
	if (isFiltered) {
		const all = read < total ? `the first ${part(read, total)}` : english.format(read);
		const match = `${english.format(matches)} ${matches === 1 ? 'matches' : 'match'}`;
		return `Of ${all} ${plural}, ${match} the filters.`;
	}
	return shown < total ? `${part(shown, total)} ${plural}` : undefined;
}

/** How much of the list an agent sees, such as "20 of 2,041 subscribers, newest first". */
function noteForAgent(
	{ shown, total, plural }: Found,
	matches: number,
	{ words }: ListOrder,
): string {
	const count = shown === matches ? `All ${english.format(matches)}` : part(shown, matches);
	if (matches === total) return `${count} ${plural}, ${words}`;
	return `${count} ${plural} that match, of ${english.format(total)} in all, ${words}`;
}

const english = new Intl.NumberFormat('en-US');
const part = (shown: number, total: number): string =>
	`${english.format(shown)} of ${english.format(total)}`;
