import {
	AllowanceAccount,
	proposeAllowance,
	readAllowances,
} from '../../../nodes/Supercast/access/allowOnce';
import { closingLimit, openingLimit } from '../../../nodes/Supercast/access/sync/limits';
import { NOTHING_REMEMBERED, type FeedChanges } from '../../../nodes/Supercast/access/sync/memory';
import { NOW, refusalOf } from './records';

const HOUR_MS = 3_600_000;

describe('Max Close (%)', () => {
	interface Facts {
		changes?: FeedChanges[];
		allowed?: number;
		ownOpen?: number;
		percent?: number;
		due?: number;
		moves?: number;
	}
	const closing = ({ changes = [], allowed = 0, ...facts }: Facts) => {
		const memory = { ...NOTHING_REMEMBERED, changes };
		const usual = { memory, now: NOW, percent: 10, ownOpen: 100, due: 0, moves: 0 };
		return closingLimit(allowed, { ...usual, ...facts });
	};
	const at = (hours: number, closed: number, counted = closed): FeedChanges => ({
		...{ at: NOW - hours * HOUR_MS, closed, counted },
	});

	it.each<[string, Facts, number]>([
		['a tenth of the open feeds', { ownOpen: 100 }, 10],
		['a part of a feed does not count', { ownOpen: 109 }, 10],
		['always five', { ownOpen: 3 }, 5],
		['always five, with a small share', { ownOpen: 100, percent: 1 }, 5],
		['nothing with 0', { ownOpen: 100, percent: 0 }, 0],
		['everything with 100', { ownOpen: 40, percent: 100 }, 40],
		['the exact share: 55 % of 40 are 22', { ownOpen: 40, percent: 55 }, 22],
		[
			'those closed within 24 hours count as open',
			{ ownOpen: 91, changes: [at(1, 5), at(23.9, 4)] },
			10,
		],
		['but not those closed before', { ownOpen: 91, changes: [at(24, 9)] }, 9],
	])('%s', (_, facts, limit) => {
		expect(closing(facts).limit).toBe(limit);
	});

	it('what has closed within 24 hours is no longer allowed, however many lists it took', () => {
		const before = { ownOpen: 93, changes: [at(20, 4), at(1, 3)] };
		expect(closing({ ...before, due: 3 })).toMatchObject({ used: 7, isOver: false });
		expect(closing({ ...before, due: 4 })).toMatchObject({ used: 7, isOver: true });
		expect(closing({ ...before, changes: [at(24, 4), at(1, 3)], due: 6 }).isOver).toBe(false);
	});

	it('a feed that gets another email counts, before and now', () => {
		expect(closing({ due: 6, moves: 4 }).isOver).toBe(false);
		expect(closing({ due: 6, moves: 5 }).isOver).toBe(true);
		expect(closing({ due: 6, changes: [at(1, 0, 5)] }).isOver).toBe(true);
	});

	it('feeds that were allowed once do not count, but were open', () => {
		expect(closing({ ownOpen: 60, due: 10, changes: [at(1, 40, 0)] })).toMatchObject({
			...{ limit: 10, used: 0, isOver: false },
		});
	});

	it('more used than the limit allows nothing more', () => {
		const lowered = { percent: 1, changes: [at(1, 20)] };
		expect(closing({ ...lowered, due: 1 }).isOver).toBe(true);
		expect(closing({ ...lowered, due: 1, allowed: 1 }).isOver).toBe(false);
		expect(closing(lowered).isOver).toBe(false);
	});

	it('a change in the future does not count', () => {
		expect(closing({ due: 10, changes: [at(-1, 9)] })).toMatchObject({ used: 0, isOver: false });
	});
});

describe('Max Open (%)', () => {
	const opening = ({ open = 400, percent = 25, wanted = 0, isFirstRun = false, allowed = 0 }) =>
		openingLimit(allowed, { open, percent, wanted, isFirstRun });

	it.each<[string, Parameters<typeof opening>[0], number]>([
		['a quarter of the open feeds', {}, 100],
		['always fifty', { open: 27 }, 50],
		['nothing with 0', { percent: 0 }, 0],
		['no limit in the first run', { isFirstRun: true }, Infinity],
	])('%s', (_, facts, limit) => {
		expect(opening({ ...facts, wanted: limit })).toMatchObject({ limit, isOver: false });
		expect(opening({ ...facts, wanted: limit + 1 }).isOver).toBe(limit < Infinity);
	});

	it('so many more are allowed once', () => {
		expect(opening({ wanted: 130, allowed: 30 }).isOver).toBe(false);
		expect(opening({ wanted: 131, allowed: 30 }).isOver).toBe(true);
	});

	it('a person has allowed the list only if all of it is allowed', () => {
		expect(opening({ wanted: 30, allowed: 30 }).isAllowed).toBe(true);
		expect(opening({ wanted: 31, allowed: 30 }).isAllowed).toBe(false);
		expect(opening({ wanted: 0 }).isAllowed).toBe(false);
		expect(opening({ wanted: 9, isFirstRun: true }).isAllowed).toBe(false);
	});
});

describe('Allow Once', () => {
	const text = 'close 160 until 2026-11-29 21:00 UTC';
	const until = Date.UTC(2026, 10, 29, 21);
	const allowance = { kind: 'close', feeds: 160, until, text };

	it.each([
		text,
		`"${text}"`,
		`“${text}”`,
		` '${text}'. `,
		'CLOSE 160 UNTIL 2026-11-29 21:00 utc',
		'close  160 until 2026-11-29 21:00',
		'close 160 until 2026-11-29T21:00Z',
		`${text}, ${text}`,
		`${text}\n`,
	])('%s', (typed) => {
		expect(readAllowances(typed)).toEqual([allowance]);
	});

	it('takes several texts', () => {
		expect(readAllowances(`${text}, open 70 until 2026-11-30 09:00 UTC`)).toMatchObject([
			allowance,
			{ kind: 'open', feeds: 70 },
		]);
		expect(readAllowances(' , \n')).toEqual([]);
	});

	it.each([
		'close all',
		'160',
		'close 160',
		'close -1 until 2026-11-29 21:00 UTC',
		'close 1.5 until 2026-11-29 21:00 UTC',
		'close 160 until 2026-13-29 21:00 UTC',
		'close 160 until tomorrow',
		'please close 160 until 2026-11-29 21:00 UTC',
		'close 160 until 2026-11-29 21:00 CET',
	])('refuses %s, and says where to find the right text', (typed) => {
		const refusal = refusalOf(() => readAllowances(typed));
		expect(refusal).toContain(`'Allow Once' contains "${typed}"`);
		expect(refusal).toContain('Copy the text at the end of the message');
	});

	it('what a message proposes can be pasted, and lasts a day', () => {
		const proposed = proposeAllowance('open', 70, NOW + 59 * 60_000);
		expect(proposed).toBe('open 70 until 2026-01-16 12:00 UTC');
		expect(readAllowances(proposed)).toMatchObject([{ kind: 'open', feeds: 70 }]);
		expect(proposeAllowance('open', 0, NOW)).toContain('open 1 until');
	});

	const account = (typed: string, used: Array<[string, number]> = [], now = until - 1) =>
		new AllowanceAccount(readAllowances(typed), new Map(used), now);

	it('allows so many, once, until then', () => {
		const one = account('close 2 until 2026-11-29 21:00 UTC');
		expect([one.left('close'), one.left('open')]).toEqual([2, 0]);
		expect([one.take('open'), one.take('close'), one.take('close'), one.take('close')]).toEqual([
			...[false, true, true, false],
		]);
		expect(one.left('close')).toBe(0);
		const again = account('close 2 until 2026-11-29 21:00 UTC', [...one.remembered]);
		expect([again.left('close'), again.over.length]).toEqual([0, 1]);
		expect(account(text, [], until)).toMatchObject({ over: [allowance] });
		expect(account(text).over).toEqual([]);
	});

	it('what is left of several adds up, and is used in their order', () => {
		const texts = 'close 1 until 2026-11-29 21:00 UTC, close 2 until 2026-11-29 22:00 UTC';
		const both = account(texts);
		expect(both.left('close')).toBe(3);
		both.take('close');
		both.take('close');
		expect([...both.remembered.values()]).toEqual([1, 1]);
	});

	it('forgets what the option does not have any more', () => {
		expect(account(text, [['open 3 until 2026-01-01 00:00 UTC', 2]]).remembered.size).toBe(0);
	});
});
