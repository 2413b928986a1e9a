import { Spacing } from '../../../../nodes/Supercast/api/rate-limit/spacing';

/** A window in which the first burst of 100 requests takes 10 s, one each 100 ms. */
const WINDOW = 80_000;

/** With three requests in flight since 0 ms, so that the next ones are kept apart. */
function busy(): Spacing {
	const spacing = new Spacing(WINDOW);
	spacing.limit = 100;
	for (let n = 0; n < 3; n++) spacing.begin(0, false);
	return spacing;
}

describe('requests that are kept apart', () => {
	it('may follow immediately while fewer than three are in flight', () => {
		const spacing = busy();
		expect(spacing.freeAt(0, false)).toBe(100);
		spacing.end();
		expect(spacing.freeAt(0, false)).toBe(0);
	});

	it('go one at a time after a refusal, and with longer pauses', () => {
		const spacing = busy();
		spacing.end();
		expect(spacing.freeAt(0, true)).toBe(WINDOW / 20);
		spacing.end();
		spacing.end();
		expect(spacing.freeAt(0, true)).toBe(0);
	});

	it.each([
		['catch up with a timer that was late', 130, 200],
		['catch up with a timer that was late by almost a whole pause', 199, 200],
		['start again after a longer delay', 200, 300],
		['start again after a much longer delay', 950, 1_050],
	])('%s: sent at %d ms, then at %d ms', (_, sentAt, nextAt) => {
		const spacing = busy();
		spacing.begin(sentAt, false);
		expect(spacing.freeAt(sentAt, false)).toBe(nextAt);
	});
});
