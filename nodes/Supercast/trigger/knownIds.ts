import { createHash } from 'node:crypto';

/** In the order in which they were found: the hash of each ID, and a fingerprint of its record. */
export type KnownIds = Map<string, string>;

/** 48 bits of SHA-256, so that many IDs fit in n8n's static data (decision 0007). */
const HASH_LENGTH = 8;

/** 17 and "17" have the same hash. */
export function idHash(id: string): string {
	return createHash('sha256').update(id).digest('base64').slice(0, HASH_LENGTH);
}

/** Known IDs in the format in which n8n stores them. Fingerprints contain no spaces. */
export function encodeIds(known: KnownIds) {
	return { known: [...known.keys()].join(''), notes: [...known.values()].join(' ').trimEnd() };
}

/** Reads the known IDs from a stored object of any shape. */
export function decodeIds({ known = '', notes = '' }: Record<string, unknown>): KnownIds {
	const texts = String(notes).split(' ');
	const hashes = String(known).match(new RegExp(`.{${HASH_LENGTH}}`, 'g')) ?? [];
	return new Map(hashes.map((hash, index) => [hash, texts[index] ?? '']));
}
