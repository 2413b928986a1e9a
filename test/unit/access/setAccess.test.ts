import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useJumpingClock, errorTexts } from '../../support/quickNode';
import { row, TestChannel } from './channel';

const clock = useJumpingClock();
const MINUTE_MS = 60_000;

const channelWith = (...feeds: ConstructorParameters<typeof TestChannel>[1]): TestChannel =>
	new TestChannel(clock, feeds);

const open = (number: number, fields: IDataObject = {}) => row(number, fields);
const close = (number: number, fields: IDataObject = {}) =>
	row(number, { access: 'close', ...fields });
const closed = { state: 'deactivated' };

describe('Set Access closes', () => {
	it.each<[string, IDataObject, IDataObject, unknown]>([
		['a feed with the ID', close(1), {}, 'deactivated'],
		[
			'a feed with the ID, whose email has changed',
			close(1, { email: 'new@example.com' }),
			{},
			'deactivated',
		],
		['a feed with the ID alone', close(1, { email: '' }), {}, 'deactivated'],
		['a feed with the email alone', close(1, { id: '' }), {}, 'deactivated'],
		['a feed without an ID', close(1), { customer_id: null }, 'deactivated'],
		[
			'no feed with another ID: the end of an older membership',
			close(1),
			{ customer_id: 'c-new' },
			'available',
		],
		['no feed with a plan', close(1), { plan_id: 3 }, 'available'],
	])('%s', async (_, item, fields, state) => {
		const channel = channelWith([1, fields], 2);
		const { error, items } = await channel.setAccess(item);
		expect([error, channel.state(1), channel.state(2)]).toEqual([undefined, state, 'available']);
		expect(items).toMatchObject([
			{ access: 'close', action: state === 'available' ? 'kept' : 'closed', uuid: 'u-1' },
		]);
		expect(items[0]?.attention === null).toBe(state !== 'available');
	});

	it('without a second list, a limit or Never Close', async () => {
		const channel = channelWith(1, 2, 3, 4, 5, 6, 7);
		for (const number of [1, 2, 3, 4, 5, 6, 7]) await channel.setAccess(close(number));
		expect(channel.changes).toHaveLength(7);
	});

	it('nobody for whom it has no sign that they are there', async () => {
		const channel = channelWith(1);
		const { items } = await channel.setAccess(close(2));
		expect(items).toMatchObject([{ action: 'kept', uuid: null, attention: expect.any(String) }]);
	});

	it('once: a feed that is closed already is unchanged', async () => {
		const channel = channelWith([1, closed]);
		const { items } = await channel.setAccess(close(1));
		expect([items, channel.changes]).toMatchObject([
			[{ action: 'unchanged', attention: null }],
			[],
		]);
	});
});

describe('Set Access opens', () => {
	it.each<[string, IDataObject | undefined, IDataObject, string, INodeParameters?]>([
		[
			'a new feed',
			undefined,
			{ state: 'available', customer_id: 'c-1', first_name: 'Lea' },
			'created',
		],
		['a closed feed again', closed, { state: 'available', first_name: 'Lea' }, 'reopened'],
		['no feed that is open', {}, { first_name: 'Ann' }, 'unchanged'],
		['no suspended feed', { state: 'suspended' }, { state: 'suspended' }, 'kept'],
		['no feed with a plan', { ...closed, plan_id: 3 }, closed, 'kept'],
		[
			'a feed with a plan, if it should',
			{ ...closed, plan_id: 3 },
			{ state: 'available' },
			'reopened',
			{ closeWithPlan: true },
		],
		['and gives a feed its ID', { customer_id: null }, { customer_id: 'c-1' }, 'updated'],
		[
			'and gives a feed its new email',
			{ email: 'old@example.com' },
			{ email: 'm1@example.com' },
			'updated',
		],
		[
			'and replaces the ID of another system, without a prefix',
			{ customer_id: 'x-1' },
			{ customer_id: 'c-1' },
			'updated',
		],
		[
			'and leaves the ID of another system, with a prefix',
			{ customer_id: 'x-1' },
			{ customer_id: 'x-1' },
			'unchanged',
			{ customerIdPrefix: 'c-, d-' },
		],
	])('%s', async (_, fields, expected, action, options = {}) => {
		const channel = channelWith(...(fields ? ([[1, fields]] as Array<[number, IDataObject]>) : []));
		const { items } = await channel.setAccess(open(1, { name: 'Lea' }), options);
		expect(items).toMatchObject([{ access: 'open', action }]);
		expect(channel.service.subscribers).toMatchObject([expected]);
		expect('feed_urls' in items[0]!).toBe(['created', 'reopened'].includes(action));
	});

	it.each(['blank', 'nothing', 'record'] as const)(
		'a new feed only once, if a change answers with: %s',
		async (changesShow) => {
			const channel = channelWith(2);
			channel.service.changesShow = changesShow;
			const first = await channel.setAccess(open(1));
			const second = await channel.setAccess(open(1));
			expect(first.items).toMatchObject([{ action: 'created', attention: null }]);
			expect(second.items).toMatchObject([{ action: 'unchanged', attention: null }]);
			expect(channel.service.subscribers).toHaveLength(2);
		},
	);

	it('a new feed only once, if the response to the request was lost', async () => {
		const channel = channelWith(2);
		let isLost = false;
		channel.answer((request, name) => {
			if (name !== 'POST subscribers' || isLost) return undefined;
			isLost = true;
			channel.service.usual(request);
			return { status: 503, body: '' };
		});
		const first = await channel.setAccess(open(1));
		const second = await channel.setAccess(open(1));
		expect(first.items).toMatchObject([{ action: 'created', attention: null }]);
		expect(second.items).toMatchObject([{ action: 'unchanged', attention: null }]);
	});

	it('nobody without an email whom Supercast does not have', async () => {
		const channel = channelWith(2);
		const { items } = await channel.setAccess(open(1, { email: '' }));
		expect([items, channel.changes]).toMatchObject([
			[{ action: 'kept', attention: expect.any(String) }],
			[],
		]);
	});
});

describe('a record that gives nothing', () => {
	it.each<[string, IDataObject, INodeParameters, boolean]>([
		['keep', { access: 'keep' }, {}, false],
		['unclear', { access: 'past_due' }, {}, true],
		['unclear, with an email that is none', { access: '', email: 'Ann', id: 'null' }, {}, true],
		['close, with Only Open', { access: 'close' }, { onlyOpen: true }, false],
	])('changes nothing, and asks Supercast nothing: %s', async (_, fields, options, needsPerson) => {
		const channel = channelWith(1, [2, closed]);
		for (const number of [1, 2, 3]) {
			const { items, error } = await channel.setAccess(row(number, fields), options);
			expect([error, items[0]?.action]).toEqual([undefined, 'kept']);
			expect(items[0]?.attention !== null).toBe(needsPerson);
		}
		expect(channel.service.received).toEqual([]);
	});

	it('Only Open opens all the same', async () => {
		const channel = channelWith([1, closed]);
		await channel.setAccess(open(1), { onlyOpen: true });
		expect(channel.state(1)).toBe('available');
	});
});

describe('an item that is pinned or from an earlier execution', () => {
	it.each<[string, object]>([
		['pinned', { isPinned: true, mode: 'manual' }],
		['of an earlier execution', { ageMs: 2 * MINUTE_MS, mode: 'manual' }],
	])('closes nothing, and opens: %s', async (_, { ageMs = 0, ...start }: { ageMs?: number }) => {
		const channel = channelWith(1, [2, closed]);
		const readAt = clock.date() - ageMs;
		const { items } = await channel.setAccess(close(1), {}, { ...start, readAt });
		expect([items, channel.state(1)]).toMatchObject([
			[{ action: 'kept', attention: expect.any(String) }],
			'available',
		]);
		await channel.setAccess(open(2), {}, { ...start, readAt });
		expect(channel.state(2)).toBe('available');
		await channel.setAccess(close(1), {}, { mode: 'manual' });
		expect(channel.state(1)).toBe('deactivated');
	});
});

describe('an item that names nobody, or names wrongly', () => {
	it.each<[IDataObject, string]>([
		[{ email: '', id: '' }, "'Email' and 'Customer ID' are both empty"],
		[{ email: undefined, id: '' }, "The expression in 'Email' returned no value"],
		[{ email: '', id: null }, "The expression in 'Customer ID' returned no value"],
		[{ email: 'Ann' }, "'Email' is not an email address"],
		[{ id: 'undefined' }, 'text of a missing value'],
		[{ id: 2 ** 53 }, 'not an exact ID'],
	])('is refused: %j', async (fields, words) => {
		const channel = channelWith(1);
		for (const access of ['open', 'close']) {
			expect(errorTexts(await channel.setAccess(row(1, { access, ...fields })))).toContain(words);
		}
		expect(channel.service.received).toEqual([]);
	});

	it('with a prefix that is not its own, too', async () => {
		const ran = await channelWith(1).setAccess(close(1), { customerIdPrefix: 'x-' });
		expect(errorTexts(ran)).toContain('"c-1", which does not begin with "x-"');
	});
});

describe('a conflict has one answer, however it is asked about', () => {
	const sameId = [1, [2, { customer_id: 'c-1' }]] as Array<number | [number, IDataObject]>;
	const idAndEmail = [
		[1, { customer_id: null }],
		[2, { customer_id: 'c-1' }],
	] as Array<[number, IDataObject]>;
	const isClosed = (feeds: typeof sameId) =>
		feeds.map((one): [number, IDataObject] =>
			Array.isArray(one) ? [one[0], { ...one[1], ...closed }] : [one, closed],
		);

	it.each<[string, typeof sameId, Array<'close' | 'open'>, IDataObject]>([
		['two subscribers with one ID, by email and ID', sameId, ['close'], {}],
		['two subscribers with one ID, by ID', sameId, ['open', 'close'], { email: '' }],
		['two closed ones with one ID, by email and ID', isClosed(sameId), ['open'], {}],
		['two closed ones with one ID, by ID', isClosed(sameId), ['open'], { email: '' }],
		['one with the ID, and one with the email', idAndEmail, ['open', 'close'], {}],
	])('%s', async (_, feeds, accesses, fields) => {
		for (const access of accesses) {
			const channel = channelWith(...feeds);
			const { items } = await channel.setAccess(row(1, { access, ...fields }));
			expect(items).toMatchObject([{ action: 'kept', attention: expect.any(String) }]);
			await channel.sync([row(1, fields), row(3)]);
			expect(channel.changes).toEqual(['POST subscribers']);
		}
	});

	it('none with the email alone, because it names one subscriber', async () => {
		const channel = channelWith(...sameId);
		await channel.setAccess(close(1, { id: '' }));
		expect([channel.state(1), channel.state(2)]).toEqual(['deactivated', 'available']);
	});
});

describe('a customer ID that Supercast shows only in its list', () => {
	it('is found with one reading of the list for many events', async () => {
		const channel = channelWith(1, 2, 3);
		for (const number of [1, 2, 3]) await channel.setAccess(close(number, { email: '' }));
		expect(channel.service.received.filter((one) => one === 'GET subscribers')).toHaveLength(1);
		expect(channel.changes).toHaveLength(3);
	});

	it('is believed missing only if the list is recent', async () => {
		const channel = channelWith(1);
		await channel.setAccess(open(1, { email: '' }));
		await clock.pass(2 * MINUTE_MS);
		channel.add(2);
		await channel.setAccess(close(2, { email: '' }));
		expect(channel.state(2)).toBe('deactivated');
	});
});

describe('beside Sync', () => {
	it('an event beats a list that is older', async () => {
		const channel = channelWith(1, 2, [3, closed]);
		const readAt = clock.date();
		await clock.pass(MINUTE_MS);
		await channel.setAccess(open(2));
		await channel.setAccess(close(3));
		await channel.sync([row(1), row(3)], {}, { readAt });
		expect([channel.state(2), channel.state(3)]).toEqual(['available', 'deactivated']);
		await clock.pass(MINUTE_MS);
		await channel.sync([row(1), row(3)]);
		expect([channel.state(2), channel.state(3)]).toEqual(['deactivated', 'available']);
	});

	it('a member who must wait because of an event keeps a feed without an ID open', async () => {
		const channel = channelWith(1, [3, { customer_id: null }]);
		const readAt = clock.date();
		await clock.pass(MINUTE_MS);
		await channel.setAccess(row('new', { access: 'close' }));
		await channel.sync([row(1), row('new')], {}, { readAt });
		expect([channel.state(3), channel.changes]).toEqual(['available', []]);
	});

	it('a reading that contradicts its last change does not count', async () => {
		const channel = channelWith([1, closed]);
		channel.service.lagMs = 5_000;
		await channel.setAccess(open(1));
		await channel.setAccess(close(1));
		expect(channel.state(1)).toBe('deactivated');
	});
});
