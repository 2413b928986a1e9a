import { redact } from '../../../../nodes/Supercast/api/http/redact';

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
});

it('returns the same value if there is nothing to remove', () => {
	const body = { a: ['x', { b: 'a text that is longer than the secret' }], c: null };
	expect(redact(body, [TOKEN])).toBe(body);
	expect(redact(body, [])).toBe(body);
});

it('ignores a short secret, which may be part of any word, and values that are no texts', () => {
	const body = { a: '1234567 12345678' };
	expect(redact(body, ['1234567', undefined, 7])).toBe(body);
	expect(redact(body, ['12345678'])).toEqual({ a: '1234567 [redacted]' });
});
