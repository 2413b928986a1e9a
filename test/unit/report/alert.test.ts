import { crowd, held } from '../../doubles/directSupercast';
import { MINUTE_MS, NOW, rowOf, Show, type Row } from './show';

const HOUR_MS = 60 * MINUTE_MS;
const people = (from: number, to: number) => crowd(to + 1).slice(from);
const rows = (from: number, to: number): Row[] => people(from, to).map((one) => rowOf(one));
const unclear = (number: number): Row => rowOf(held(number), { status: 'odd' });

describe('an alert', () => {
	it('is the same as long as nobody must be told anything new', async () => {
		const show = new Show(people(1, 30));
		const { alert } = await show.list(rows(1, 30));
		expect(alert).toBe('2026-11-29');
		// Someone joins, and someone leaves.
		const joined = await show.list([...rows(1, 29), ...rows(40, 41)]);
		expect([joined.numbers.created, joined.alert]).toEqual([2, alert]);
		const left = await show.list([...rows(1, 29), ...rows(40, 41)]);
		expect([left.numbers.closed, left.alert]).toEqual([1, alert]);
	});

	it('comes once each morning at 7 in the time zone of the workflow', async () => {
		const show = new Show(people(1, 3));
		const days: string[] = [];
		for (show.at = NOW; show.at < NOW + 48 * HOUR_MS; show.at += 25 * MINUTE_MS) {
			days.push((await show.list(rows(1, 3))).alert);
		}
		expect([...new Set(days)]).toEqual(['2026-11-29', '2026-11-30', '2026-12-01']);
		// From 8 to the next 7, each half an hour.
		expect(days.filter((day) => day === '2026-11-29')).toHaveLength(46);
	});

	it.each<[string, (show: Show) => Promise<{ alert: string }>, string]>([
		[
			'someone is unclear',
			async (show) => await show.list([...rows(1, 29), unclear(30)]),
			'unclear 1 ',
		],
		[
			'someone else is unclear',
			async (show) => await show.list([...rows(2, 30), unclear(1)]),
			'unclear 1 ',
		],
		[
			'someone pays without a feed',
			async (show) => {
				show.service.find('u-5')!.state = 'suspended';
				return await show.list(rows(1, 30));
			},
			'withoutFeed 1 ',
		],
		[
			'there is a conflict',
			async (show) => await show.list([...rows(1, 30), { ...rows(1, 1)[0], email: 'b@a.com' }]),
			'conflicts 1 ',
		],
		['a limit is exceeded', async (show) => await show.lists(2, rows(1, 20)), 'overLimit 8 '],
		['more would close', async (show) => await show.lists(2, rows(1, 10)), 'overLimit 16 '],
		['a list is wrong', async (show) => await show.list([{ id: 'c-1' }, {}]), 'unclear 1 '],
		['a list is of nobody', async (show) => await show.list([{ status: 'x' }]), 'wrong 1 '],
		[
			'a change fails',
			async (show) => {
				show.service.trouble = (_, { method }) => (method === 'POST' ? 'before' : undefined);
				return await show.list(rows(1, 31));
			},
			'failed 1 ',
		],
	])('changes within one run if %s', async (_, happen, part) => {
		const show = new Show(people(1, 30));
		await show.list(rows(1, 30));
		const { alert } = await happen(show);
		expect(alert).toContain(part);
		const kinds = new Set(['2026-11-29']);
		kinds.add(alert);
		expect(kinds.size).toBe(2);
	});

	it('tells two stops of a day apart, and two people', async () => {
		const show = new Show(people(1, 88));
		await show.list(rows(1, 88));
		const small = await show.lists(2, rows(1, 76));
		await show.list(rows(1, 88));
		const large = await show.lists(2, rows(1, 28));
		expect(small.alert).not.toBe(large.alert);
		const [one, other] = [
			await show.list([...rows(1, 87), unclear(88)]),
			await show.list([...rows(2, 88), unclear(1)]),
		];
		expect(one.alert).not.toBe(other.alert);
	});

	it('changes if one of two people is another', async () => {
		const show = new Show(people(1, 30));
		const alerts = new Set<string>();
		for (const fine of [1, 2, 3]) {
			const odd = [1, 2, 3].filter((one) => one !== fine).map(unclear);
			alerts.add((await show.list([...rows(4, 30), ...rows(fine, fine), ...odd])).alert);
		}
		expect(alerts.size).toBe(3);
	});

	it('does not change with each person of a large group', async () => {
		const show = new Show(people(1, 40));
		const odd = (count: number): Row[] => [
			...rows(1, 40 - count),
			...Array.from({ length: count }, (_, index) => unclear(40 - index)),
		];
		const alerts = new Set<string>();
		for (const count of [20, 21, 20, 22]) alerts.add((await show.list(odd(count))).alert);
		expect(alerts.size).toBe(1);
		const { alert } = await show.list(odd(36));
		expect(alerts).not.toContain(alert);
	});

	it('changes with a new cause, also in a large group', async () => {
		const show = new Show(people(1, 40));
		const odd = people(11, 40).map((one) => rowOf(one, { status: 'odd' }));
		const before = await show.list([...rows(1, 10), ...odd]);
		const [first, ...others] = odd;
		const after = await show.list([...rows(1, 10), { ...first, status: 'strange' }, ...others]);
		expect(after.numbers.unclear).toBe(before.numbers.unclear);
		expect(after.alert).not.toBe(before.alert);
	});

	it('names nobody', async () => {
		const { alert } = await new Show(people(1, 9)).list([...rows(1, 8), unclear(9)]);
		expect(alert).not.toMatch(/@|odd|c-9|Ann/);
	});
});
