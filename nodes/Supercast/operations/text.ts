import { InputError } from '../api/errors/errors';

/** A text, number or boolean as text; anything else, such as nothing at all, as the empty text. */
export function textOf(value: unknown): string {
	return ['string', 'number', 'boolean'].includes(typeof value) ? `${value as string}` : '';
}

/**
 * Reads a switch, which an expression may give as a text.
 *
 * @param label The parameter's label, for the error.
 * @returns Whether it is on; one that is not given is off.
 * @throws InputError when it is neither true nor false.
 */
export function isOn(value: unknown, label: string): boolean {
	const text = textOf(value ?? false)
		.trim()
		.toLowerCase();
	if (text === 'true') return true;
	if (text === 'false' || text === '') return false;
	throw new InputError(`'${label}' is neither true nor false`, 'Correct it for this item.');
}
