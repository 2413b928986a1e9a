/** The shape of responses, without their values. */

import { isRecord } from '../nodes/Supercast/api/json';
import type { Answer } from './service';

type Row = Record<string, unknown>;

/** A list as received: how it is wrapped, and its records. */
export interface List {
	form: string;
	/** Whether the elements are the records themselves, without another wrapper. */
	areBare: boolean;
	rows: Row[];
}

/** Reads the records of a list, however it is wrapped. Undefined if it is no list. */
export function listOf({ json }: Answer, singular: string): List | undefined {
	const found = Array.isArray(json) ? { form: 'an array', items: json as unknown[] } : inside(json);
	if (found === undefined) return undefined;
	const items = found.items.filter(isRecord) as Row[];
	const areWrapped = items.length > 0 && items.every((item) => onlyKey(item) === singular);
	const rows = areWrapped ? items.map((item) => item[singular] as Row) : items;
	return { form: found.form, areBare: !areWrapped, rows: rows.filter(isRecord) };
}

function inside(json: unknown): { form: string; items: unknown[] } | undefined {
	if (!isRecord(json)) return undefined;
	const lists = Object.entries(json).filter(([, value]) => Array.isArray(value));
	const [name, items] = lists[0] ?? [];
	if (name === undefined || lists.length > 1) return undefined;
	return { form: `an object with "${fieldName(name)}"`, items: items as unknown[] };
}

/** A record as received: bare, or wrapped in its own name or in "data". */
export function recordOf({ json }: Answer, singular: string): Row | undefined {
	if (!isRecord(json)) return undefined;
	const key = onlyKey(json);
	const inner = key === singular || key === 'data' ? json[key] : undefined;
	return isRecord(inner) ? inner : json;
}

/** Whether a record has no wrapper. */
export function isBare(answer: Answer, singular: string): boolean {
	return isRecord(answer.json) && recordOf(answer, singular) === (answer.json as Row);
}

function onlyKey(record: object): string | undefined {
	const keys = Object.keys(record);
	return keys.length === 1 ? keys[0] : undefined;
}

/** The name of a field. A placeholder if it may be anything else. */
export function fieldName(name: string): string {
	return /^[a-z][a-z0-9_]{0,39}$/i.test(name) ? name : '(another name)';
}

const STATES = ['available', 'charge_failure', 'deactivated', 'inactive', 'pending', 'suspended'];

/** The name of a known state, or `another state`. Other texts may be personal data. */
export function stateWord(state: unknown): string {
	if (state === undefined || state === null) return 'no state';
	return STATES.find((known) => known === state) ?? 'another state';
}

const MOST_LEVELS = 2;

/** Names of the fields of records, each with the types of its values. */
export function shapeOf(rows: readonly Row[]): Record<string, string> {
	const kinds = new Map<string, Set<string>>();
	for (const row of rows) note(row, '', kinds, MOST_LEVELS);
	const entries = [...kinds].map(([name, seen]) => [name, [...seen].sort().join(' or ')]);
	return Object.fromEntries(entries) as Record<string, string>;
}

function note(row: Row, prefix: string, kinds: Map<string, Set<string>>, levels: number): void {
	for (const [name, value] of Object.entries(row)) {
		const path = `${prefix}${fieldName(name)}`;
		const seen = kinds.get(path) ?? new Set<string>();
		kinds.set(path, seen.add(kindOf(value)));
		if (levels === 1) continue;
		const inner = Array.isArray(value) ? value : [value];
		const separator = Array.isArray(value) ? '[].' : '.';
		for (const one of inner.filter(isRecord)) note(one, path + separator, kinds, levels - 1);
	}
}

const TEXTS: Array<[string, RegExp]> = [
	['UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
	['time', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
	['digits as text', /^\d+$/],
	['email', /^[^\s@]+@[^\s@]+$/],
	['address', /^[a-z-]+:\/\//i],
];

/** The type of a value: its JSON type, and for a text what it looks like. */
export function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'list';
	if (typeof value !== 'string') return typeof value;
	return TEXTS.find(([, form]) => form.test(value))?.[0] ?? 'text';
}

/** A time in milliseconds, from ISO 8601 or seconds since 1970. Undefined for anything else. */
export function momentOf(value: unknown): number | undefined {
	if (typeof value === 'number') return value * 1_000;
	const moment = typeof value === 'string' ? Date.parse(value) : NaN;
	return Number.isNaN(moment) ? undefined : moment;
}
