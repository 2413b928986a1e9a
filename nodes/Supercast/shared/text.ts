/** A text, number or boolean as text; anything else, such as nothing at all, as the empty text. */
export function textOf(value: unknown): string {
	return ['string', 'number', 'boolean'].includes(typeof value) ? `${value as string}` : '';
}
