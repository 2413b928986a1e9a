import { parse } from '@tryghost/nql-lang';

import { textIn, type ListQuery } from '../server';
import { ghostDate, tiersOf, type GhostMember, type GhostTier } from './member';
import { ghostRefusal } from './token';

type Value = number | string | string[] | null;

/** The columns of the database that a filter or an order can name, and their values. */
const COLUMNS: Record<string, (member: GhostMember) => Value> = {
	id: ({ id }) => id,
	email: ({ email }) => email,
	name: ({ name }) => name || null,
	status: ({ status }) => status,
	created_at: ({ created }) => ghostDate(created),
	updated_at: ({ created }) => ghostDate(created),
	note: () => null,
	email_count: () => 0,
	last_seen_at: () => null,
};

/** Columns that no two members share. */
const UNIQUE = ['id', 'email'];

/** What a list is sorted by. Without `order`, Ghost sorts by this. */
const USUAL_ORDER = 'created_at DESC, id DESC';

function invalid(name: string): Error {
	return ghostRefusal(422, 'ValidationError', 'Validation error, cannot list members.', {
		context: `Validation (matches) failed for ${name}`,
	});
}

/** Refuses what Ghost's validators refuse. It ignores parameters that it doesn't know. */
export function checkQuery(query: ListQuery): void {
	if (!/^\d+$/.test(textIn(query, 'page') ?? '1')) throw invalid('page');
	if (!/^(?:\d+|all)$/.test(textIn(query, 'limit') ?? '15')) throw invalid('limit');
	if (!/^[a-z0-9_,. ]+$/i.test(textIn(query, 'order') ?? USUAL_ORDER)) throw invalid('order');
}

/** A function that tells which members a filter finds. */
export function filterOf(query: ListQuery, tiers: GhostTier[]): (member: GhostMember) => boolean {
	const filter = textIn(query, 'filter') ?? '';
	if (filter === '') return () => true;
	let condition: object;
	try {
		condition = parse(filter);
	} catch (error) {
		throw ghostRefusal(400, 'BadRequestError', 'Error parsing filter', {
			context: error instanceof Error ? error.message : null,
		});
	}
	return (member) => matches(condition, (column) => valueOf(member, column, tiers));
}

function valueOf(member: GhostMember, column: string, tiers: GhostTier[]): Value {
	if (['label', 'labels'].includes(column)) return member.labels.map((one) => one.toLowerCase());
	const own = tiersOf(member, tiers);
	if (['tier', 'tiers', 'product', 'products'].includes(column)) return own.map(({ slug }) => slug);
	if (column === 'tier_id') return own.map(({ id }) => id);
	const read = COLUMNS[column];
	// The database refuses the query, which Ghost does not explain.
	if (read === undefined)
		throw ghostRefusal(
			500,
			'InternalServerError',
			'An unexpected error occurred, please try again.',
			{
				code: 'UNEXPECTED_ERROR',
			},
		);
	return read(member);
}

/** Whether a condition, as Ghost's parser makes it, is met. */
function matches(condition: object, value: (column: string) => Value): boolean {
	return Object.entries(condition).every(([name, wanted]: [string, unknown]) => {
		if (name === '$and') return (wanted as object[]).every((part) => matches(part, value));
		if (name === '$or') return (wanted as object[]).some((part) => matches(part, value));
		const found = value(name);
		const all = Array.isArray(found) ? found : [found];
		if (typeof wanted !== 'object' || wanted === null) return all.includes(wanted as string | null);
		return Object.entries(wanted).every(([sign, right]) => compared(all, sign, right));
	});
}

/** What a comparison means. Dates in a filter are in UTC and have no zone. */
function compared(all: Array<number | string | null>, sign: string, right: unknown): boolean {
	const isIn = (list: unknown[]) => all.some((one) => list.includes(one));
	const isDate = typeof right === 'string' && /^\d{4}-\d\d-\d\d/.test(right);
	const edge = isDate ? ghostDate(Date.parse(`${right.replace(' ', 'T').slice(0, 19)}Z`)) : right;
	const [left = null] = all;
	const isBelow = left !== null && left < (edge as number | string);
	const isAbove = left !== null && left > (edge as number | string);
	const signs: Record<string, () => boolean> = {
		$ne: () => !isIn([right]),
		$in: () => isIn(right as unknown[]),
		$nin: () => !isIn(right as unknown[]),
		$regex: () => all.some((one) => one !== null && (right as RegExp).test(String(one))),
		$gt: () => isAbove,
		$gte: () => isAbove || left === edge,
		$lt: () => isBelow,
		$lte: () => isBelow || left === edge,
	};
	return signs[sign]?.() ?? false;
}

/** An order: the columns, and whether each rises. */
export type GhostOrder = Array<{ column: string; rises: boolean }>;

/** What a list is sorted by. Ghost ignores columns that don't exist. */
export function ghostOrderOf(query: ListQuery): GhostOrder {
	return (textIn(query, 'order') ?? USUAL_ORDER)
		.split(',')
		.map((rule) => /^([a-z0-9_.]+)\s+(asc|desc)$/i.exec(rule.trim()))
		.flatMap((match) => {
			const [, column = '', direction = ''] = match ?? [];
			const known = column.toLowerCase();
			return known in COLUMNS ? [{ column: known, rises: direction.toLowerCase() === 'asc' }] : [];
		});
}

/** Sorts members. Those that are equal keep the order of the database. */
export function sorted(all: GhostMember[], order: GhostOrder): GhostMember[] {
	return all.slice().sort((one, other) => {
		for (const { column, rises } of order) {
			const [left, right] = [one, other].map((member) => String(COLUMNS[column]?.(member) ?? ''));
			if (left !== right) return (left ?? '') < (right ?? '') === rises ? -1 : 1;
		}
		return 0;
	});
}

/** Whether an order leaves no two members equal. */
export function isTotal(order: GhostOrder): boolean {
	// Without an order, the database uses its own: that of the IDs.
	return order.length === 0 || order.some(({ column }) => UNIQUE.includes(column));
}

/** What makes two members equal in an order. */
export function tieOf(member: GhostMember, order: GhostOrder): string {
	return JSON.stringify(order.map(({ column }) => COLUMNS[column]?.(member)));
}
