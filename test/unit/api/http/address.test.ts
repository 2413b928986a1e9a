import fc from 'fast-check';

import { encodePath, normalizeBaseUrl } from '../../../../nodes/Supercast/api/http/address';
import { InputError } from '../../../../nodes/Supercast/api/errors/errors';

const anyText = fc.string({ unit: 'binary', minLength: 1 });

describe('encodePath', () => {
	it('keeps any text within one segment, and lets it arrive as typed', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				fc.pre(text !== '.' && text !== '..');
				const { pathname, search, hash } = new URL(`https://host${encodePath(['list', text])}`);
				const segments = pathname.split('/');
				expect(segments).toHaveLength(3);
				expect(decodeURIComponent(segments[2]!)).toBe(text);
				expect(search + hash).toBe('');
			}),
		);
	});

	it.each(['', '.', '..', '\uD800', 'x\uDFFF'])(
		'refuses %j, which no encoding can carry',
		(text) => {
			expect(() => encodePath(['list', text])).toThrow(InputError);
		},
	);
});

describe('normalizeBaseUrl', () => {
	it.each([
		['https://supercast.tech/api/v1', 'https://supercast.tech/api/v1'],
		['  https://supercast.tech/api/v1//  ', 'https://supercast.tech/api/v1'],
		['https://channel.supercast.tech/v1/', 'https://channel.supercast.tech/v1'],
		['http://127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080/api/v1'],
		['http://127.8.9.1/v1', 'http://127.8.9.1/v1'],
		['http://localhost:1/v1', 'http://localhost:1/v1'],
		['http://[::1]:1/v1', 'http://[::1]:1/v1'],
		['HTTPS://SUPERCAST.TECH/api/v1', 'https://supercast.tech/api/v1'],
	])('takes %j', (typed, expected) => {
		expect(normalizeBaseUrl(typed)).toBe(expected);
	});

	it.each([
		['', 'not a web address'],
		['supercast.tech/api/v1', 'not a web address'],
		['ftp://supercast.tech/api/v1', 'not a web address'],
		['javascript:alert(1)', 'not a web address'],
		['https://', 'not a web address'],
		['http://supercast.tech/api/v1', 'not secure'],
		['http://127.0.0.1.example.com/v1', 'not secure'],
		['http://localhost.example.com/v1', 'not secure'],
		['http://10.0.0.1/v1', 'not secure'],
		['https://ann:pw@supercast.tech/v1', 'more than an address'],
		['https://supercast.tech/v1?token=1', 'more than an address'],
		['https://supercast.tech/v1#x', 'more than an address'],
	])('refuses %j', (typed, words) => {
		expect(() => normalizeBaseUrl(typed)).toThrow(words);
	});
});
