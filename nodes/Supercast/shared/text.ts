/** A text or number as text; anything else, such as an object or nothing at all, as the empty text. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
