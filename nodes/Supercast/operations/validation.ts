import { InputError } from '../api/errors/errors';
import { EXPRESSION_HINT } from '../api/identity';
import { textOf } from '../api/json';

/**
 * Reads a required text.
 *
 * @param label The parameter's label, for the error.
 * @throws InputError if it is empty.
 */
export function requireText(typed: unknown, label: string): string {
	const text = textOf(typed);
	if (text.trim() === '') {
		throw new InputError(`'${label}' is empty`, `Fill it in. ${EXPRESSION_HINT}`);
	}
	return text;
}

/**
 * Reads a boolean. An expression may return it as text.
 *
 * @param label The parameter's label, for the error.
 * @returns Whether it is on. A missing value counts as off.
 * @throws InputError if it is neither true nor false.
 */
export function isOn(value: unknown, label: string): boolean {
	const text = textOf(value ?? false)
		.trim()
		.toLowerCase();
	if (text === 'true') return true;
	if (text === 'false' || text === '') return false;
	throw new InputError(`'${label}' is neither true nor false`, 'Correct the value for this item.');
}

/**
 * Reads the values selected from a list of choices. An expression may return any type.
 *
 * @param label The parameter's label, for the error.
 * @throws InputError if a value is not one of the choices.
 */
export function requireChoices(
	typed: unknown[],
	choices: readonly string[],
	label: string,
): string[] {
	return typed.map((value) => {
		const text = textOf(value).trim();
		if (choices.includes(text)) return text;
		throw new InputError(
			`'${label}' cannot be "${text}"`,
			`Use one of these values: ${choices.join(', ')}.`,
		);
	});
}

/** Whether a parameter is empty: no text, no choice, or an expression without a result. */
export function isBlank(typed: unknown): boolean {
	if (Array.isArray(typed)) return typed.length === 0;
	return (
		typed === undefined || typed === null || (typeof typed === 'string' && typed.trim() === '')
	);
}
