/** The shape of responses, without their values. */

import type { Answer } from './answer';
import { isRecord } from '../../nodes/Supercast/api/json';

export type Fields = Record<string, unknown>;

/** A list as received: its wrapper, and its records. */
export interface List {
	form: string;
	/** Whether the elements are the records themselves, without a second wrapper. */
	areBare: boolean;
	rows: Fields[];
}

/** Reads the records of a list, with or without a wrapper. Undefined if it is not a list. */
export function listOf({ json }: Answer, singular: string): List | undefined {
	const found = Array.isArray(json) ? { form: 'an array', items: json as unknown[] } : inside(json);
	if (found === undefined) return undefined;
	const items = found.items.filter(isRecord) as Fields[];
	const areWrapped = items.length > 0 && items.every((item) => onlyKey(item) === singular);
	const rows = areWrapped ? items.map((item) => item[singular] as Fields) : items;
	return { form: found.form, areBare: !areWrapped, rows: rows.filter(isRecord) };
}

function inside(json: unknown): { form: string; items: unknown[] } | undefined {
	if (!isRecord(json)) return undefined;
	const lists = Object.entries(json).filter(([, value]) => Array.isArray(value));
	const [name, items] = lists[0] ?? [];
	if (name === undefined || lists.length > 1) return undefined;
	return { form: `an object with "${fieldName(name) ?? HIDDEN}"`, items: items as unknown[] };
}

/** A text that distinguishes a record from the others in a list. */
export function identityOf({ uuid, id, email, ...row }: Fields): string {
	return JSON.stringify(uuid ?? id ?? email ?? row);
}

/** A record, bare or wrapped in any name. For the body of an error, pass an empty `singular`. */
export function recordOf({ json }: Pick<Answer, 'json'>, singular: string): Fields | undefined {
	if (!isRecord(json)) return undefined;
	const key = onlyKey(json);
	const inner = key !== undefined && singular !== '' ? json[key] : undefined;
	return isRecord(inner) ? inner : json;
}

/** Whether a record has no wrapper. */
export function isBare({ json }: Answer, singular: string): boolean {
	if (!isRecord(json)) return false;
	const key = onlyKey(json);
	const isWrapped = key !== undefined && isRecord(json[key]);
	return !isWrapped && recordOf({ json }, singular) === (json as Fields);
}

function onlyKey(record: object): string | undefined {
	const keys = Object.keys(record);
	return keys.length === 1 ? keys[0] : undefined;
}

/**
 * The words that field names consist of. A name with any other word may be data, such as
 * `ann_smith`.
 */
const WORDS = new Set(
	`active address age alert alerts all app at audio author avatar billing body by category cents channel
	city code color copyright count country cover created creator creators currency custom customer data
	date day deleted description display domain duration email enabled end episode episodes event expires
	explicit failure feed feeds file first from guid has height host icon id ids ignore image in interval
	invite invites ip is items key keywords kind language last level limit link links listener locale logo
	member message meta mode month monthly name network next note notes number of on order owner page paid
	pay payment period permission permissions phone picture plan plans player podcast podcasts position
	price private profile public published question questions rate read reason record records result
	results role roles rss season seconds settings size slug sort source start started state status
	subdomain subscribed subscriber subscribers subscription subscriptions subtitle summary tag tags
	thumbnail time timezone title to token total trial type until updated url urls usage used user users
	uuid value version visible website width year yearly zip zone`.split(/\s+/),
);

const HIDDEN = '(another name)';

/** The name of a field. Undefined if it may be data. */
export function fieldName(name: string): string | undefined {
	const isKnown = name.split('_').every((word) => WORDS.has(word));
	return isKnown && name.length <= 40 ? name : undefined;
}

/** Words that name a state. Any other word may be data. */
const STATE_WORDS = new Set(
	`active available billing blocked canceled cancelled charge closed created deactivated deleted disabled
	enabled ended error expired failed failure free gifted inactive incomplete invited lapsed live locked
	new open overdue paid past due paused payment pending progress removed revoked subscribed suspended
	trial trialing unpaid unsubscribed waiting`.split(/\s+/),
);

/** The name of a state, or `another state` for a text that may be personal data. */
export function stateWord(state: unknown): string {
	if (state === undefined || state === null) return 'no state';
	if (typeof state !== 'string') return 'another state';
	const words = state.toLowerCase().split(/[_\s-]+/);
	return words.every((word) => STATE_WORDS.has(word)) ? state : 'another state';
}

const MOST_LEVELS = 2;

/**
 * The field names of records, each with the types of its values.
 * @param hidden Collects the names that are left out because they may be data.
 */
export function shapeOf(
	kind: string,
	rows: readonly Fields[],
	hidden?: Set<string>,
): Record<string, string> {
	const kinds = new Map<string, Set<string>>();
	const note = (row: Fields, prefix: string, levels: number): void => {
		for (const [name, value] of Object.entries(row)) {
			if (fieldName(name) === undefined) hidden?.add(`${kind}.${prefix}${name}`);
			const path = `${prefix}${fieldName(name) ?? HIDDEN}`;
			kinds.set(path, (kinds.get(path) ?? new Set()).add(typeOfValue(value)));
			if (levels === 1) continue;
			const inner = Array.isArray(value) ? value : [value];
			const separator = Array.isArray(value) ? '[].' : '.';
			for (const one of inner.filter(isRecord)) note(one, path + separator, levels - 1);
		}
	};
	for (const row of rows) note(row, '', MOST_LEVELS);
	return Object.fromEntries(
		[...kinds].map(([name, seen]) => [name, [...seen].sort().join(' or ')]),
	);
}

const TEXTS: Array<[string, RegExp]> = [
	['UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
	['time', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
	['digits as text', /^\d+$/],
	['email', /^[^\s@]+@[^\s@]+$/],
	['address', /^[a-z-]+:\/\//i],
];

/** The type of a value: its JSON type, and for text, what it looks like. */
export function typeOfValue(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'list';
	if (typeof value !== 'string') return typeof value;
	return TEXTS.find(([, form]) => form.test(value))?.[0] ?? 'text';
}

/** Whether a time names its zone. A number that counts from 1970 is in UTC. */
export const hasZone = (value: unknown): boolean =>
	typeof value === 'number' || /(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(String(value));

/**
 * A time in milliseconds, from ISO 8601 or a number since 1970. Undefined for anything else. A time
 * without a zone counts as UTC.
 */
export function momentOf(value: unknown): number | undefined {
	if (typeof value === 'number') return value > 1e11 ? value : value * 1_000;
	if (typeof value !== 'string') return undefined;
	const moment = Date.parse(hasZone(value) ? value : `${value.replace(' ', 'T')}Z`);
	return Number.isNaN(moment) ? undefined : moment;
}
