import fc from 'fast-check';

import { readRetryAfter } from '../../../../nodes/Supercast/api/http/parseErrorResponse';

const NOW = Date.UTC(2026, 10, 21, 9, 0, 0);

describe('Retry-After', () => {
	it('can be seconds or a date', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 100_000 }), (seconds) => {
				const date = new Date(NOW + seconds * 1000).toUTCString();
				expect(readRetryAfter(String(seconds), NOW)).toBe(seconds * 1000);
				expect(readRetryAfter(` ${date} `, NOW)).toBe(seconds * 1000);
			}),
		);
	});

	it.each([
		['spaces around the seconds', ' 7 ', 7_000],
		['a fraction of a second', '1.25', 1_250],
		['a date without the day of the week', '21 Nov 2026 09:00:30 GMT', 30_000],
		['a date with a numeric time zone', 'Sat, 21 Nov 2026 11:00:30 +0200', 30_000],
	])('can have %s', (_, header, ms) => {
		expect(readRetryAfter(header, NOW)).toBe(ms);
	});

	it.each([
		['absent', undefined],
		['empty', ''],
		['zero', '0'],
		['negative', '-5'],
		['a date in the past', new Date(NOW - 5000).toUTCString()],
		['the present moment', new Date(NOW).toUTCString()],
		['no date at all', 'soon'],
		['a date in digits, which HTTP does not have', '2030-01-01'],
		['a number too large to be one', '9'.repeat(400)],
		['several values', ['1', '2']],
	])('says nothing when it is %s', (_, header) => {
		expect(readRetryAfter(header, NOW)).toBeUndefined();
	});

	it('is never negative, infinite or not a number, whatever its content', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.anything()), (header) => {
				const ms = readRetryAfter(header, NOW);
				if (ms === undefined) return;
				expect(ms).toBeGreaterThan(0);
				expect(ms).toBeLessThan(Infinity);
			}),
		);
	});
});
