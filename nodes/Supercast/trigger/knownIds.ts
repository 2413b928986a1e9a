/** Stores IDs as short texts of equal length, so that many of them fit in n8n's static data. */
import { createHash } from 'node:crypto';

/** Records in the order in which they were found: the hash of each ID, and a note. */
export type KnownIds = Map<string, string>;
/** Used instead of a note for a new record. */
export const ABSENT = '-';

/**
 * 48 bits of SHA-256. Among 40,000 records, a new record is mistaken for a known one once in 7
 * billion cases.
 */
const HASH_LENGTH = 8;

/** The hash of an ID, whatever its type: 17 and "17" have the same hash. */
export function idHash(id: string): string {
	return createHash('sha256').update(id).digest('base64').slice(0, HASH_LENGTH);
}

/** Known IDs as n8n stores them. Notes contain no spaces. */
export function encodeIds(known: KnownIds) {
	return { known: [...known.keys()].join(''), notes: [...known.values()].join(' ').trimEnd() };
}

/** Reads the known IDs from a stored object of any shape. */
export function decodeIds({ known = '', notes = '' }: Record<string, unknown>): KnownIds {
	const texts = String(notes).split(' ');
	const hashes = String(known).match(new RegExp(`.{${HASH_LENGTH}}`, 'g')) ?? [];
	return new Map(hashes.map((hash, index) => [hash, texts[index] ?? '']));
}
