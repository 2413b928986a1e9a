/** Reads the texts that a user typed, or that an expression returned. `label` names them in the InputError. */

import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';
import { refuseRounded } from './spoiled';

export const EXPRESSION_HINT =
	'If you use an expression, check that its field exists and has a value in this item.';

/** What n8n accepts in the editor. Invisible characters pass, so that the node can name them. */
export const EMAIL_PATTERN = '\\s*[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+\\s*';

/** Invisible characters: controls, formats, separators, and letters without a shape. */
const HIDDEN = /[\p{C}\p{Z}\p{DI}]/u;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu');

/** An email address without the characters that need quotes (RFC 5322, section 3.2.3). */
const EMAIL =
	/^[^\s@<>()[\]:;,\\"]+@[^\s@.<>()[\]:;,\\"'/?#%&=!*]+(\.[^\s@.<>()[\]:;,\\"'/?#%&=!*]+)+$/;

/** An address as people paste it: with a name, as a link, or between brackets or quotes. */
const PASTED = [
	/^[^<>@]*<\s*(?:mailto:)?([^<>]+?)\s*>[,;.]*$/i,
	/^mailto:([^?]+)(?:\?.*)?$/i,
	/^["'([]?(.+?)["')\],;.:]+$/,
];

const CHARACTERS: Record<string, string> = {
	'00A0': 'no-break space',
	'00AD': 'soft hyphen',
	'0000': 'null character',
	'0009': 'tab',
	'000A': 'line break',
	'000D': 'line break',
	'0020': 'space',
	'200B': 'zero-width space',
	'200C': 'zero-width non-joiner',
	'200D': 'zero-width joiner',
	'200E': 'left-to-right mark',
	'200F': 'right-to-left mark',
	'2060': 'word joiner',
	FEFF: 'byte order mark',
};

/** The first invisible character, such as `zero-width space (U+200B)`, or undefined. */
export function hiddenCharacter(text: string): string | undefined {
	const [character] = HIDDEN.exec(text) ?? [];
	if (character === undefined) return undefined;
	const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	return `${CHARACTERS[number] ?? 'invisible character'} (U+${number})`;
}

/** Whether a text has any visible characters. */
function isVisible(text: string): boolean {
	return text.replace(EVERY_HIDDEN, '') !== '';
}

/** Whether a text is an email address: a name, an @, and a domain with a dot. */
export function isEmail(text: string): boolean {
	return EMAIL.test(text) && !HIDDEN.test(text);
}

/** Whether a parameter is empty: no visible text, no choice, or an expression without a result. */
export function isBlank(typed: unknown): boolean {
	if (Array.isArray(typed)) return typed.length === 0;
	return hasNoResult(typed) || (typeof typed === 'string' && !isVisible(typed));
}

/**
 * Whether this is an expression without a result. n8n returns nothing if a field is missing, and if
 * the expression throws. A field that nobody has filled in is an empty text instead.
 */
export function hasNoResult(typed: unknown): boolean {
	return typed === undefined || typed === null;
}

/** What Windows-1252 has in the place of U+0080 to U+009F. A space stands for no character. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/**
 * A text without the characters that no text contains on purpose. Windows-1252 that was read as
 * Latin-1 becomes what it was, such as ’ for U+0092. Controls become spaces, such as the vertical tab
 * that Word and Excel use as a line break. Nulls and halves of a character disappear.
 */
export function cleanText(text: string): string {
	return text
		.replace(/[\u0080-\u009f]/g, (one) => WINDOWS_1252.charAt(one.charCodeAt(0) - 0x80))
		.replace(/[\0\p{Cs}]/gu, '')
		.replace(/[^\P{Cc}\t\r\n]/gu, ' ');
}

/** Reads a required text or number, and cleans it. */
export function requireText(typed: unknown, label: string): string {
	return cleanText(requireAsTyped(typed, label));
}

/** Reads a required text or number as it is. */
function requireAsTyped(typed: unknown, label: string): string {
	if (isBlank(typed)) {
		throw new InputError(`'${label}' is empty`, `Fill it in. ${EXPRESSION_HINT}`);
	}
	if (typeof typed !== 'string' && !Number.isFinite(typed)) {
		throw new InputError(
			`'${label}' is neither text nor a number`,
			'If you use an expression, choose the field that contains the value itself.',
		);
	}
	return textOf(typed);
}

/** Reads a required text whose characters all count, such as a password. */
export function requireExactText(typed: unknown, label: string): string {
	const text = requireAsTyped(typed, label);
	refuseHidden(text.replace(/[^\p{Cc}\p{Cs}]|[\t\r\n]/gu, ''), label);
	return text;
}

/**
 * Reads an ID. Refuses invisible characters, because an ID with one would match nothing, and
 * numbers that are not exact, because they would match another ID.
 */
export function requireId(typed: unknown, label: string): string {
	const id = requireAsTyped(typed, label).trim().normalize('NFC');
	refuseRounded(typed, label);
	refuseHidden(id.replaceAll(' ', ''), label);
	return id;
}

function refuseHidden(text: string, label: string): void {
	const hidden = hiddenCharacter(text);
	if (hidden === undefined) return;
	throw new InputError(
		`'${label}' contains an invisible character: ${hidden}`,
		'Remove the character at the source of the value.',
	);
}

/**
 * Reads an email address, trimmed and in composed form (NFC).
 * @param who Whose email it is, for the end of the message.
 * @throws InputError if it is empty or malformed. It names the address or character to correct.
 */
export function requireEmail(typed: unknown, label: string, who = ''): string {
	const email = textOf(typed).trim().normalize('NFC');
	if (email === '' && (typeof typed !== 'object' || typed === null)) {
		throw new InputError(`'${label}' is empty`, `Enter an email address. ${EXPRESSION_HINT}`);
	}
	if (typeof typed === 'string' && isEmail(email)) return email;
	const hidden = hiddenCharacter(email.replaceAll(' ', ''));
	const visible = email.replace(EVERY_HIDDEN, (one) => (one === ' ' ? one : ''));
	const pasted = PASTED.map((form) => form.exec(visible)?.[1] ?? '');
	const address = [visible, ...pasted].find(isEmail);
	throw new InputError(
		hidden === undefined
			? `'${label}' is not an email address: "${visible.slice(0, 100) || 'an object'}"${who}`
			: `'${label}' contains an invisible character: ${hidden}${who}`,
		address === undefined
			? 'Enter it in the form name@example.com.'
			: `Enter only the address: ${address}`,
	);
}
