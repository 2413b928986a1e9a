import fc from 'fast-check';

import { InputError } from '../../../../nodes/Supercast/api/errors/errors';
import {
	breaksPath,
	checkRequestUrl,
	checkTokenUrl,
	encodePath,
	normalizeBaseUrl,
	readSubdomain,
} from '../../../../nodes/Supercast/api/http/address';
import { Secrets } from '../../../../nodes/Supercast/api/http/redact';

const anyText = fc.string({ unit: 'binary', minLength: 1 });

/** What a person sees of an input that is refused: the message, and the description below it. */
function refusalOf(check: () => unknown): [message: string, description: string] | undefined {
	try {
		check();
		return undefined;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return [error.message, error.description];
	}
}

describe('encodePath', () => {
	it('keeps any text within one segment, and lets it arrive as typed', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				fc.pre(!breaksPath(text));
				const { pathname, search, hash } = new URL(`https://host${encodePath(['list', text])}`);
				const segments = pathname.split('/');
				expect(segments).toHaveLength(3);
				expect(decodeURIComponent(segments[2]!)).toBe(text);
				expect(search + hash).toBe('');
			}),
		);
	});

	it('puts a slash before each segment, and nothing else', () => {
		expect(encodePath(['subscribers', 'a/b@example.com', '12'])).toBe(
			'/subscribers/a%2Fb%40example.com/12',
		);
	});

	it.each(['', '.', '..', '\uD800', 'x\uDFFF'])(
		'refuses %j, which no encoding can carry',
		(text) => {
			expect(refusalOf(() => encodePath(['list', text]))).toEqual([
				`${JSON.stringify(text)} is not a valid email or ID`,
				'Check the value in this item.',
			]);
		},
	);

	it.each(['a/b', 'a\\b', 'a?b', 'a#b', 'a%2fb', '%2E%2e', 'a%25252Fb', 'a%3fb', 'a%23b', 'a%5Cb'])(
		'refuses %j, which a gateway may read as more than one ID',
		(id) => {
			expect(breaksPath(id)).toBe(true);
		},
	);

	it.each([
		'../ann@example.com',
		'./ann@example.com',
		'ann/..@example.com/..',
		'ann\\..\\bob@example.com',
		'%2e%2E/ann@example.com',
		'%252e%252525e%2e/ann@example.com/%252E%25252e',
		'ann%2f..%2Fbob@example.com',
		'ann%252f..%252Fbob@example.com',
		'ann%5c..%5Cbob@example.com',
		'ann%255c..%255Cbob@example.com',
	])('refuses the email %j, which steps out of its segment', (email) => {
		expect(breaksPath(email)).toBe(true);
	});

	it.each([
		'ann/bob@example.com',
		'ann?#\\bob@example.com',
		'ann%2fbob@example.com',
		'ann./bob@example.com',
		'ann/.bob@example.com',
		'..ann@example.com',
	])('takes the email %j', (email) => {
		expect(breaksPath(email)).toBe(false);
	});
});

describe('normalizeBaseUrl', () => {
	it.each([
		['https://supercast.tech/api/v1', 'https://supercast.tech/api/v1'],
		['  https://supercast.tech/api/v1//  ', 'https://supercast.tech/api/v1'],
		['https://channel.supercast.tech/v1/', 'https://channel.supercast.tech/v1'],
		['http://127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080/api/v1'],
		['http://127.8.9.100/v1', 'http://127.8.9.100/v1'],
		['http://localhost:1/v1', 'http://localhost:1/v1'],
		['http://[::1]:1/v1', 'http://[::1]:1/v1'],
		['HTTPS://SUPERCAST.TECH/api/v1', 'https://supercast.tech/api/v1'],
		['https://Supercast.tech/API/V1/', 'https://supercast.tech/api/v1'],
		['https://supercast.tech/api/v1/subscribers', 'https://supercast.tech/api/v1'],
		['https://a.supercast.tech/v1/episodes/17/', 'https://a.supercast.tech/v1'],
		[
			'https://proxy.example.com/v2/Supercast/api/v1',
			'https://proxy.example.com/v2/Supercast/api/v1',
		],
	])('takes %j', (typed, expected) => {
		expect(normalizeBaseUrl(typed)).toBe(expected);
	});

	const CORRECT =
		"Correct 'Base URL' in the credential. It must be the full address including the version, such as https://supercast.tech/api/v1.";

	it.each([
		'',
		undefined,
		null,
		7,
		'supercast.tech/api/v1',
		'ftp://supercast.tech/api/v1',
		'ftp://supercast.tech/http://supercast.tech',
		'javascript:alert(1)',
		'https://',
	])('refuses %j, which is not a web address', (typed) => {
		const start = String(typed).includes('://') ? '' : 'Start it with https://. ';
		expect(refusalOf(() => normalizeBaseUrl(typed))).toEqual([
			"The credential's 'Base URL' is not a web address",
			`${start}${CORRECT}`,
		]);
	});

	it('asks for https:// if only a later part of the text has it', () => {
		const [, description] = refusalOf(() => normalizeBaseUrl('supercast.tech/https://x'))!;
		expect(description).toBe(`Start it with https://. ${CORRECT}`);
	});

	it.each([
		'http://supercast.tech/api/v1',
		'http://127.0.0.1.example.com/v1',
		'http://localhost.example.com/v1',
		'http://10.0.0.1/v1',
		'http://not-localhost/v1',
	])('refuses %j, which would expose the token', (typed) => {
		expect(refusalOf(() => normalizeBaseUrl(typed))).toEqual([
			"The credential's 'Base URL' is not secure: it begins with http:// instead of https://",
			`The access token would travel unencrypted. ${CORRECT}`,
		]);
	});

	it.each([
		'https://ann:pw@supercast.tech/v1',
		'https://ann@supercast.tech/v1',
		'https://:pw@supercast.tech/v1',
		'https://supercast.tech/v1?token=1',
		'https://supercast.tech/v1#x',
	])('refuses %j, which holds more than an address', (typed) => {
		expect(refusalOf(() => normalizeBaseUrl(typed))).toEqual([
			"The credential's 'Base URL' contains more than an address",
			`Remove the user name, the password, and everything after "?" or "#". ${CORRECT}`,
		]);
	});
});

describe('readSubdomain', () => {
	it.each([
		...[undefined, null, '', '  '].map((typed) => [typed, '']),
		['your-channel', 'your-channel'],
		[' Your-Channel ', 'your-channel'],
		['your-channel.supercast.tech', 'your-channel'],
		['https://Your-Channel.supercast.com/', 'your-channel'],
		['https://your-channel.supercast.tech/api/v1?x=1', 'your-channel'],
		['a1', 'a1'],
		['my_show', 'my_show'],
	])('takes %j', (typed, expected) => {
		expect(readSubdomain(typed)).toBe(expected);
	});

	it.each([
		'My Channel',
		'supercast.tech',
		'https://supercast.tech/api/v1',
		'podcast.example.com',
		'https://',
		'-a',
		'ünïcode',
		'a.b.supercast.tech',
	])('refuses %j, which names no channel', (typed) => {
		expect(refusalOf(() => readSubdomain(typed))).toEqual([
			`The credential's 'Subdomain' is not the subdomain of a channel: "${typed}"`,
			"Correct 'Subdomain' in the credential. Enter the first part of the channel's address. For https://your-channel.supercast.tech/api/v1, it is your-channel.",
		]);
	});
});

describe('checkTokenUrl', () => {
	const CORRECT =
		"Correct 'Access Token URL' in the credential. It should look like https://supercast.tech/oauth/token.";

	it.each([
		'https://supercast.tech/oauth/token',
		'HTTPS://supercast.tech/oauth/token',
		'http://localhost:8080/oauth/token',
		'http://127.0.0.1:8080/oauth/token',
	])('takes %j', (typed) => {
		expect(refusalOf(() => checkTokenUrl(typed))).toBeUndefined();
	});

	it.each([
		'',
		'supercast.tech/oauth/token',
		'ftp://supercast.tech/http://supercast.tech',
		'https://',
	])('refuses %j, which is not a web address', (typed) => {
		expect(refusalOf(() => checkTokenUrl(typed))).toEqual([
			"The credential's 'Access Token URL' is not a web address",
			`${typed.includes('://') ? '' : 'Start it with https://. '}${CORRECT}`,
		]);
	});

	it('refuses http, which would expose the client secret', () => {
		expect(refusalOf(() => checkTokenUrl('http://supercast.tech/oauth/token'))).toEqual([
			"The credential's 'Access Token URL' is not secure: it begins with http:// instead of https://",
			`The client secret would travel unencrypted. ${CORRECT}`,
		]);
	});
});

describe('checkRequestUrl', () => {
	const BASE = ' https://supercast.tech/api/v1/ ';
	const CORRECT =
		'Use an address that begins with https://, such as https://supercast.tech/api/v1/channel.';

	it.each([
		['https://supercast.tech/api/v1/channel', undefined],
		[' HTTPS://supercast.tech/channel ', ''],
		['channel', BASE],
		[' /channel', BASE],
		['http://localhost/channel', undefined],
	])('takes %j, from the base %j', (url, base) => {
		expect(refusalOf(() => checkRequestUrl(url, base))).toBeUndefined();
	});

	it.each([
		['channel', undefined],
		[undefined, undefined],
		['channel', 'supercast.tech'],
	])('refuses %j, from the base %j, which is not a web address', (url, base) => {
		expect(refusalOf(() => checkRequestUrl(url, base))).toEqual([
			"The request's address is not a web address",
			`Start it with https://. ${CORRECT}`,
		]);
	});

	it.each([
		['http://supercast.tech/channel', BASE],
		['//supercast.tech/channel', 'http://localhost'],
		['channel', '\u00A0http://supercast.tech'],
		['\u00A0http://supercast.tech/channel', BASE],
	])('refuses %j, from the base %j, which would expose the token', (url, base) => {
		expect(refusalOf(() => checkRequestUrl(url, base))).toEqual([
			"The request's address is not secure: it begins with http:// instead of https://",
			`The access token would travel unencrypted. ${CORRECT}`,
		]);
	});
});

describe('secrets', () => {
	function redact(value: unknown, values: unknown[]): unknown {
		return new Secrets(...values).redact(value);
	}

	const TOKEN = 'token-that-nobody-may-see';

	it('removes a secret in any place', () => {
		const body = { a: `x ${TOKEN} y ${TOKEN}`, b: [{ [TOKEN]: TOKEN }], c: 1, d: null };
		expect(redact(body, ['', TOKEN])).toEqual({
			a: 'x [redacted] y [redacted]',
			b: [{ '[redacted]': '[redacted]' }],
			c: 1,
			d: null,
		});
		expect(redact(TOKEN, [TOKEN])).toBe('[redacted]');
		expect(redact([1, ['x', [TOKEN]]], [TOKEN])).toEqual([1, ['x', ['[redacted]']]]);
		expect(redact(`${TOKEN}, another-token`, [TOKEN, 'another-token'])).toBe(
			'[redacted], [redacted]',
		);
	});

	it('returns the same value if there is nothing to remove', () => {
		const body = { a: ['x', { b: '100% of a text that is longer than the secret' }], c: null };
		expect(redact(body, [TOKEN])).toBe(body);
		expect(redact(body, [])).toBe(body);
	});

	it('reads a response even if another package has added a field to every object', () => {
		const body = { a: 1, b: null, c: [true] };
		const prototype = Object.prototype as { added?: number };
		prototype.added = 1;
		try {
			expect(redact(body, [TOKEN])).toBe(body);
		} finally {
			delete prototype.added;
		}
	});

	it('ignores a short secret, which may be part of any word, other letters, and values that are no texts', () => {
		const body = { a: '1234567 12345678' };
		expect(redact(body, ['1234567', undefined, 7])).toBe(body);
		expect(redact(body, ['12345678'])).toEqual({ a: '1234567 [redacted]' });
		expect(redact(TOKEN.toUpperCase(), [TOKEN])).toBe(TOKEN.toUpperCase());
	});

	describe('a secret with characters that addresses encode', () => {
		const secret = 'a+b/c=d ë&token';
		const forms = [
			encodeURIComponent(secret),
			encodeURIComponent(secret).toLowerCase(),
			encodeURI(secret),
			new URLSearchParams({ x: secret }).toString().slice(2),
			encodeURIComponent(encodeURIComponent(secret)),
			`${secret.slice(0, 3)}${encodeURIComponent(secret.slice(3))}`,
			[...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join(''),
		];

		it.each(forms)('is removed in the form %s', (form) => {
			const body = { link: `https://x.example/?t=${form}&u=1`, [form]: [`<${form}>`] };
			expect(redact(body, [secret])).toEqual({
				link: 'https://x.example/?t=[redacted]&u=1',
				'[redacted]': ['<[redacted]>'],
			});
			expect(redact(form, [secret])).toBe('[redacted]');
		});

		it('is removed wherever the encoding is partial, and nothing else is changed', () => {
			fc.assert(
				fc.property(fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (encoded) => {
					const form = [...Buffer.from(TOKEN)]
						.map((byte, n) =>
							encoded[n] === true ? `%${byte.toString(16)}` : String.fromCharCode(byte),
						)
						.join('');
					expect(redact(`50% ${form} %zz`, [TOKEN])).toBe('50% [redacted] %zz');
				}),
			);
			expect(redact('100% of %41 (a.b)', [TOKEN, '.*.*.*.*'])).toBe('100% of %41 (a.b)');
			const pluses = `100% ${'+'.repeat(TOKEN.length)}`;
			expect(redact(pluses, [TOKEN])).toBe(pluses);
		});
	});
});
