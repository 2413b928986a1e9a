import {
	afterUncounted,
	laterMemory,
	ListCounter,
	type ListMemory,
	NOTHING_REMEMBERED,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import { afterCounted } from '../../../nodes/Supercast/access/sync/memory/next';
import { currentSubscriber } from '../../../nodes/Supercast/access/match';
import { unexpectedIn } from '../../../nodes/Supercast/access/sync/list/unexpectedList';
import { held } from '../../doubles/directSupercast';
import { NOW, type Row } from './running';

const MINUTE_MS = 60_000;

describe('what is remembered', () => {
	const current = (number: number) => currentSubscriber({ ...held(number) });
	const name = (number: number) => `m${number}@a.com\nc-${number}`;
	const at = (time: number) => ({ readAt: time, receivedAt: time + 1_000 });
	const memory: ListMemory = {
		seenAt: NOW + 1_000,
		countedAt: NOW,
		missing: new Map([
			[name(1), 1],
			[name(2), 3],
		]),
		refused: new Map([['new@a.com', 1]]),
		written: new Map(),
		shortLists: 0,
		stuck: new Map([[name(2), NOW]]),
		known: ['a'],
		opened: new Map([['b', NOW]]),
	};

	it('of a list that counts, is who is missing, refused or stuck, with one list more', () => {
		const times = at(NOW + MINUTE_MS);
		const left = {
			missing: [1, 2, 3].map(current),
			spared: [current(4)],
			refused: ['new@a.com', 'other@a.com'],
			stuck: [current(2), current(3)],
		};
		expect(afterCounted(new ListCounter(memory, times), times, left)).toEqual({
			...memory,
			seenAt: NOW + MINUTE_MS + 1_000,
			countedAt: NOW + MINUTE_MS,
			missing: new Map([
				[name(1), 2],
				[name(2), 4],
				[name(3), 1],
				[name(4), 0],
			]),
			refused: new Map([
				['new@a.com', 2],
				['other@a.com', 1],
			]),
			written: new Map(),
			shortLists: 0,
			stuck: new Map([
				[name(2), NOW],
				[name(3), NOW + MINUTE_MS + 1_000],
			]),
		});
	});

	it.each([
		['read within a minute', NOW + MINUTE_MS - 1],
		['read once, and counted before', NOW],
		['read shortly before the one that counted last', NOW - 10 * MINUTE_MS],
	])('of a list that was %s, is nobody who was not missing or refused before', (_, time) => {
		const left = {
			missing: [current(1), current(3)],
			spared: [],
			refused: ['new@a.com', 'other@a.com'],
			stuck: [],
		};
		expect(afterCounted(new ListCounter(memory, at(time)), at(time), left)).toEqual({
			...memory,
			seenAt: time + 1_000,
			missing: new Map([[name(1), 1]]),
			stuck: new Map(),
		});
	});

	it.each<[string, Array<Partial<Row>> | undefined, number[]]>([
		['who is not on it, by email', [{ email: 'm1@a.com' }], [2]],
		['who is not on it, by ID', [{ id: 'c-2' }], [1]],
		['everyone if it has strangers', [{ email: 'new@a.com', id: 'c-0' }, { email: '' }], [1, 2]],
		['nobody if it could not be read', undefined, []],
	])('of a list that does not count, is %s', (_, rows, numbers) => {
		const members = rows?.map(({ email = '', id }) => ({
			emailKey: email,
			customerIds: id === undefined ? [] : [id],
		}));
		const after = afterUncounted(memory, members, NOW + MINUTE_MS);
		expect([...after.missing.keys()]).toEqual(numbers.map(name));
		expect([after.seenAt, after.countedAt]).toEqual([NOW + MINUTE_MS, NOW]);
	});

	it('counts for nothing after more than 30 hours', () => {
		const hours = (count: number) => at(NOW + count * 60 * MINUTE_MS);
		const listsAfter = (count: number) =>
			new ListCounter(memory, hours(count)).listsWithout(current(1));
		expect([29.9, 30.1].map(listsAfter)).toEqual([2, 1]);
	});

	it('after a weekend without n8n, the limit for opening and the channel are still known', () => {
		const now = NOW + 60 * 60 * MINUTE_MS;
		const stored = { ...memory, people: 40, known: ['somebody'] };
		const lists = new ListCounter(laterMemory(NOTHING_REMEMBERED, stored, now), at(now));
		expect([lists.peopleBefore, lists.memory.known]).toEqual([40, ['somebody']]);
		expect([lists.hasForgotten, lists.listsWithout(current(1))]).toEqual([true, 1]);
	});

	it('of two memories, the one of the later list counts, and the first if they are equally late', () => {
		const [early, late] = [1, 2].map((seenAt): ListMemory => ({ ...NOTHING_REMEMBERED, seenAt }));
		const [one, other] = [early!, late!];
		expect(laterMemory(one, other, 3)).toBe(other);
		expect(laterMemory(other, one, 3)).toBe(other);
		expect(laterMemory(one, { ...one }, 3)).toBe(one);
	});

	it('of two memories, one from a future that never came does not count', () => {
		const future = { ...memory, seenAt: NOW + 10_000 * MINUTE_MS };
		expect(laterMemory(memory, future, NOW)).toBe(memory);
		expect(laterMemory(future, memory, NOW)).toBe(memory);
	});

	it('a refused member is remembered even if nobody is missing', () => {
		const memory = { ...NOTHING_REMEMBERED, countedAt: NOW, refused: new Map([['new@a.com', 1]]) };
		expect(new ListCounter(memory, at(NOW + 1_000)).listsRefused('new@a.com')).toBe(1);
		expect(new ListCounter(memory, at(NOW + 60_000)).listsRefused('new@a.com')).toBe(2);
		expect(new ListCounter(NOTHING_REMEMBERED, at(NOW)).listsRefused('new@a.com')).toBe(1);
	});
});

describe('a list of subscribers', () => {
	const OLD = '2025-01-01T00:00:00Z';
	const listOf = (fields: object, count = 5) =>
		Array.from({ length: count }, (_, index) =>
			currentSubscriber({ ...held(index), created_at: OLD, ...fields }),
		);
	const justNow = new Date(NOW - MINUTE_MS).toISOString();
	const FACTS = { now: NOW, graceHours: 24, isOwnWork: () => false };

	it.each([
		['no emails', { email: '' }, 5, 'it shows no emails'],
		['no states', { state: '' }, 5, 'it shows no states'],
		['states that the node does not know', { state: 'mystery' }, 5, '"mystery"'],
		['times that nobody can read', { created_at: '31/05/2025', updated_at: '' }, 5, '"31/05/2025"'],
		['one time for all', { updated_at: justNow }, 20, 'nearly all subscribers'],
	])('with %s is unexpected', (_, fields, count, words) => {
		expect(unexpectedIn(listOf(fields, count), FACTS)).toContain(words);
		expect(unexpectedIn(listOf(fields, count - 1), FACTS)).toBeUndefined();
		const others = listOf({}, count);
		expect(unexpectedIn([...listOf(fields, count), ...others], FACTS)).toBeUndefined();
	});

	it('without customer IDs is unexpected', () => {
		const list = listOf({}).map(({ fields }) => {
			const shown = { ...fields };
			delete shown.customer_id;
			return currentSubscriber(shown);
		});
		expect(unexpectedIn(list, FACTS)).toBe('it shows no customer IDs');
		expect(unexpectedIn([...list, ...listOf({})], FACTS)).toBeUndefined();
	});

	it('names the first state that the node does not know', () => {
		const list = [
			...listOf({}, 1),
			...listOf({ state: 'mystery' }),
			...listOf({ state: 'odd' }, 1),
		];
		expect(unexpectedIn(list, FACTS)).toContain('"mystery"');
	});

	it('whose subscribers the node itself has just changed is not unexpected', () => {
		const list = listOf({ updated_at: justNow }, 40);
		const isOwnWork = ({ uuid }: { uuid: string }): boolean => Number(uuid.slice(2)) >= 19;
		expect(unexpectedIn(list, { ...FACTS, isOwnWork })).toBeUndefined();
		const isOne = ({ uuid }: { uuid: string }): boolean => uuid === 'u-0';
		expect(unexpectedIn(list, { ...FACTS, isOwnWork: isOne })).toContain('nearly all');
	});

	it('of recent subscribers may have changed recently', () => {
		const recent = { created_at: new Date(NOW - 60 * MINUTE_MS).toISOString() };
		const list = listOf({ ...recent, updated_at: justNow }, 30);
		expect(unexpectedIn(list, FACTS)).toBeUndefined();
	});
});
