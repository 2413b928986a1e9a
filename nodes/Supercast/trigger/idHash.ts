/** Ids in a short form of equal length, so that many of them fit into n8n's static data. */

import { createHash } from 'node:crypto';

/**
 * Characters of a hash: 48 bits of SHA-256. A new record among 40,000 known ones is mistaken for one
 * of them once in 7 thousand million.
 */
export const HASH_LENGTH = 8;

/** The hash of an id, whatever its form: 17 and "17" have the same one. */
export function idHash(id: string): string {
	return createHash('sha256').update(id).digest('base64').slice(0, HASH_LENGTH);
}
