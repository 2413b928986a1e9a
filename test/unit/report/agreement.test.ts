import { held } from '../../doubles/directSupercast';
import { rowOf, Show, type Settings, type Told } from './show';

/** Members of each kind, before a list that opens two feeds and closes three. */
function channel(): Show {
	return new Show(
		[
			...[
				held(1),
				held(2),
				held(8),
				held(9),
				held(3, { state: 'deactivated' }),
				held(5, { state: 'suspended' }),
			],
			held(6, { state: 'deactivated' }),
			held(7, { customer_id: null, state: 'deactivated' }),
			held(7, { uuid: 'second', email: 'second@a.com' }),
		],
		{ maxClosePercent: 100, options: { closeAfter: 1 } },
	);
}

const LIST = [
	rowOf(held(1)),
	...[2, 8, 9].map((number) => rowOf(held(number), { status: 'canceled' })),
	...[3, 4, 5].map((number) => rowOf(held(number))),
	rowOf(held(6), { status: 'on-hold' }),
	// Two subscribers are theirs, of whom one has an open feed.
	rowOf(held(7)),
];

const DONE = { created: 1, reopened: 1, closed: 3, failed: 0, payersWithoutFeed: 1 };
const NOTHING = { created: 0, reopened: 0, closed: 0, failed: 0, payersWithoutFeed: 3 };

describe('numbers, items and title agree with what Supercast holds', () => {
	it.each<[string, Settings, object, RegExp, boolean]>([
		['after a run', {}, DONE, /2 opened, 3 closed, 4 open \(/, false],
		['in a dry run', { dryRun: true }, DONE, /would open 2 feeds and close 3 feeds/, false],
		[
			'after a list that is wrong',
			{ options: { maxOpenPercent: 0 } },
			NOTHING,
			/^Sync stopped: 2 feeds would open \(/,
			false,
		],
		['if all changes fail', {}, { ...NOTHING, failed: 5 }, /0 opened, 0 closed, 5 open \(/, true],
	])('%s', async (_, settings, expected, title, fails) => {
		const show = channel();
		if (fails) {
			show.service.habit = ({ method }) =>
				method === 'GET' ? undefined : { status: 422, body: {} };
		}
		const told: Told = await show.list(LIST, settings);
		expect(told.numbers).toMatchObject({ ...expected, conflicts: 1, members: 5 });
		expect(told.numbers.open).toBe(show.open.length);
		expect(told.text).toContain(`${show.open.length} feeds are open in Supercast`);
		expect(told.title).toMatch(title);
		const changes = ['created', 'reopened', 'closed'].map(
			(action) => told.items.filter((one) => one.action === action).length,
		);
		const { created, reopened, closed } = told.numbers;
		expect(changes).toEqual([created, reopened, closed]);
		if (told.numbers.wrong !== null) expect(told.items).toHaveLength(1);
	});

	it('in a dry run, what has closed within 24 hours counts for the next run, too', async () => {
		const people = Array.from({ length: 12 }, (_, index) => held(index + 1));
		const show = new Show(people, { options: { closeAfter: 1 } });
		const rows = people.map((one) => rowOf(one));
		await show.list(rows.slice(4));
		const { title } = await show.list(rows.slice(6), { dryRun: true });
		expect(title).toContain('Sync would stop: 2 feeds would close');
		expect((await show.list(rows.slice(6))).message).toContain('Sync stopped: 2 feeds would close');
	});
});
