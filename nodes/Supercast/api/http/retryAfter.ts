/** Pure functions that read `Retry-After` in both of its formats (RFC 9110, section 10.2.3). */

/**
 * Reads how long Supercast asks clients to wait.
 *
 * @param header Value of `Retry-After`: seconds, or a date.
 * @param sentAt When Supercast sent the response, by its own clock, in milliseconds since 1970.
 * @returns Milliseconds, more than 0. Undefined if the header is missing, unreadable, 0 or in the
 * past. None of these says how long to wait.
 */
export function readRetryAfter(header: unknown, sentAt: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : readDate(text) - sentAt;
	return ms > 0 && Number.isFinite(ms) ? ms : undefined;
}

/**
 * Converts a date to milliseconds since 1970. Returns NaN for anything else, such as "-5", which
 * `Date.parse` accepts.
 */
function readDate(text: string): number {
	return /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
}
