/** Ids in a short form of equal length, so that many of them fit into n8n's static data. */
import { createHash } from 'node:crypto';

/** Records, those learned first in front: the hash of each id, and a note beside it. */
export type KnownIds = Map<string, string>;
/** The note of a record that is not known. */
export const ABSENT = '-';

/** 48 bits of SHA-256: a new record among 40,000 is mistaken for another once in 7 thousand million. */
const HASH_LENGTH = 8;

/** The hash of an id, whatever its form: 17 and "17" have the same one. */
export function idHash(id: string): string {
	return createHash('sha256').update(id).digest('base64').slice(0, HASH_LENGTH);
}

/** Known ids as n8n stores them. Notes hold no blanks. */
export function encodeIds(known: KnownIds) {
	return { known: [...known.keys()].join(''), notes: [...known.values()].join(' ').trim() };
}

/** The known ids of a stored object, whatever it is. */
export function decodeIds({ known = '', notes = '' }: Record<string, unknown>): KnownIds {
	const texts = String(notes).split(' ');
	const hashes = String(known).match(new RegExp(`.{${HASH_LENGTH}}`, 'g')) ?? [];
	return new Map(hashes.map((hash, index) => [hash, texts[index] ?? '']));
}
