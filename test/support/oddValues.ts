/** Values that expressions return by accident, and what a person would expect of each. */

import type { INodeProperties } from 'n8n-workflow';
import { tryToParseDateTime } from 'n8n-workflow';

/** Nothing at all. */
export const BLANK: Record<string, unknown> = {
	undefined,
	null: null,
	'an empty text': '',
	spaces: '   ',
	'a zero-width text': '\u200b',
	'zero-width and spaces': ' \u2060\ufeff ',
	'an empty list': [],
};

const TEXTS: Record<string, string> = {
	letters: 'abc',
	'letters with spaces around': '  abc ',
	'the text NaN': 'NaN',
	'the text null': 'null',
	'the text [object Object]': '[object Object]',
	maybe: 'maybe',
	emoji: '\u{1f469}\u{1f3fd}',
	'a long text': 'x'.repeat(10_000),
	'a text of digits': '5',
	'a date': '2026-02-28',
	'30 February': '2026-02-30',
	'an ambiguous date': '01/02/2026',
	'an email': ' Ann@Example.com ',
	'an email with a name': 'Ann <ann@example.com>',
	'a time zone': 'Europe/Berlin',
	'JSON of a list': '[1]',
	'cut JSON': '{ "a": ',
};

/** Values that mean on or off. */
export const SWITCHES: Record<string, unknown> = {
	true: true,
	false: false,
	'the text TRUE': ' TRUE ',
	'the text no': 'no',
};

const HIDDEN: Record<string, string> = {
	'a zero-width space inside': 'a\u200bb',
	'a line break inside': 'a\nb',
};

/** Texts with characters that no text contains on purpose, and what a person would read there. */
const UNCLEAN: Record<string, [typed: string, read: string]> = {
	'a null character': ['a\u0000b', 'ab'],
	'half a character': ['a\ud800b', 'ab'],
	'Windows-1252 read as Latin-1': ['O\u0092Brien', 'O’Brien'],
	'a byte that Windows-1252 does not have': ['a\u0081b', 'a b'],
	"Excel's line break": ['Ann\u000bSmith', 'Ann Smith'],
	'a control character': ['a\u0007b', 'a b'],
};

/** Values that are not text, or that neither text nor JSON can express. */
const BROKEN: Record<string, unknown> = {
	NaN: Number.NaN,
	Infinity,
	'minus Infinity': -Infinity,
	'an invalid date': new Date(Number.NaN),
	'an object': { a: 1 },
	'an object with NaN': { a: Number.NaN },
	'an object with an invalid date': { a: [new Date(Number.NaN)] },
	'an empty object': {},
	'a list of texts': ['abc'],
	'a list of NaN': [Number.NaN],
	'a big integer': 5n,
	'a function': () => 'abc',
	'a symbol': Symbol('abc'),
};

const DATES: Record<string, unknown> = {
	'a Date': new Date(Date.UTC(2026, 1, 28)),
	"n8n's date and time": tryToParseDateTime('2026-02-28T00:00:00Z', 'UTC'),
};

const NUMBERS: Record<string, number> = { zero: 0, 'a negative number': -1, 'a fraction': 1.5 };

/** All values, each with its name. */
export const ODD = Object.entries({
	...{ ...BLANK, ...TEXTS, ...SWITCHES, ...HIDDEN },
	...{ ...BROKEN, ...DATES, ...NUMBERS },
	...Object.fromEntries(Object.entries(UNCLEAN).map(([name, [typed]]) => [name, typed])),
});

/** The kinds of parameters. */
export type Kind = 'boolean' | 'date' | 'email' | 'id' | 'json' | 'secret' | 'text' | 'zone';
/** What is expected of a value: it is refused, left out, or sent in this form. */
export type Expectation = 'blank' | 'refused' | { sent: unknown };

/** What is expected if a parameter of this kind has the value with this name. */
export function expectation(kind: Kind, name: string, value: unknown): Expectation {
	if (name in BLANK) return kind === 'json' && name === 'an empty list' ? 'refused' : 'blank';
	const isText = name in TEXTS || name === 'the text TRUE' || name === 'the text no';
	switch (kind) {
		case 'boolean':
			return name in SWITCHES ? { sent: name === 'true' || name === 'the text TRUE' } : 'refused';
		case 'date':
			return name === 'a date' || name in DATES ? { sent: '2026-02-28T00:00:00.000Z' } : 'refused';
		case 'email':
			return name === 'an email' ? { sent: 'Ann@Example.com' } : 'refused';
		case 'zone':
			return name === 'a time zone' ? { sent: value } : 'refused';
		case 'json':
			if (name === 'an empty object') return 'blank';
			return name === 'an object' ? { sent: value } : 'refused';
		case 'secret':
			return isText || name in NUMBERS || name in HIDDEN ? { sent: String(value) } : 'refused';
		case 'id':
			if (name === 'a fraction') return 'refused';
			return isText || name in NUMBERS ? { sent: String(value).trim() } : 'refused';
		case 'text':
			if (name in UNCLEAN) return { sent: UNCLEAN[name]?.[1] };
			return isText || name in NUMBERS || name in HIDDEN ? { sent: String(value) } : 'refused';
	}
}

/** The kind of a parameter. */
export function oddKindOf({ name, type, typeOptions }: INodeProperties): Kind {
	if (name === 'email') return 'email';
	if (typeOptions?.password === true) return 'secret';
	if (name === 'timeZone') return 'zone';
	const byType: Partial<Record<INodeProperties['type'], Kind>> = {
		...{ boolean: 'boolean', dateTime: 'date', json: 'json' },
	};
	return byType[type] ?? (name.endsWith('Id') ? 'id' : 'text');
}
