import { crowd, held, type Held } from '../../doubles/directSupercast';
import { rowOf, Show, type Row } from './show';

const people = (from: number, to: number): Held[] => crowd(to + 1).slice(from);
const rows = (from: number, to: number): Row[] => people(from, to).map((one) => rowOf(one));

/** The lines of a list in the text, such as "Who counts". */
function linesOf(text: string, title: string): string[] {
	const part = text.split('\n\n').find((one) => one.startsWith(title)) ?? '';
	return part.split('\n').slice(1);
}

/** What an email program shows. */
function shown(html: string): string {
	const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
	return html
		.replace(/<[^>]*>/g, ' ')
		.replace(/&(\w+|#\d+);/g, (_, name: string) => entities[name] ?? ' ');
}

describe('the items of a run', () => {
	const service = [
		...people(1, 8),
		held(10, { customer_id: null }),
		held(11, { plan_id: 3 }),
		held(12, { state: 'suspended' }),
		held(13, { state: 'deactivated' }),
		held(14, { email: 'old@a.com' }),
	];
	const list: Row[] = [
		...rows(1, 5),
		rowOf(held(6), { status: 'canceled' }),
		rowOf(held(7), { status: 'odd' }),
		{ email: 'm1@a.com', id: 'c-2', status: 'active' },
		...rows(12, 14),
		{ email: 'new@a.com', id: 'c-new', status: 'active', name: 'Nia', lastName: 'Lee' },
		{ id: 'c-nobody', status: 'active' },
	];

	it('are one for each change, and one for each person to look at, in the order of a table', async () => {
		const show = new Show(service, { options: { closeAfter: 1 } });
		const { items } = await show.list(list);
		expect(items.map(({ action, email, reason }) => [action, email, reason])).toEqual([
			['closed', 'm6@a.com', 'canceled'],
			['closed', 'm8@a.com', 'not on the list'],
			['kept', 'm1@a.com', expect.stringMatching(/^conflict: the list has several emails/)],
			['kept', 'm7@a.com', 'the status "odd" is in no list'],
			['kept', 'm12@a.com', 'suspended'],
			['kept', '', 'no email on the list, and no subscriber with the customer ID'],
			['reopened', 'm13@a.com', 'active'],
			['created', 'new@a.com', 'active'],
			['updated', 'm14@a.com', 'new email'],
			['summary', undefined, undefined],
		]);
		expect(Object.keys(items[0]!)).toEqual([
			...[
				'action',
				'email',
				'name',
				'status',
				'reason',
				'customer_id',
				'uuid',
				'dryRun',
				'changes',
			],
		]);
		expect(items.find(({ email }) => email === 'new@a.com')).toEqual({
			...{ action: 'created', email: 'new@a.com', name: 'Nia Lee', status: 'active' },
			...{ reason: 'active', customer_id: 'c-new', uuid: 'new-1', dryRun: false },
			...{ first_name: 'Nia', feed_urls: ['https://feeds.example.com/new-1'] },
		});
		expect(items.at(-2)).toMatchObject({
			changes: { email: { from: 'old@a.com', to: 'm14@a.com' } },
		});
	});

	it('point to the items of the list', async () => {
		const { report } = await new Show(service, { options: { closeAfter: 1 } }).list(list);
		const [closed, missing, conflict] = report.records;
		expect([closed!.items, missing!.items, conflict!.items]).toEqual([[5], [], [0, 1, 7]]);
	});

	it('say which feeds close with the next list', async () => {
		const { items } = await new Show(people(1, 3), { options: { closeAfter: 3 } }).list(rows(1, 2));
		expect(items[0]).toMatchObject({
			...{ action: 'kept', email: 'm3@a.com' },
			reason: 'not on the list; closes after 2 more lists',
		});
		const next = await new Show(people(1, 3)).list(rows(1, 2));
		expect(next.items[0]).toMatchObject({ reason: 'not on the list; closes with the next list' });
		expect(next.numbers.closingNext).toBe(1);
	});

	it('say what could not be done', async () => {
		const show = new Show(people(1, 3), { options: { closeAfter: 1 } });
		show.service.trouble = (_, { method }) => (method === 'GET' ? undefined : 'before');
		const { items, text, report, message } = await show.list([...rows(1, 2), ...rows(9, 9)]);
		expect(items.slice(0, -1)).toMatchObject([
			{
				action: 'kept',
				email: 'm3@a.com',
				reason: expect.stringMatching(/^could not be closed: /),
			},
			{
				action: 'kept',
				email: 'm9@a.com',
				reason: expect.stringMatching(/^could not be created: /),
			},
		]);
		expect(items[0]).not.toHaveProperty('changes');
		expect(message).toBe('2 of 2 changes failed');
		expect(linesOf(text, 'Failed')).toHaveLength(2);
		expect(report.failures.map((one) => one.items)).toEqual([[2], []]);
	});

	it('are only the summary if the user wants only that', async () => {
		const show = new Show(service, { options: { closeAfter: 1, output: 'summary' } });
		expect((await show.list(list)).items).toHaveLength(1);
	});
});

describe('the page of a run', () => {
	it('counts as members those with Open, once, as every other text does', async () => {
		const list = [
			...rows(1, 3),
			{ ...rows(3, 3)[0], id: 'c-again' },
			rowOf(held(4), { status: 'on-hold' }),
			rowOf(held(5), { status: 'odd' }),
			rowOf(held(6), { status: 'canceled' }),
		];
		const { text, hints, numbers } = await new Show(people(1, 6)).list(list);
		expect(numbers.members).toBe(3);
		for (const one of [text, hints[0]])
			expect(one).toContain('3 members on the list (people whose access is open)');
	});

	it('says who counts by product, if records have products', async () => {
		const list = [
			...rows(1, 3).map((row) => ({ ...row, product: { id: 'p1', name: 'Podcast' } })),
			...rows(4, 6).map((row) => ({ ...row, product: { id: 'p2', name: 'Mug' } })),
		];
		const { text, numbers } = await new Show(people(1, 6)).list(list);
		expect(linesOf(text, 'Who counts')).toEqual([
			'- active, Podcast (p1): 3 people, open',
			'- active, Mug (p2): 3 people, open',
		]);
		expect(numbers.statuses).toContainEqual({
			...{ status: 'active', product: 'Mug (p2)', access: 'open', people: 3 },
		});
	});

	it('says why records of one status and product give another access', async () => {
		const options = { otherProducts: 'Sticker', products: 'Club' };
		const row = (number: number, fields: Partial<Row>): Row => ({
			...rowOf(held(number)),
			...{ status: 'active', product: 'Club', ...fields },
		});
		const list = [
			row(1, {}),
			row(2, { until: '2020-01-01' }),
			row(3, { until: '31.12.' }),
			row(4, { product: 'Sticker' }),
			row(5, { product: 'Mug' }),
			row(6, { status: 'odd' }),
			row(7, { status: 'canceled' }),
		];
		const { text } = await new Show(people(1, 7)).list(list, { options });
		expect(linesOf(text, 'Who counts').sort()).toEqual([
			"- active, Club: 1 person, close ('Access Until' has passed)",
			'- active, Club: 1 person, open',
			"- active, Club: 1 person, unclear ('Access Until' is not a day)",
			'- active, Mug: 1 person, unclear (the product is in no list)',
			"- active, Sticker: 1 person, close (in 'Other Products')",
			'- canceled, Club: 1 person, close',
			'- odd, Club: 1 person, unclear (the status is in no list)',
		]);
	});

	it.each([
		[
			'suspended',
			{},
			'suspended. Find out why. The feed may have been shared. Then activate it in Supercast.',
		],
		[
			'charge_failure',
			{},
			"Supercast's payment failed. Supercast also bills this person. Check the payment in Supercast.",
		],
		['pending', {}, 'pending. Check this subscriber in Supercast.'],
		['mystery', {}, 'the unknown state "mystery". Check this subscriber in Supercast.'],
		[
			'deactivated',
			{ plan_id: 3 },
			"a plan at Supercast, and the feed is closed (closed by a person or another workflow). Check the plan in Supercast. If Supercast does not bill this person, turn on 'Close Despite Plan' in the node, so that it ignores plans.",
		],
	])(
		'names who pays and has no open feed, with state and remedy: %s',
		async (state, fields, what) => {
			const show = new Show([...people(1, 3), held(4, { state, ...fields })]);
			const { title, text, page, numbers } = await show.list(rows(1, 4));
			expect(title).toContain('1 pays without an open feed');
			expect(linesOf(text, 'Pays, and has no open feed')).toEqual([`- Ann, m4@a.com: ${what}`]);
			expect(shown(page)).toContain(`Ann, m4@a.com: ${what}`);
			expect(numbers.payersWithoutFeed).toBe(1);
			// Done as told: the owner opens the feed in Supercast, or turns the option on.
			if ('plan_id' in fields) {
				const after = await show.list(rows(1, 4), { options: { closeWithPlan: true } });
				expect(after.numbers.payersWithoutFeed).toBe(0);
			} else {
				show.service.find('u-4')!.state = 'available';
				expect((await show.list(rows(1, 4))).numbers.payersWithoutFeed).toBe(0);
			}
		},
	);

	it('does not name someone whose feed an event has just opened', async () => {
		const show = new Show([...people(1, 3), held(4, { state: 'deactivated' })]);
		show.service.channel.ledger.hasDecidedSince = () => true;
		expect((await show.list(rows(1, 4))).numbers).toMatchObject({ payersWithoutFeed: 0, kept: 1 });
	});

	it('counts no feed that Supercast has not opened, or that is gone', async () => {
		const show = new Show(people(1, 3), { options: { closeAfter: 1 } });
		show.service.habit = (request, service) => {
			if (request.method !== 'POST') return undefined;
			const answer = service.usual(request);
			service.find('m9@a.com')!.state = 'pending';
			return { ...answer, body: { ...service.find('m9@a.com') } };
		};
		const { numbers, text } = await show.list([...rows(1, 3), ...rows(9, 9)]);
		expect(numbers).toMatchObject({ open: 3, payersWithoutFeed: 1 });
		expect(text).toContain('m9@a.com: ');
		show.service.meanwhile = () => {
			const leaver = show.service.find('u-3');
			if (show.service.requests.at(-1)?.path[1] !== 'u-3' || leaver === undefined) return;
			show.service.subscribers.splice(show.service.subscribers.indexOf(leaver), 1);
		};
		const gone = await show.list([...rows(1, 2), ...rows(9, 9)]);
		expect(gone.numbers).toMatchObject({ open: 2, closed: 0 });
		expect(show.open).toHaveLength(2);
	});

	it('names the channel', async () => {
		const show = new Show(people(1, 2));
		for (const dryRun of [true, false]) {
			const { title, html, page, hints, numbers } = await show.list(rows(1, 2), { dryRun });
			for (const one of [title, html, page, hints[0]]) expect(one).toContain('(My Show)');
			expect(numbers.channel).toBe('My Show');
		}
	});

	it('says how many open feeds are not its own, and why, and in the editor whose', async () => {
		const others = [
			held(5, { customer_id: null }),
			held(6, { plan_id: 3 }),
			held(7, { customer_id: 'x-7' }),
			held(8, { email: 'host@staff.example' }),
		];
		const show = new Show([...people(1, 2), ...others]);
		const { text, page, numbers } = await show.list(rows(1, 2), {
			options: { neverClose: '@staff.example' },
		});
		const title =
			"Open feeds that Sync never closes: 4 (no customer ID: 1; a plan at Supercast: 1; a customer ID with another prefix: 1; in 'Never Close': 1)";
		expect(text).toContain(`${title}.`);
		expect(shown(page)).toContain(title);
		expect(shown(page)).toContain("host@staff.example (in 'Never Close')");
		expect(numbers.notOwn).toEqual({ noCustomerId: 1, plan: 1, otherPrefix: 1, neverClose: 1 });
	});

	it('does not count feeds that get their customer ID in the run', async () => {
		const show = new Show([...people(1, 2), held(3, { customer_id: null })]);
		const { text, numbers } = await show.list(rows(1, 3));
		expect([numbers.updated, numbers.notOwn]).toEqual([1, {}]);
		expect(text).not.toContain('Sync never closes');
	});

	it('names leavers whom it does not close, unless they are in Never Close', async () => {
		const show = new Show([...people(1, 2), held(3, { customer_id: null })]);
		const list = [...rows(1, 2), rowOf(held(3), { status: 'canceled' })];
		for (const dryRun of [true, false]) {
			const { title, text, alert, items } = await show.list(list, { dryRun });
			expect(title).toContain('1 to close by hand');
			expect(items[0]).toMatchObject({ action: 'kept', email: 'm3@a.com', status: 'canceled' });
			expect(linesOf(text, 'Ended, but the feed has no customer ID')).toEqual([
				'- Ann, m3@a.com (canceled)',
			]);
			expect(text).not.toContain('Not on the list, and without a customer ID');
			expect(alert).toContain('endedNotOwn 1');
		}
		const options = { neverClose: 'm3@a.com' };
		const { title, numbers } = await show.list(list, { options });
		expect(title).not.toContain('to close by hand');
		expect(numbers.notOwn).toEqual({ neverClose: 1 });
	});

	it('says that nothing was remembered, as long as feeds wait', async () => {
		const lines = async (show: Show): Promise<boolean> =>
			(await show.list(rows(1, 2))).text.includes('Sync remembers no list before this one');
		const forgetful = new Show(people(1, 3));
		expect(await lines(forgetful)).toBe(true);
		forgetful.memory = new Show([]).memory;
		expect(await lines(forgetful)).toBe(true);
		expect(await lines(forgetful)).toBe(false);
		expect(await lines(new Show(people(1, 2)))).toBe(false);
		const byHand = new Show(people(1, 3));
		byHand.isByHand = true;
		expect(await lines(byHand)).toBe(false);
	});

	it('says that an allowance is over', async () => {
		const allowOnce = 'close 3 until 2026-11-28 09:00 UTC';
		const { text, hints } = await new Show(people(1, 2)).list(rows(1, 2), {
			options: { allowOnce },
		});
		const told = `In 'Allow Once', "${allowOnce}" means nothing any more.`;
		expect(text).toContain(told);
		expect(hints.join()).toContain(told);
	});

	it('names fields that stand twice', async () => {
		const additionalFields = { firstName: 'Ann', otherFields: '{"first_name": "Bea"}' };
		const { text } = await new Show(people(1, 2)).list(rows(1, 3), { additionalFields });
		expect(linesOf(text, 'Fields that were left out')).toEqual([
			expect.stringMatching(/^- m3@a\.com: .*first_name/),
		]);
	});

	it('names fields that were left out', async () => {
		const show = new Show(people(1, 2));
		const list = [...rows(1, 2), { ...rows(3, 3)[0], name: 'Nia' }];
		const additionalFields = { otherFields: '{"state": "suspended"}' };
		const { text } = await show.list(list, { additionalFields });
		expect(linesOf(text, 'Fields that were left out')).toEqual([
			expect.stringMatching(/^- m3@a\.com: .*"state"/),
		]);
	});

	it('keeps a feed without a customer ID open while someone may have it, and says so', async () => {
		const show = new Show([...people(1, 2), held(3, { customer_id: null })], {
			...{ close: 'all', customerIdPrefix: '' },
			options: { closeAfter: 1 },
		});
		const list = [...rows(1, 2), { id: 'c-unknown', status: 'active' }];
		const { title, text, items } = await show.list(list);
		expect(title).toContain('1 could not be closed');
		expect(text).toContain('These feeds should close: Ann, m3@a.com. They have no customer ID');
		expect(items[0]).toMatchObject({ action: 'kept', email: 'm3@a.com' });
		// Done as told: the person on the list gets a subscriber.
		const after = await show.list([...rows(1, 2), { id: 'c-unknown', status: 'canceled' }]);
		expect(after.numbers.closed).toBe(1);
	});
});

describe('the page of a dry run', () => {
	it('says first what the next run does, and then what the list after it does', async () => {
		const show = new Show(people(1, 12), { options: { closeAfter: 3 } });
		await show.list(rows(1, 11), { dryRun: true });
		const { title, text, numbers } = await show.list([...rows(1, 10), ...rows(20, 20)], {
			dryRun: true,
		});
		// The lists of dry runs count, so that the next one is the third without number 12.
		expect(title).toBe('DRY RUN: the next real run would open 1 feed and close 1 feed (My Show)');
		expect(text).toContain(
			'if its list says the same: 1 would close, 1 would open, 12 open now, 12 open after it.',
		);
		expect(linesOf(text, 'Open now, and would close with the next real run')).toEqual([
			'- Ann, m12@a.com (not on the list)',
		]);
		expect(linesOf(text, 'Open now, and would close with a list after that')).toEqual([
			'- Ann, m11@a.com (not on the list)',
		]);
		expect(numbers).toMatchObject({ open: 12, closingNext: 2, closed: 0 });
		const real = await show.list([...rows(1, 10), ...rows(20, 20)]);
		expect(real.numbers).toMatchObject({ closed: 1, created: 1, open: 12 });
		expect((await show.list([...rows(1, 10), ...rows(20, 20)])).numbers.closed).toBe(1);
	});

	it('names whom it leaves as they are, and whose feeds are not its own', async () => {
		const others = [
			held(3, { customer_id: 'x-3' }),
			held(4, { customer_id: null }),
			held(6, { state: 'deactivated' }),
		];
		const show = new Show([...people(1, 2), ...others]);
		const list = [
			...rows(1, 1),
			rowOf(held(2), { status: 'on-hold' }),
			rowOf(held(5), { status: 'on-hold' }),
			rowOf(held(6), { status: 'active' }),
		];
		const { text } = await show.list(list, { dryRun: true });
		expect(linesOf(text, 'Stays as it is, by Keep: 2')).toEqual([
			'- Ann, m2@a.com (on-hold, open)',
			'- m5@a.com (on-hold, no feed)',
		]);
		expect(linesOf(text, 'Open feeds that Sync never closes: 2')).toEqual([
			'- Ann, m3@a.com (a customer ID with another prefix: x-3)',
			'- Ann, m4@a.com (no customer ID)',
		]);
		expect(linesOf(text, 'Not open now, and would open with the next real run')).toEqual([
			'- Ann, m6@a.com (closed)',
		]);
	});

	it('says that emails need a node after Sync', async () => {
		const { text } = await new Show(people(1, 2)).list(rows(1, 2), { dryRun: true });
		expect(text).toMatch(
			/Nobody gets emails about later runs unless a node after Sync sends them\.$/,
		);
	});

	it('advises about guests once, after everything that it would do', async () => {
		const guests = [held(20, { customer_id: null }), held(21, { customer_id: null })];
		const show = new Show([...people(1, 3), ...guests]);
		const { text } = await show.list(rows(1, 2), { dryRun: true });
		const advice = 'Not on the list, and without a customer ID: Ann, m20@a.com; Ann, m21@a.com.';
		expect(text.split(advice)).toHaveLength(2);
		expect(text.indexOf(advice)).toBeGreaterThan(
			text.indexOf('Open now, and would close with the next real run'),
		);
		expect((await show.list(rows(1, 2))).text).not.toContain('Guests and staff');
	});

	it('says that only the first run by hand may open so many', async () => {
		const show = new Show([]);
		show.isByHand = true;
		const { text, title } = await show.list(rows(1, 80), { dryRun: true });
		expect(title).toBe('DRY RUN: the next real run would open 80 feeds (My Show)');
		expect(text).toContain(
			'A run by schedule may open at most 50 feeds, so start the first real run by hand.',
		);
		const byHand = await show.list(rows(1, 80));
		expect(byHand.numbers.created).toBe(80);
	});

	it('says how long the next run takes', async () => {
		const show = new Show([]);
		show.isByHand = true;
		const { text } = await show.list(rows(1, 480), { dryRun: true });
		expect(text).toContain('The next run takes about 5 minutes at 100 requests a minute.');
	});
});

describe('words of others', () => {
	const status = '<none>';
	const name = 'Win\u202e at https://evil.com/x <img src=x>\r\nBcc: all@evil.com';

	it('cannot become a link, a picture or a second line in an email', async () => {
		const show = new Show(people(1, 3));
		const list = [...rows(1, 2), { ...rows(9, 9)[0], name }, rowOf(held(3), { status, name })];
		const { text, html, page, items, title } = await show.list(list);
		for (const one of [text, html, page, title, String(items[0]!.name)]) {
			expect(one).not.toMatch(/evil\.com|https?:|<img|\u202e|Bcc:\w|@evil/);
		}
		expect(text).toContain('the status "<none>" is in no list');
		expect(html).toContain('the status &quot;&lt;none&gt;&quot; is in no list');
		expect(
			text.split('\n').find((line) => line.includes('m9@a.com') && line.length > 160),
		).toBeUndefined();
	});
});
