import fc from 'fast-check';

import { Secrets } from '../../../../nodes/Supercast/api/http/redact';

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
