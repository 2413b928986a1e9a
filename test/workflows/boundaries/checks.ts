import { TAG } from './hostile';

/** Says what is wrong with a value, or returns undefined. */
export type Check = (value: unknown) => string | undefined;

const wrong = (isWrong: boolean, what: string): string | undefined => (isWrong ? what : undefined);

/** A text that people read: without what only programs say. */
export const text: Check = (value) => {
	if (typeof value !== 'string') return 'is no text';
	return wrong(/\bundefined\b|\bnull\b|\bNaN\b|\[object /.test(value), 'shows an absent value');
};

/** A text of which n8n or a program makes HTML. */
export const html: Check = (value) =>
	text(value) ?? wrong(String(value).includes(TAG.slice(0, 4)), 'has a tag of someone else');

/** Plain text for a page whose frame n8n escapes, or for an email without HTML. */
export const plain = text;

/** A text of at most so many characters. */
export const atMost =
	(length: number): Check =>
	(value) =>
		text(value) ?? wrong(String(value).length > length, `is longer than ${length}`);

/** One of some values. */
export const oneOf =
	(...allowed: unknown[]): Check =>
	(value) =>
		wrong(!allowed.includes(value), `is none of ${allowed.map(String).join(', ')}`);

export const flag = oneOf(true, false);

/** A number in a range. */
export const between =
	(least: number, most: number): Check =>
	(value) =>
		wrong(!(typeof value === 'number' && value >= least && value <= most), 'is out of range');

/** A name as emails and chats show it: one line, no address, no markup, at most 40 characters. */
export const name: Check = (value) =>
	text(value) ?? matching(/^ ?([\p{L}\p{M}\p{N}'’ -]{1,40})?$/u)(value);

/** Anything but an exception: a Supercast node refuses, and names, what is no value of its field. */
export const asIs: Check = (value) => wrong(value instanceof Error, 'throws');

/** How many records there are, where Sync knows that an empty text is no number. */
export const count: Check = (value) =>
	wrong(
		!['', 'unknown', null].includes(value as string) && !Number.isFinite(Number(value)),
		'is no count',
	);

/** A text of some form. */
export const matching =
	(form: RegExp): Check =>
	(value) =>
		wrong(!form.test(String(value)), `does not match ${form}`);

/** The name of someone, in a field that only compares or stores it. */
export const stored: Check = asIs;

/** What Slack gets: no character with which Slack's own commands begin. */
export const slack: Check = (value) => {
	const { text: said } = (value ?? {}) as { text?: unknown };
	return text(said) ?? wrong(/[<>]|&(?!(amp|lt|gt);)/.test(String(said)), 'has a command of Slack');
};

/** Whom an email goes to: one address, or nobody. */
export const recipient: Check = asIs;

/** An object with exactly these fields. */
export const fields =
	(...names: string[]): Check =>
	(value) =>
		wrong(JSON.stringify(Object.keys(value ?? {})) !== JSON.stringify(names), 'has other fields');
