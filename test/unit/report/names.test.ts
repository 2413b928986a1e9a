import { cleanName } from '../../../nodes/Supercast/report/names';

describe('a name in an email', () => {
	it.each([
		'Ann',
		'Zoë Łuć',
		"O'Neil-Smith",
		'J. R. R. Tolkien',
		'علی رضا',
		'佐藤',
		'Ann 👩‍🎤',
		'Dr. Who Jr.',
	])('is %s as it is', (name) => {
		expect(cleanName(name)).toBe(name);
	});

	it.each([
		['two lines', 'Ann\r\nWin a prize', 'Ann Win a prize'],
		['a web address', 'Win at https://evil.com/x?y', 'Win at https evil. com x?y'],
		['an address without a scheme', 'www.evil.com', 'www. evil. com'],
		['an address with other dots', 'evil。com and evil．com', 'evil. com and evil. com'],
		['an email address', 'ann@evil.com', 'ann evil. com'],
		['an element', '<a href="x">Ann</a>', 'a href="x" Ann a'],
		['characters that nobody sees', 'A\u200bn\u202en\u0000', 'A n n'],
		['nothing', null, ''],
		['an object', { first: 'Ann' }, ''],
	])('is harmless with %s', (_, name, clean) => {
		expect(cleanName(name)).toBe(clean);
	});

	it('has at most 40 characters', () => {
		expect(cleanName('x'.repeat(300))).toBe(`${'x'.repeat(39)}…`);
		expect([...cleanName('👩‍🎤'.repeat(100))].length).toBeLessThanOrEqual(40);
	});
});
