import {
	emailsOf,
	hiddenCharacter,
	isEmail,
	isSameName,
	nameKey,
	requireEmail,
} from '../../../nodes/Supercast/api/identity';

const COMPOSED = 'ren\u00e9@example.com';
const DECOMPOSED = 'rene\u0301@example.com';

function refusal(typed: unknown): string {
	try {
		return `accepted ${requireEmail(typed, 'Email')}`;
	} catch (error) {
		const { message, description } = error as Error & { description: string };
		return `${message} | ${description}`;
	}
}

describe('an email address', () => {
	it.each([
		'ann@example.com',
		"o'brien+podcast@sub.example.co.uk",
		'a/b+c%2F?x=#@example.com',
		'Ann_Smith@EXAMPLE.com',
		'\u00fcmlaut@b\u00fccher.example',
		'ann@xn--bcher-kva.example',
		'ann..b@example.com',
	])('%s is accepted', (email) => {
		expect(requireEmail(` ${email}\n`, 'Email')).toBe(email);
	});

	it('is sent in the composed form', () => {
		expect(requireEmail(DECOMPOSED, 'Email')).toBe(COMPOSED);
	});

	it.each([
		['\u200b', 'zero-width space (U+200B)'],
		['\u0000', 'null character (U+0000)'],
		['\u00ad', 'soft hyphen (U+00AD)'],
		['\u00a0', 'no-break space (U+00A0)'],
		['\n', 'line break (U+000A)'],
		['\u2028', 'invisible character (U+2028)'],
		['\u3164', 'invisible character (U+3164)'],
		['\ud800', 'invisible character (U+D800)'],
		['\ufe0f', 'invisible character (U+FE0F)'],
		['\u202e', 'invisible character (U+202E)'],
	])('with %j inside is refused, and the message names the character', (character, name) => {
		expect(refusal(`ann${character}@example.com`)).toBe(
			`'Email' contains an invisible character: ${name} | Enter only the address: ann@example.com`,
		);
		expect(isEmail(`ann${character}@example.com`)).toBe(false);
	});

	it.each([
		'Ann <ann@example.com>',
		'"Smith, Ann" <ann@example.com>',
		'<ann@example.com>',
		'mailto:ann@example.com',
		'MAILTO:ann@example.com?subject=Hello',
		'Ann <mailto:ann@example.com>',
		'ann@example.com,',
		'ann@example.com;',
		'ann@example.com.',
		'"ann@example.com"',
		"'ann@example.com'",
	])('%s is refused, with the address to use', (typed) => {
		expect(refusal(typed)).toBe(
			`'Email' is not an email address: "${typed}" | Enter only the address: ann@example.com`,
		);
	});

	it.each([
		'ann',
		'ann@',
		'@example.com',
		'ann@example',
		'ann smith@example.com',
		'ann@example.com, bob@example.com',
		'ann@example.com bob@example.com',
		'ann@@example.com',
		'ann@example..com',
		'ann@example.com/x',
		'<>',
	])('%s is refused', (typed) => {
		expect(refusal(typed)).toBe(
			`'Email' is not an email address: "${typed}" | Enter it in the form name@example.com.`,
		);
	});

	it.each([undefined, null, '', '   '])('%j is called empty', (typed) => {
		expect(refusal(typed)).toContain("'Email' is empty | Enter an email address.");
	});

	it.each([{}, { email: 'ann@example.com' }, ['ann@example.com'], 42, NaN, true, new Date(0)])(
		'%p is refused',
		(typed) => {
			expect(refusal(typed)).toMatch(/^'Email' is not an email address: ".+" \|/);
		},
	);
});

describe('two names are the same', () => {
	it.each([
		[COMPOSED, DECOMPOSED],
		['Ann@Example.com', ' ann@example.COM '],
		['ann@b\u00fccher.example', 'ann@xn--bcher-kva.example'],
		['ann@BU\u0308CHER.example', 'ann@xn--bcher-kva.example'],
		[42, '42'],
		['2F6C', '2f6c'],
	])('%s and %s', (one, other) => {
		expect(isSameName(one, other)).toBe(true);
		expect(nameKey(one)).toBe(nameKey(other));
	});

	it.each([
		['ann@example.com', 'anna@example.com'],
		['rene@example.com', COMPOSED],
		['', ''],
		[undefined, undefined],
		[{}, {}],
		['b\u00fccher', 'xn--bcher-kva'],
	])('but not %s and %s', (one, other) => {
		expect(isSameName(one, other)).toBe(false);
	});
});

it('the emails of an alert are those of its subscriber', () => {
	expect(emailsOf({ email: ' ann@example.com ' })).toEqual(['ann@example.com']);
	expect(
		emailsOf({ subscriber_email: 'b@example.com', subscriber: { email: 'c@example.com' } }),
	).toEqual(['b@example.com', 'c@example.com']);
	expect(emailsOf({ subscriber: 'ann@example.com', email: null })).toEqual([]);
});

it('a text that everyone can see hides nothing', () => {
	expect(hiddenCharacter('cus_9s6X-\u00e9\u{1f600}')).toBeUndefined();
	expect(hiddenCharacter('cus\u2060_9')).toBe('word joiner (U+2060)');
});
