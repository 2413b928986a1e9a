import { crowd, held } from '../../doubles/directSupercast';
import { MINUTE_MS, NOW, rowOf, Show, type Row } from './show';

const DAY_MS = 24 * 60 * MINUTE_MS;
const people = (from: number, to: number) => crowd(to + 1).slice(from);
const rows = (from: number, to: number): Row[] => people(from, to).map((one) => rowOf(one));

/** The lines of a list in the text, such as "Left". */
function linesOf(text: string, title: string): string[] {
	const part = text.split('\n\n').find((one) => one.startsWith(`${title}:`)) ?? '';
	return part.split('\n').slice(1);
}

describe('the daily email', () => {
	it('says at first that it tells from tomorrow on who joined and left', async () => {
		const { text, title } = await new Show(people(1, 3)).list(rows(1, 3));
		expect(text).toContain('From tomorrow on, this email says here who joined and who left');
		expect(title).toBe('0 opened, 0 closed, 3 open (My Show)');
	});

	it('tells who joined and left since the last one, whoever has opened or closed the feed', async () => {
		const show = new Show([...people(1, 9), held(20, { state: 'deactivated' })]);
		await show.list(rows(1, 9));
		// Sync itself.
		await show.lists(2, [...rows(1, 7), ...rows(9, 10), rowOf(held(8), { status: 'canceled' })]);
		// An event of someone who comes back, and a guest whom the owner adds.
		show.service.find('u-20')!.state = 'available';
		show.service.add({ email: 'guest@a.com', first_name: 'Gus' });
		// The owner closes one feed, and deletes a subscriber.
		show.service.find('u-1')!.state = 'suspended';
		show.service.subscribers.splice(show.service.subscribers.indexOf(show.service.find('u-2')!), 1);
		show.at = NOW + DAY_MS;
		const list = [...rows(1, 1), ...rows(3, 7), ...rows(9, 10), ...rows(20, 20)];
		const told = await show.list([...list, rowOf(held(8), { status: 'canceled' })]);
		expect(told.title).toMatch(/3 joined, 3 left, 9 open \(My Show\)$/);
		expect(linesOf(told.text, 'Joined')).toEqual([
			'- Ann, m20@a.com (active)',
			'- m10@a.com (active)',
			'- Gus, guest@a.com (not on the list)',
		]);
		expect(linesOf(told.text, 'Left')).toEqual([
			'- Ann, m1@a.com (suspended)',
			'- Ann, m8@a.com (canceled)',
			'- and 1 more',
		]);
		expect(told.text).toContain('November 29, 8:00 to November 30, 8:00 (UTC)');
		expect(show.open).toHaveLength(9);
	});

	it('tells the same all day, beside what happens later', async () => {
		const show = new Show(people(1, 9));
		await show.list(rows(1, 9));
		show.at = NOW + DAY_MS;
		await show.list(rows(1, 10));
		const { title, text } = await show.list(rows(1, 12));
		expect(title).toBe('1 joined, 0 left, 12 open (My Show)');
		expect(linesOf(text, 'Joined')).toEqual(['- m10@a.com (active)']);
		expect(text).toContain('This run opened 2 feeds, and closed 0 feeds.');
		show.at = NOW + 2 * DAY_MS;
		const next = await show.list(rows(1, 12));
		expect(next.title).toBe('2 joined, 0 left, 12 open (My Show)');
	});

	it('does not take a dry run for a day', async () => {
		const show = new Show(people(1, 3));
		await show.list(rows(1, 3), { dryRun: true });
		expect(show.memory.told).toBeUndefined();
		await show.list(rows(1, 3));
		show.at = NOW + DAY_MS;
		await show.list(rows(1, 4), { dryRun: true });
		const { title } = await show.list(rows(1, 4));
		expect(title).toBe('1 joined, 0 left, 4 open (My Show)');
	});

	it("does not call people deleted if Supercast's list may lack some", async () => {
		const show = new Show(people(1, 150));
		await show.list(rows(1, 150));
		show.at = NOW + DAY_MS;
		show.service.total = () => 151;
		const unsure = await show.list(rows(1, 150));
		expect(unsure.title).toBe('0 opened, 0 closed, 150 open (My Show)');
		expect(unsure.text).toContain('at least 150 feeds are open');
		show.service.total = () => 150;
		const sure = await show.list(rows(1, 150));
		expect(sure.title).toBe('0 joined, 0 left, 150 open (My Show)');
	});

	it('gives no reasons from a list that is wrong', async () => {
		const show = new Show(people(1, 9));
		await show.list(rows(1, 9));
		show.service.find('u-1')!.state = 'deactivated';
		show.at = NOW + DAY_MS;
		const { text } = await show.list([{ status: 'x' }]);
		expect(linesOf(text, 'Left')).toEqual(['- Ann, m1@a.com']);
	});

	it('remembers at most 50 names, and counts all', async () => {
		const show = new Show(people(1, 200), { maxClosePercent: 100 });
		await show.list(rows(1, 200));
		await show.lists(2, rows(1, 120));
		show.at = NOW + DAY_MS;
		const { text, page, title } = await show.list(rows(1, 120));
		expect(title).toContain('80 left');
		expect(show.memory.told?.left?.names).toHaveLength(50);
		expect(linesOf(text, 'Left').at(-1)).toBe('- and 68 more');
		expect(page).toContain('and 30 more');
	});
});
