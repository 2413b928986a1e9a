import { Share } from '../../../../nodes/Supercast/api/rate-limit/window';

const WINDOW = 60_000;
const LIMIT = 100;

function accept(limit: Share, times: number, counted: number): void {
	for (let n = 0; n < times; n++) limit.accepted(counted);
}

/** A limit that has known since time 0 how much of it is its own. */
function adapted(heldBefore = 40): Share {
	const limit = new Share(LIMIT, WINDOW);
	limit.refused(0, heldBefore, false);
	return limit;
}

describe('an adaptive limit', () => {
	it('is the whole limit, however much gets through, and does not probe', () => {
		const limit = new Share(LIMIT, WINDOW);
		accept(limit, 500, LIMIT);
		expect(limit.at(100 * WINDOW)).toBe(LIMIT);
		expect(limit.nextProbe).toBe(Infinity);
	});

	it('is the number that got through before the refused request', () => {
		expect(adapted(40).at(1)).toBe(40);
		expect(adapted(0).at(1)).toBe(1);
	});

	it('stays whole after a refusal that may be by chance, but only if it was whole', () => {
		const limit = new Share(LIMIT, WINDOW);
		limit.refused(0, 40, true);
		expect(limit.at(1)).toBe(LIMIT);
		expect(limit.nextProbe).toBe(Infinity);
		limit.refused(1, 40, false);
		limit.refused(2, 39, true);
		expect(limit.at(3)).toBe(39);
	});

	it('never grows after a refusal', () => {
		const limit = adapted(40);
		limit.refused(1, 60, false);
		expect(limit.at(2)).toBe(40);
	});
});

describe('a probe', () => {
	it('comes an eighth after a window, and after two windows if it was refused', () => {
		const limit = adapted();
		expect(limit.nextProbe).toBe(67_500);
		expect(limit.at(67_499)).toBe(40);
		expect(limit.at(67_500)).toBe(41);
		expect(limit.nextProbe).toBe(Infinity);
		limit.refused(67_600, 40, false);
		expect(limit.at(67_601)).toBe(40);
		expect(limit.nextProbe).toBe(67_600 + 127_500);
		limit.at(limit.nextProbe);
		limit.refused(200_000, 40, false);
		limit.refused(200_001, 39, false);
		expect(limit.nextProbe).toBe(200_001 + 67_500);
	});

	it('comes after 60 requests that got through, whatever the time', () => {
		const limit = adapted();
		accept(limit, 59, 40);
		expect(limit.at(1)).toBe(40);
		accept(limit, 1, 40);
		expect(limit.at(1)).toBe(41);
		limit.refused(2, 40, false);
		accept(limit, 59, 40);
		expect(limit.at(3)).toBe(40);
		accept(limit, 1, 40);
		expect(limit.at(3)).toBe(41);
	});

	it('takes twice as much after each response, up to the limit', () => {
		const limit = adapted(40);
		const tried: number[] = [];
		for (let now = 67_500; limit.at(now) < LIMIT; now++) {
			tried.push(limit.at(now));
			for (let counted = tried.at(-2) ?? 40; counted < tried.at(-1)!;) limit.accepted(++counted);
		}
		expect(tried).toEqual([41, 43, 47, 55, 71]);
		accept(limit, 1, LIMIT);
		expect(limit.nextProbe).toBe(Infinity);
		accept(limit, 200, LIMIT);
		limit.refused(80_000, 99, true);
		expect(limit.at(80_001)).toBe(LIMIT);
	});

	it('does not grow by what it had before', () => {
		const limit = adapted(40);
		limit.at(67_500);
		accept(limit, 30, 40);
		expect(limit.at(67_501)).toBe(41);
	});

	it('begins with one again after each refusal', () => {
		const limit = adapted(40);
		limit.at(67_500);
		accept(limit, 1, 41);
		accept(limit, 1, 42);
		limit.refused(70_000, 42, false);
		expect(limit.at(70_001)).toBe(42);
		expect(limit.at(limit.nextProbe)).toBe(43);
	});
});
