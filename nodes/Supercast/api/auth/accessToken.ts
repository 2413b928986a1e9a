import { textOf } from '../json';

/** What people copy together with a token. */
const HEADER = /^(authorization:\s*)?bearer\s+/i;

/**
 * Reads an access token as it was pasted, even with spaces around it or as a whole header. The
 * credential type, its test and the client of the node all read it here.
 */
export function accessTokenOf(typed: unknown): string {
	return textOf(typed).trim().replace(HEADER, '');
}
