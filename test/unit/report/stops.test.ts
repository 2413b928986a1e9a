import { crowd, type Held } from '../../doubles/directSupercast';
import { rowOf, Show, type Row, type Settings, type Told } from './show';

/** Words that nothing may put into a message that n8n reads. */
const FOREIGN = ['canceled', 'Zed', 'a.com', 'c-1', 'My Show'];

const people = (from: number, to: number): Held[] =>
	crowd(to + 1)
		.slice(from)
		.map((one) => ({ ...one, first_name: 'Zed' }));
const rows = (from: number, to: number): Row[] => people(from, to).map((one) => rowOf(one));

/** The text to copy, at the end of a message. */
function toCopy({ description }: Told): string {
	return /(?:close|open) \d+ until \S+ \S+ UTC$/.exec(description)?.[0] ?? 'none';
}

async function stoppedBy(kind: string): Promise<{ show: Show; list: Row[]; told: Told }> {
	const show = new Show(people(1, 100));
	const lists: Record<string, Row[]> = {
		closings: [...rows(1, 40), { ...rowOf(people(41, 41)[0]!), status: 'canceled' }],
		openings: [...rows(1, 100), ...rows(101, 200)],
		otherChannel: rows(201, 240),
		nobody: [{ name: 'Zed', email: '', id: '' }],
		unclear: [...rows(1, 5), ...rows(1, 8).map(({ id }) => ({ id: `c-x${id}`, status: 'active' }))],
	};
	await show.list(rows(1, 100));
	const list = lists[kind] ?? rows(1, 50);
	if (kind === 'incomplete') {
		const settings = { options: { recordsExpected: 100 } };
		return { show, list, told: await show.lists(3, list, settings) };
	}
	return { show, list, told: await show.lists(kind === 'closings' ? 2 : 1, list) };
}

describe('a run that stops', () => {
	it.each([
		['closings', 'Sync stopped: 60 feeds would close, but the limit is 10 in 24 hours'],
		['openings', 'Sync stopped: 100 feeds would open, but the limit is 50'],
		['otherChannel', 'Sync stopped: Supercast has nobody on the list'],
		['nobody', 'Sync stopped: the list names nobody'],
		['unclear', 'Sync stopped: it is unclear who 8 of 13 records are'],
		['incomplete', 'Sync closes no feeds: the last 3 lists were incomplete'],
	])('says first what happened, in our own words only: %s', async (kind, message) => {
		const { told } = await stoppedBy(kind);
		expect(told.message).toBe(message);
		for (const word of FOREIGN) expect(told.message).not.toContain(word);
		// The subject of an email says it, too, and so do page and hint.
		const title = message.replace(/, but.*/, '');
		expect(told.title).toContain(title);
		expect(told.title).toContain('(My Show)');
		for (const text of [told.text, ...told.hints.slice(0, 1), told.page])
			expect(text).toContain(title);
	});

	it.each([
		['closings', 'Supercast has 41 of the 41 people on the list.', 'Zed, m41@a.com'],
		['openings', 'Supercast has 100 of the 200 people on the list.', 'm101@a.com'],
		['otherChannel', 'Supercast has 0 of the 40 people on the list.', 'm201@a.com'],
		['unclear', 'Supercast has 5 of the 13 people on the list.', 'c-xc-1'],
		['incomplete', 'Supercast has 50 of the 50 people on the list.', 'Zed, m51@a.com'],
	])(
		'says how many people Supercast has, and names the first ones: %s',
		async (kind, known, name) => {
			const { told } = await stoppedBy(kind);
			expect(told.description).toContain(known);
			expect(told.description).toContain(name);
			expect(told.text).toContain(told.description);
		},
	);

	it.each(['closings', 'openings', 'otherChannel'])(
		'ends with a text that allows it once: %s',
		async (kind) => {
			const { show, list, told } = await stoppedBy(kind);
			const allowOnce = toCopy(told);
			expect(told.description).toContain(`in the option 'Allow Once': ${allowOnce}`);
			const before = show.open.length;
			const after = await show.list(list, { options: { allowOnce: `"${allowOnce}"` } });
			expect(after.message).toBe('');
			expect(after.numbers.wrong).toBeNull();
			expect(show.open.length).not.toBe(before);
		},
	);

	it('says in a dry run that it would stop, and fails nothing', async () => {
		const show = new Show(people(1, 100));
		const told = await show.list(rows(1, 40), { dryRun: true });
		expect(told.message).toBe('');
		expect(told.title).toMatch(
			/^DRY RUN: Sync would stop: 60 feeds would close, the next real run would change nothing \(My Show\)$/,
		);
		expect(told.text).toContain('0 would close');
		const next = await show.list(rows(1, 40));
		expect(next.message).toContain('60 feeds would close');
	});

	it('with the limit 0 closes nothing, says so, and fails nothing', async () => {
		const show = new Show(people(1, 10), { maxClosePercent: 0 });
		const told = await show.lists(2, rows(1, 9));
		expect([told.message, show.open.length]).toEqual(['', 10]);
		expect(told.text).toContain(
			"'Max Close (%)' is 0, so no feed closes, and no email changes. This concerns 1 feed",
		);
	});

	it('with the limit 0, promises no closing with a later list', async () => {
		const show = new Show(people(1, 10), { maxClosePercent: 0 });
		const told = await show.list(rows(1, 9));
		expect(told.text).toContain('no email changes. This concerns 1 feed');
		expect(told.text).not.toContain('next list');
		expect(told.items[0]).toMatchObject({
			action: 'kept',
			reason: "not on the list, but over the limit of 'Max Close (%)'",
		});
	});

	it('with the limit 0, what Allow Once has closed is not told as open', async () => {
		const show = new Show(people(1, 10), { maxClosePercent: 0 });
		await show.list(rows(1, 8));
		const allowOnce = 'close 2 until 2026-11-29 21:00 UTC';
		const told = await show.list(rows(1, 7), { options: { allowOnce } });
		expect([told.numbers.closed, show.open.length]).toEqual([2, 8]);
		expect(told.text).not.toContain('no feed closes');
	});

	it('with the limit 0, an email that would change is told, too', async () => {
		const show = new Show(people(1, 10), { maxClosePercent: 0 });
		const [first, ...others] = rows(1, 10);
		const told = await show.lists(2, [{ ...first!, email: 'new@a.com' }, ...others]);
		expect(told.text).toContain('no email changes. This concerns 1 feed');
	});

	it('names feeds that would go to another email, and allows them', async () => {
		const show = new Show(people(1, 30));
		const moved: Row[] = rows(1, 30).map((row, index) => ({
			...row,
			email: `other${index}@a.com`,
		}));
		const told = await show.list(moved);
		expect(told.message).toBe(
			'Sync stopped: 30 feeds would go to another email, but the limit is 5 in 24 hours',
		);
		expect(told.description).toContain('m1@a.com to other0@a.com');
		expect(told.items[0]).toMatchObject({
			action: 'kept',
			reason: "a new email, but over the limit of 'Max Close (%)'",
		});
		const allowed = await show.list(moved, { options: { allowOnce: toCopy(told) } });
		expect([allowed.message, allowed.numbers.updated]).toEqual(['', 30]);
	});

	it('tells failed changes and the limit in one error, with the text to copy at the end', async () => {
		const show = new Show(people(1, 100));
		await show.list(rows(1, 40));
		show.service.trouble = (_, { method }) => (method === 'POST' ? 'before' : undefined);
		const told = await show.list([
			...rows(1, 40),
			{ email: 'new@a.com', id: 'c-new', status: 'active' },
		]);
		expect(told.message).toMatch(/^Sync stopped: 60 feeds .*\. 1 of 1 changes failed$/);
		expect(told.description).toContain('new@a.com (should be created)');
		expect(toCopy(told)).toMatch(/^close 60 /);
		expect(told.report.failures).toHaveLength(2);
	});
});

describe('a list that is incomplete', () => {
	const cases: Array<[string, Settings, Row[], Partial<Show['arrival']>, RegExp]> = [
		['a lost page', { options: { recordsExpected: 10 } }, rows(1, 9), {}, /has 9 of 10 records/],
		[
			'no number',
			{ options: { recordsExpected: '' } },
			rows(1, 9),
			{},
			/has no number in 'Expected/,
		],
		['a text', { options: { recordsExpected: 'Rate limited' } }, rows(1, 9), {}, /"Rate limited"/],
		['old items', {}, rows(1, 9), { idleMs: 400_000 }, /is older than five minutes/],
		['pinned items', {}, rows(1, 9), { idleMs: undefined }, /is pinned/],
		['a branch', {}, rows(1, 9), { mayGetMore: true }, /may get more records from another branch/],
		[
			'a nameless item',
			{},
			[...rows(1, 9), { status: 'active' }],
			{},
			/has 1 item that is not a member.*item 9/,
		],
		[
			'no record ID',
			{},
			rows(1, 9).map((row, at) => ({ ...row, recordId: at ? `${at}` : '' })),
			{},
			/1 item without a record ID/,
		],
		[
			'one twice',
			{},
			rows(1, 9).map((row, at) => ({ ...row, recordId: `${at || 1}` })),
			{},
			/has 1 record twice/,
		],
	];
	it('says how many records are missing, and nothing if nobody can tell', async () => {
		const missing = async (recordsExpected: unknown): Promise<unknown> => {
			const settings = { options: { recordsExpected } } as Settings;
			return (await new Show(people(1, 9)).list(rows(1, 9), settings)).numbers.recordsMissing;
		};
		expect([await missing(11), await missing(9), await missing('')]).toEqual([2, 0, null]);
	});

	it('without anyone says why no item is valid', async () => {
		const { message, description } = await new Show(people(1, 9)).list([
			{ email: 'ann@', status: 'active' },
		]);
		expect(message).toContain('the list names nobody');
		expect(description).toContain("'Email' is not an email address");
	});

	it.each(cases)('says why: %s', async (_, settings, list, arrival, why) => {
		const show = new Show(people(1, 9));
		show.arrival = arrival;
		const { text, title, message, alert } = await show.list(list, settings);
		expect(text).toMatch(why);
		expect(text).toContain('Sync opens feeds, but closes no feeds.');
		expect(title).toContain('the list is incomplete');
		// Two may come by chance.
		expect([message, alert]).toEqual(['', '2026-11-29']);
		const third = await show.lists(2, list, settings);
		expect(third.message).toContain('the last 3 lists were incomplete');
		expect(third.description).toMatch(why);
		expect(third.alert).toContain('incomplete');
	});
});
