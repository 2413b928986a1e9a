/**
 * What Sync remembers, as entries: texts of which n8n's store of seen items can only say whether it
 * has seen them. To read a number or a name back, Sync asks for everything that it may be.
 */

import { identifierKey } from '../../../api/identity';
import { isFullyClosed, type Person } from '../../match';
import { absenceKey, MOST_STORED, type ListMemory, type MissedLists } from './absences';

/** What is remembered without names. */
export type Head = Pick<ListMemory, 'countedAt' | 'seenAt' | 'shortLists'>;

/** The names to look up: of subscribers who may be missing, and of members to create. */
export interface AskedIdentifiers {
	missing: readonly string[];
	refused: readonly string[];
}

type Seen = ReadonlySet<string>;

const RADIX = 16;

/** How many digits the numbers of the head have. Times are in milliseconds since 1970. */
const DIGITS: Record<keyof Head, number> = { seenAt: 12, countedAt: 12, shortLists: 2 };

/** A count is stored plus 1, because 0 stands for `notCounted`. One above 254 counts as 254. */
const COUNT_BITS = 8;
const bits = Array.from({ length: COUNT_BITS }, (_, bit) => bit);

/** More names take too long to look up. The others count as unknown. */
const MOST_ASKED = 20_000;

const headKeys = Object.keys(DIGITS) as Array<keyof Head>;
const nameKinds = ['missing', 'refused'] as const;

/** The names to look up for a list: of subscribers who are not on it, and of members to create. */
export function askedIdentifiers(people: readonly Person[]): AskedIdentifiers {
	const missing: string[] = [];
	const refused: string[] = [];
	for (const { member, subscriber } of people) {
		if (member !== undefined && subscriber === undefined) refused.push(identifierKey(member.email));
		if (member !== undefined || subscriber === undefined) continue;
		if (!isFullyClosed(subscriber)) missing.push(absenceKey(subscriber));
	}
	return { missing, refused };
}

/** All entries of what is to be remembered. */
export function entriesOf(memory: ListMemory): string[] {
	const head = headKeys.flatMap((key) => digitsOf(key, memory[key], DIGITS[key]));
	const names = nameKinds.flatMap((kind) =>
		[...memory[kind]]
			.slice(0, MOST_STORED)
			.flatMap(([name, count]) => countEntries(kind, name, count === 'notCounted' ? 0 : count + 1)),
	);
	return [...head, ...names];
}

/** The entries to ask for the head. */
export function headQuestions(): string[] {
	return headKeys.flatMap((key) => possibleDigits(key, DIGITS[key]));
}

/** Reads the head. Undefined if nothing is remembered. */
export function readHead(seen: Seen): Head | undefined {
	const [seenAt, countedAt, shortLists] = [
		numberIn(seen, 'seenAt', DIGITS.seenAt),
		numberIn(seen, 'countedAt', DIGITS.countedAt),
		numberIn(seen, 'shortLists', DIGITS.shortLists),
	];
	if (seenAt === undefined || countedAt === undefined || shortLists === undefined) return undefined;
	return { seenAt, countedAt, shortLists };
}

/** The entries to ask which of these names are remembered. */
export function identifierQuestions(asked: AskedIdentifiers): string[] {
	return nameKinds.flatMap((kind) =>
		wanted(asked, kind).map((name) => identifierEntry(kind, name)),
	);
}

/** The names that are remembered. */
export function knownIdentifiers(asked: AskedIdentifiers, seen: Seen): AskedIdentifiers {
	const known = (kind: keyof AskedIdentifiers): string[] =>
		wanted(asked, kind).filter((name) => seen.has(identifierEntry(kind, name)));
	return { missing: known('missing'), refused: known('refused') };
}

/** The entries to ask for the counts of names that are remembered. */
export function countQuestions(known: AskedIdentifiers): string[] {
	return nameKinds.flatMap((kind) =>
		known[kind].flatMap((name) => bits.map((bit) => bitEntry(kind, name, bit))),
	);
}

/** Reads the counts. */
export function readCounts(
	known: AskedIdentifiers,
	seen: Seen,
): Pick<ListMemory, keyof AskedIdentifiers> {
	const stored = <T>(kind: keyof AskedIdentifiers, read: (count: number) => T): Map<string, T> =>
		new Map(known[kind].map((name) => [name, read(countIn(seen, kind, name))]));
	return {
		missing: stored<MissedLists>('missing', (count) => (count === 0 ? 'notCounted' : count - 1)),
		refused: stored('refused', (count) => Math.max(0, count - 1)),
	};
}

function wanted(asked: AskedIdentifiers, kind: keyof AskedIdentifiers): readonly string[] {
	return asked[kind].slice(0, MOST_ASKED);
}

function identifierEntry(kind: keyof AskedIdentifiers, name: string): string {
	return `${kind} ${name}`;
}

/** The head shows whether the entries are those of one list, so a bit that is 0 needs no entry. */
function countEntries(kind: keyof AskedIdentifiers, name: string, count: number): string[] {
	const possible = Math.min(count, 2 ** COUNT_BITS - 1);
	const set = bits.filter((bit) => Math.floor(possible / 2 ** bit) % 2 === 1);
	return [identifierEntry(kind, name), ...set.map((bit) => bitEntry(kind, name, bit))];
}

function countIn(seen: Seen, kind: keyof AskedIdentifiers, name: string): number {
	const set = bits.filter((bit) => seen.has(bitEntry(kind, name, bit)));
	return set.reduce((sum, bit) => sum + 2 ** bit, 0);
}

function bitEntry(kind: keyof AskedIdentifiers, name: string, bit: number): string {
	return `${identifierEntry(kind, name)} ${bit}`;
}

/** Zeros have entries too. So a number of which a part is missing is recognized. */
function digitsOf(key: string, number: number, length: number): string[] {
	const possible = Math.min(Math.max(0, Math.round(number)), RADIX ** length - 1);
	const digits = possible.toString(RADIX).padStart(length, '0');
	return [...digits].map((digit, place) => digitEntry(key, place, digit));
}

function possibleDigits(key: string, length: number): string[] {
	const places = Array.from({ length }, (_, place) => place);
	return places.flatMap((place) => allDigits.map((digit) => digitEntry(key, place, digit)));
}

const allDigits = Array.from({ length: RADIX }, (_, digit) => digit.toString(RADIX));

function digitEntry(key: string, place: number, digit: string): string {
	return `${key} ${place} ${digit}`;
}

/** Undefined if a digit is missing, or if two entries contradict each other. */
function numberIn(seen: Seen, key: string, length: number): number | undefined {
	const digits = Array.from({ length }, (_, place) =>
		allDigits.filter((digit) => seen.has(digitEntry(key, place, digit))),
	);
	if (digits.some(({ length: found }) => found !== 1)) return undefined;
	return Number.parseInt(digits.flat().join(''), RADIX);
}
