import type { IDataObject } from 'n8n-workflow';

import { currentSubscriber, type CurrentSubscriber } from '../../../nodes/Supercast/access/match';
import { MOST_NAMED, type Day } from '../../../nodes/Supercast/report/dailyLog/days';
import {
	afterSyncRun,
	afterStop,
	type SyncRun,
	type DailyLog,
	laterLog,
	nextSyncRunOf,
	type OwnChange,
	type StartedBy,
	type StartedRun,
} from '../../../nodes/Supercast/report/dailyLog/dailyLog';
import { readDailyLog, writeDailyLog } from '../../../nodes/Supercast/report/dailyLog/stored';
import { NOW } from './running';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Berlin in winter. */
const local = (time: number): string =>
	new Date(time + HOUR).toISOString().slice(0, 16).replace('T', ' ');

/** A subscriber of the simulated channel. */
function person(name: string, fields: object = {}): CurrentSubscriber {
	return currentSubscriber({
		uuid: `u-${name}`,
		email: `${name}@a.com`,
		state: 'available',
		created_at: '2025-01-01T00:00:00Z',
		updated_at: '2025-01-01T00:00:00Z',
		...fields,
	});
}

const [ann, ben, cleo] = [person('ann'), person('ben'), person('cleo')] as const;
const closed = (one: CurrentSubscriber, fields: object = {}): CurrentSubscriber =>
	currentSubscriber({ ...one.fields, state: 'deactivated', ...fields });

const runAt = (startedAt: number, startedBy: StartedBy = 'schedule'): StartedRun => ({
	...{ startedAt, startedBy },
});

function syncRun(
	at: number,
	subscribers: CurrentSubscriber[],
	given: Partial<SyncRun> = {},
): SyncRun {
	return {
		at,
		readAt: at,
		local,
		subscribers,
		run: runAt(at),
		areAll: true,
		changes: [],
		...given,
	};
}

function stop(at: number, message = 'down'): Parameters<typeof afterStop>[1] {
	return { at, local, run: runAt(at), message };
}

/** The daily log after several sync runs. */
function after(...syncRuns: SyncRun[]): DailyLog {
	return syncRuns.reduce(afterSyncRun, readDailyLog({}));
}

const own = (kind: OwnChange['kind'], subscriber: CurrentSubscriber, why = ''): OwnChange => ({
	...{ kind, subscriber, why },
	email: subscriber.email,
});

const counts = ({ days }: DailyLog): Array<[string, number, number, number?]> =>
	days.map(({ date, opened, closed: left, open }) => [date, opened, left, open]);
const names = (list: Day['openedNames'] = []): string[] =>
	list.map(({ email, why }) => `${email} ${why}`.trim());
const lastDay = ({ days }: DailyLog): Day => days.at(-1)!;

describe('the daily log', () => {
	it('begins with the first check, which knows only what it did itself', () => {
		const dailyLog = after(syncRun(NOW, [ann, ben], { changes: [own('opened', cleo)] }));
		expect(counts(dailyLog)).toEqual([['2026-01-15', 1, 0, 3]]);
		expect(names(lastDay(dailyLog).openedNames)).toEqual(['cleo@a.com']);
	});

	it('counts what the run did, and what others did since the check before, each once', () => {
		const dailyLog = after(
			syncRun(NOW, [ann, ben]),
			syncRun(NOW + HOUR, [ann, ben, cleo], {
				changes: [own('closed', ann, 'missing from 2 lists'), own('opened', person('dora'))],
			}),
			syncRun(NOW + 2 * HOUR, [closed(ann), ben, cleo, person('dora')]),
		);
		expect(counts(dailyLog)).toEqual([['2026-01-15', 2, 1, 3]]);
		expect(names(lastDay(dailyLog).openedNames)).toEqual(['cleo@a.com', 'dora@a.com']);
		expect(names(lastDay(dailyLog).closedNames)).toEqual(['ann@a.com missing from 2 lists']);
	});

	it('says why a feed is closed that the run did not close', () => {
		const suspended = closed(ben, { state: 'suspended' });
		const failed = closed(cleo, { state: 'charge_failure' });
		const dailyLog = after(
			syncRun(NOW, [ann, ben, cleo, person('dora')]),
			syncRun(NOW + HOUR, [closed(ann), suspended, failed]),
		);
		expect(counts(dailyLog)).toEqual([['2026-01-15', 0, 4, 0]]);
		expect(names(lastDay(dailyLog).closedNames)).toEqual([
			'ann@a.com closed by a person or another workflow',
			'ben@a.com suspended',
			"cleo@a.com Supercast's payment failed",
			'deleted',
		]);
	});

	it('puts a change of the last minutes of a day on that day', () => {
		const midnight = Date.UTC(2026, 0, 15, 23);
		const before = syncRun(midnight - 5 * MINUTE, [ann, ben]);
		const joined = new Date(midnight - 2 * MINUTE).toISOString();
		const left = new Date(midnight - MINUTE).toISOString();
		const late = person('cleo', { created_at: joined });
		const dailyLog = after(
			before,
			syncRun(midnight + MINUTE, [closed(ann, { updated_at: left }), ben, late], {
				changes: [own('opened', person('dora'))],
			}),
		);
		expect(counts(dailyLog)).toEqual([
			['2026-01-15', 1, 1, 2],
			['2026-01-16', 1, 0, 3],
		]);
	});

	it('trusts no time from before the last check', () => {
		const reopened = person('cleo', { created_at: '2025-01-01T00:00:00Z' });
		const dailyLog = after(syncRun(NOW, [ann, closed(cleo)]), syncRun(NOW + DAY, [ann, reopened]));
		expect(counts(dailyLog)).toEqual([
			['2026-01-15', 0, 0, 1],
			['2026-01-16', 1, 0, 2],
		]);
	});

	describe.each<[string, (dailyLog: DailyLog) => DailyLog]>([
		['no check ran on a day', (dailyLog) => dailyLog],
		['every check of a day stopped', (dailyLog) => afterStop(dailyLog, stop(NOW + DAY))],
	])('if %s', (_, between) => {
		const evening = new Date(NOW + 5 * HOUR).toISOString();
		const nextDay = new Date(NOW + DAY + HOUR).toISOString();
		const first = between(after(syncRun(NOW, [ann, ben, cleo])));
		const left = closed(ann, { updated_at: evening });

		it('has the open feeds of each day, also after changes that a later check finds', () => {
			const joined = [person('dora', { created_at: nextDay }), person('eve')];
			const later = syncRun(NOW + 2 * DAY, [left, ben, cleo, ...joined]);
			expect(counts(afterSyncRun(first, later))).toEqual([
				['2026-01-15', 0, 1, 2],
				['2026-01-16', 1, 0, 3],
				['2026-01-17', 1, 0, 4],
			]);
		});

		it('has a day on which nothing changed', () => {
			const later = syncRun(NOW + 2 * DAY, [left, ben, cleo]);
			expect(counts(afterSyncRun(first, later))).toEqual([
				['2026-01-15', 0, 1, 2],
				['2026-01-16', 0, 0, 2],
				['2026-01-17', 0, 0, 2],
			]);
		});
	});

	it('has names and messages of yesterday and today only, also if days are missing between', () => {
		const stopped = afterStop(after(syncRun(NOW, [ann]), syncRun(NOW + HOUR, [ann, ben])), {
			...stop(NOW + 2 * HOUR, 'ann@a.com could not be closed'),
		});
		const names = (dailyLog: DailyLog) => JSON.stringify(dailyLog.days).match(/\w+@a\.com/g) ?? [];
		expect(names(stopped)).toEqual(['ben@a.com', 'ann@a.com']);
		expect(names(afterSyncRun(stopped, syncRun(NOW + DAY, [ann, ben])))).toEqual(names(stopped));
		for (const days of [2, 9]) {
			const later = afterSyncRun(stopped, syncRun(NOW + days * DAY, [ann, ben]));
			expect(names(later)).toEqual([]);
			expect(later.days[0]!.stops).toMatchObject({ count: 1, first: NOW + 2 * HOUR });
			const at = NOW + days * DAY;
			expect(names(afterStop(stopped, stop(at)))).toEqual([]);
		}
	});

	it('forgets days that are too long ago, and outlives a clock that was wrong', () => {
		const dailyLog = after(syncRun(NOW, [ann]), syncRun(NOW + HOUR, [ann, ben]));
		const later = afterSyncRun(dailyLog, syncRun(NOW + 40 * DAY, [ann, ben, cleo]));
		const dates = later.days.map(({ date }) => date);
		expect([dates.length, dates[0], dates.at(-1)]).toEqual([31, '2026-01-25', '2026-02-24']);
		// Nothing changed on the days without a check, as far as Supercast shows.
		expect(counts(later).at(-2)).toEqual(['2026-02-23', 0, 0, 2]);
		for (const [wrong, opened] of [
			[NOW - 20_000 * DAY, 2],
			[NOW + 400 * DAY, 1],
		] as const) {
			const during = afterStop(dailyLog, stop(wrong));
			const back = afterSyncRun(during, syncRun(NOW + 2 * HOUR, [ann, ben, cleo]));
			expect(counts(back)).toContainEqual(['2026-01-15', opened, 0, 3]);
		}
	});

	it('counts nobody as gone while it does not see all subscribers', () => {
		const half = syncRun(NOW + HOUR, [ann], {
			areAll: false,
			changes: [own('opened', cleo), own('closed', ben)],
		});
		const dailyLog = after(syncRun(NOW, [ann, ben, person('dora')]), half);
		expect(counts(dailyLog)).toEqual([['2026-01-15', 1, 1, 3]]);
		const whole = syncRun(NOW + 2 * HOUR, [ann, closed(ben), cleo, person('dora')]);
		expect(counts(afterSyncRun(dailyLog, whole))).toEqual([['2026-01-15', 1, 1, 3]]);
		expect(after(half)).toMatchObject({ open: undefined, readAt: 0 });
	});

	it('counts everyone, and names some', () => {
		const many = Array.from({ length: MOST_NAMED + 5 }, (_, number) => person(`m${number}`));
		const dailyLog = after(syncRun(NOW, []), syncRun(NOW + HOUR, many));
		expect(lastDay(dailyLog)).toMatchObject({ opened: many.length, open: many.length });
		expect(lastDay(dailyLog).openedNames).toHaveLength(MOST_NAMED);
	});

	it('has 30 days and the present one, and names for the last two', () => {
		const joined = Array.from({ length: 40 }, (_, day) => person(`m${day}`));
		const dailyLog = after(
			...joined.map((_, day) => syncRun(NOW + day * DAY, joined.slice(0, day + 1))),
		);
		expect(dailyLog.days).toHaveLength(31);
		expect(counts(dailyLog).at(0)).toEqual(['2026-01-24', 1, 0, 10]);
		expect(dailyLog.days.filter(({ openedNames }) => openedNames.length > 0)).toHaveLength(2);
	});

	it('notes checks that stopped, and goes on from the last that did not', () => {
		let dailyLog = after(syncRun(NOW, [ann, ben]));
		for (const minutes of [5, 10]) {
			const at = NOW + minutes * MINUTE;
			dailyLog = afterStop(dailyLog, stop(at, `down ${'x'.repeat(400)}`));
		}
		const stops = { count: 2, first: NOW + 5 * MINUTE, last: NOW + 10 * MINUTE };
		expect(lastDay(dailyLog)).toMatchObject({ open: 2, stops });
		expect(lastDay(dailyLog).stops!.message).toHaveLength(302);
		expect(counts(afterSyncRun(dailyLog, syncRun(NOW + HOUR, [ann, ben, cleo])))).toEqual([
			['2026-01-15', 1, 0, 3],
		]);
		const only = afterStop(readDailyLog({}), stop(NOW));
		// No check has read yet how many feeds are open.
		expect(counts(only)).toEqual([['2026-01-15', 0, 0, undefined]]);
	});

	describe('knows when the next check is due', () => {
		const next = (dailyLog: DailyLog, now = dailyLog.checkedAt) => nextSyncRunOf(dailyLog, now);

		it('once there were two', () => {
			const first = after(syncRun(NOW, []));
			expect(next(first)).toBeUndefined();
			expect(next(afterSyncRun(first, syncRun(NOW + HOUR, [])))).toBe(NOW + 2 * HOUR);
			expect(next(afterSyncRun(first, syncRun(NOW - HOUR, [])))).toBeUndefined();
			const second = afterSyncRun(first, syncRun(NOW + HOUR, []));
			expect(next(afterSyncRun(second, syncRun(NOW + 20 * HOUR, [])))).toBe(NOW + 21 * HOUR);
		});

		it('from scheduled runs only', () => {
			const byHand = syncRun(NOW + 2 * MINUTE, [], { run: runAt(NOW + 2 * MINUTE, 'hand') });
			expect(next(after(byHand, syncRun(NOW + 5 * MINUTE, [])))).toBeUndefined();
			const dailyLog = after(syncRun(NOW, []), byHand, syncRun(NOW + 5 * MINUTE, []), byHand);
			expect(next(dailyLog)).toBe(NOW + 10 * MINUTE);
		});

		it('if a run did something and stopped, and if it took longer than the gap', () => {
			const at = NOW + 5 * MINUTE;
			const partly = afterStop(after(syncRun(NOW, []), syncRun(at, [])), {
				...stop(at + 3),
				run: runAt(at),
			});
			expect(next(partly)).toBe(NOW + 10 * MINUTE);
			expect(lastDay(partly).stops!.count).toBe(1);
			const long = after(syncRun(NOW, []), syncRun(at + 7 * MINUTE, [], { run: runAt(at) }));
			expect(next(long)).toBe(NOW + 15 * MINUTE);
		});
	});
});

describe('the stored daily log', () => {
	const stops = { count: 1, first: NOW, last: NOW, message: 'down' };
	const full = afterStop(
		after(syncRun(NOW, [ann, ben, closed(cleo)]), syncRun(NOW + HOUR, [ann, closed(ben), cleo])),
		stop(NOW + 2 * HOUR),
	);

	it('is the same when n8n has stored it', () => {
		const stored = JSON.parse(JSON.stringify(writeDailyLog(full))) as IDataObject;
		expect(readDailyLog(stored)).toEqual(full);
	});

	it.each<[string, IDataObject]>([
		['nothing', {}],
		['wrong types', { days: 3, open: 4, readAt: 'x', checkedAt: -1, gapMs: null }],
		['a cut text', { open: 'abc', days: [null, { date: 'x' }, 7] }],
	])('is empty if n8n stored %s', (_, stored) => {
		expect(readDailyLog(stored)).toEqual({
			...{ days: [], readAt: 0, checkedAt: 0, scheduledAt: 0, gapMs: 0, gapBeforeMs: 0 },
		});
	});

	it('keeps what is right of a day, and leaves out the rest', () => {
		const days = [
			{ date: '2026-01-15', opened: 2, closed: 'x', openedNames: [null, { email: 'a' }] },
		];
		const [day] = readDailyLog({ days: [...days, { date: '2026-99-99' }] }).days;
		expect(day).toEqual({
			...{ date: '2026-01-15', opened: 2, closed: 0, open: undefined, closedNames: [] },
			openedNames: [
				{ email: '', why: '' },
				{ email: 'a', why: '' },
			],
		});
		const half = { days: [{ date: '2026-01-15', stops: { ...stops, count: 'x' } }] };
		expect(readDailyLog(half).days[0]!.stops).toEqual({ ...stops, count: 0 });
	});

	it.each([
		[10_000, true],
		[10_001, false],
	])('has at most 100 KB: the hashes of %i open feeds are kept: %s', (count, isKept) => {
		const long = `${'x'.repeat(200)}@${'y'.repeat(40)}.com`;
		const many = Array.from({ length: count }, (_, number) =>
			person(`m${number}`, { email: `${number}${long}` }),
		);
		const dailyLog = after(
			syncRun(NOW - DAY, []),
			syncRun(NOW, many),
			syncRun(NOW + DAY, [], { changes: many.slice(0, 90).map((one) => own('closed', one)) }),
			syncRun(NOW + DAY, many),
		);
		const stored = writeDailyLog(dailyLog);
		expect(stored.open !== undefined).toBe(isKept);
		expect(JSON.stringify(stored).length).toBeLessThan(100_000);
	});

	it('of two copies, the one with the later check counts', () => {
		const old = after(syncRun(NOW, []));
		const later = after(syncRun(NOW + HOUR, []));
		expect(laterLog(old, later)).toBe(later);
		expect(laterLog(later, old)).toBe(later);
		expect(laterLog(readDailyLog({}), old)).toBe(old);
	});
});
