import type { IDataObject } from 'n8n-workflow';

import { match } from '../../../nodes/Supercast/access/people';
import type { MemberRecord } from '../../../nodes/Supercast/access/record';
import { readSyncSettings } from '../../../nodes/Supercast/access/settings';
import type { Incompleteness, InvalidItem } from '../../../nodes/Supercast/access/sync/list';
import { NOTHING_REMEMBERED, type SyncMemory } from '../../../nodes/Supercast/access/sync/memory';
import { planSync, type SyncPlan } from '../../../nodes/Supercast/access/sync/plan';
import { statusesOf } from '../../../nodes/Supercast/access/sync/statuses';
import { listedIn } from '../../../nodes/Supercast/report/numbers';
import { finish } from '../../../nodes/Supercast/operations/steps';
import { itemWith, NOW, record, subscriber } from './records';

const MINUTE_MS = 60_000;

/** A feed at Supercast with this number, and the record of its person. */
const feed = (number: number | string, fields: IDataObject = {}): IDataObject => ({
	...{ uuid: `u-${number}`, email: `m${number}@example.com`, customer_id: `c-${number}` },
	...fields,
});
const listed = (number: number | string, fields: Partial<MemberRecord> = {}) =>
	record({ email: `m${number}@example.com`, customerId: `c-${number}`, ...fields });
const ended = { access: 'close', status: 'canceled' } as const;

interface Given {
	records?: MemberRecord[];
	feeds?: IDataObject[];
	settings?: IDataObject;
	options?: IDataObject;
	memory?: Partial<SyncMemory>;
	incomplete?: readonly Incompleteness[];
	invalid?: readonly InvalidItem[];
	minutes?: number;
	isByHand?: boolean;
}

function plan(given: Given): SyncPlan {
	const { records = [], feeds = [], incomplete = [], invalid = [], minutes = 0 } = given;
	const settings = readSyncSettings(
		itemWith({
			...{ close: 'prefix', customerIdPrefix: 'c-', maxClosePercent: 100, ...given.settings },
			options: { closeAfter: 2, ...given.options },
		}),
	);
	const list = {
		records: records.map((one, item) => ({ ...one, item })),
		...{ size: records.length, invalid, ids: { different: 0, doubled: [], empty: [] } },
	};
	const matched = finish(match(list.records, feeds.map(subscriber)));
	const facts = {
		...{ settings, memory: { ...NOTHING_REMEMBERED, ...given.memory }, now: NOW },
		...{ readingBeganAt: NOW + minutes * MINUTE_MS, isByHand: given.isByHand ?? false },
	};
	return finish(planSync(list, matched, incomplete, facts));
}

/** What becomes of the feed with this number, and why. */
function of({ decisions }: SyncPlan, number: number | string): string {
	const found = decisions.find(({ subscriber: one }) => one?.uuid === `u-${number}`);
	return [found?.action, found?.reason].filter(Boolean).join(' ');
}

/** Lists one after another. Returns what each does about feed 1. */
function inTurn(lists: Given[], gap = 5): string[] {
	let memory = NOTHING_REMEMBERED;
	return lists.map((given, index) => {
		const minutes = index * gap;
		const one = plan({ ...given, memory, minutes });
		memory = { ...memory, missing: one.missing, countedAt: NOW + minutes * MINUTE_MS };
		return of(one, 1);
	});
}

const without: Given = { records: [listed(2)], feeds: [feed(1), feed(2)] };
const having: Given = { ...without, records: [listed(1), listed(2)] };

describe('an open feed closes', () => {
	it.each<[string, IDataObject, Given[], string[]]>([
		[
			'after two lists without the person',
			{},
			[without, without],
			['kept waits', 'closed notListed'],
		],
		[
			'not if a list between has the person',
			{},
			[without, having, without],
			['kept waits', 'unchanged', 'kept waits'],
		],
		[
			'after three with Close After 3',
			{ closeAfter: 3 },
			[without, without, without],
			['kept waits', 'kept waits', 'closed notListed'],
		],
		['after one with Close After 1', { closeAfter: 1 }, [without], ['closed notListed']],
	])('%s', (_, options, lists, expected) => {
		expect(inTurn(lists.map((given) => ({ ...given, options })))).toEqual(expected);
	});

	it('not with two lists that were read within a minute', () => {
		expect(inTurn([without, without], 0.9)).toEqual(['kept waits', 'kept waits']);
		expect(inTurn([without, without], 1)).toEqual(['kept waits', 'closed notListed']);
		const soon = { ...without, memory: { countedAt: NOW } };
		expect(plan(soon).missing.size).toBe(0);
		expect(of(plan({ ...soon, options: { closeAfter: 1 } }), 1)).toBe('closed notListed');
	});

	it('says how many lists it waits for', () => {
		const [decision] = plan({ ...without, options: { closeAfter: 3 } }).decisions.slice(-1);
		expect(decision).toMatchObject({ absence: { lists: 1, closeAfter: 3 } });
	});

	it('with the reason of the person’s own records, if there are any', () => {
		const records = [listed(2), listed(1, ended)];
		const [one] = plan({ ...without, records, options: { closeAfter: 1 } }).decisions.slice(-1);
		expect(one).toMatchObject({
			action: 'closed',
			reason: 'ended',
			ended: [{ status: 'canceled' }],
		});
	});

	it.each<[string, Partial<MemberRecord>]>([
		['keep', { access: 'keep' }],
		['unclear', { access: 'unclear' }],
		['known by the ID only', { email: 'new@example.com' }],
		['known by the email only', { customerId: '' }],
	])('not while a record is %s', (_, fields) => {
		const records = [listed(2), listed(1, fields), listed(1, ended)];
		const { missing, ...after } = plan({ ...without, records, options: { closeAfter: 1 } });
		expect([of(after as SyncPlan, 1).split(' ')[0], missing.size]).not.toContain('closed');
		expect(missing.size).toBe(0);
	});

	it('not if it is in conflict with someone on the list', () => {
		const feeds = [feed(1, { customer_id: 'c-2' }), feed(2)];
		const after = plan({ ...without, feeds, options: { closeAfter: 1 } });
		expect([of(after, 1), of(after, 2)]).toContain('kept severalSubscribers');
		expect(after.closing.due).toBe(0);
	});
});

describe('Sync closes only its own feeds', () => {
	const plain = { plan_id: 3, plan_name: 'Monthly' };
	const PREFIX = { close: 'prefix', customerIdPrefix: 'c-, d_' };

	it.each<[string, IDataObject, IDataObject, IDataObject, string]>([
		['with the prefix', PREFIX, {}, {}, 'closed notListed'],
		['with one of two prefixes', PREFIX, {}, { customer_id: 'd_7' }, 'closed notListed'],
		['with another prefix', PREFIX, {}, { customer_id: 'C-1' }, 'kept otherPrefix'],
		[
			'with its prefix only inside the ID of another system',
			PREFIX,
			{},
			{ customer_id: 'shop-c-1' },
			'kept otherPrefix',
		],
		['without an ID', PREFIX, {}, { customer_id: null }, 'kept noCustomerId'],
		['with any ID', { close: 'withCustomerId' }, {}, { customer_id: 'x' }, 'closed notListed'],
		[
			'without an ID, for everyone with one',
			{ close: 'withCustomerId' },
			{},
			{ customer_id: '' },
			'kept noCustomerId',
		],
		['everyone', { close: 'all' }, {}, { customer_id: null }, 'closed notListed'],
		['nobody', { close: 'none' }, {}, {}, 'kept closingIsOff'],
		['with a plan', { close: 'all' }, {}, plain, 'kept plan'],
		[
			'with the plan of a subscription',
			{ close: 'all' },
			{},
			{ subscriptions: [null, { plan_id: 4 }] },
			'kept plan',
		],
		['despite the plan', { close: 'all' }, { closeWithPlan: true }, plain, 'closed notListed'],
		[
			'at a domain in Never Close, in Punycode',
			PREFIX,
			{ neverClose: '@münchen.de' },
			{ email: 'ann@xn--mnchen-3ya.de' },
			'kept neverClose',
		],
		[
			'in Never Close, with an accent in another form',
			PREFIX,
			{ neverClose: 'jose\u0301@example.com' },
			{ email: 'JOS\u00c9@example.com' },
			'kept neverClose',
		],
		['in Never Close', PREFIX, { neverClose: 'M1@example.com' }, {}, 'kept neverClose'],
		['at a domain in Never Close', PREFIX, { neverClose: '@example.com' }, {}, 'kept neverClose'],
		[
			'not at another domain',
			PREFIX,
			{ neverClose: '@ample.com, 1@example.com' },
			{},
			'closed notListed',
		],
	])('%s', (_, settings, options, fields, expected) => {
		const given = { ...without, feeds: [feed(1, fields), feed(2)], settings };
		const after = plan({ ...given, options: { closeAfter: 1, ...options } });
		expect(of(after, 1)).toBe(expected);
		const isOwn = expected.startsWith('closed');
		const reasons = after.notOwn.map(({ reason }) => `kept ${reason}`);
		expect(reasons.includes(expected)).toBe(!isOwn);
		// Whom it may never close is not counted, and not remembered.
		expect(plan({ ...given, options }).missing.size).toBe(isOwn ? 1 : 0);
	});

	it('in Never Close by an email of the list only, of a member or of someone who left', () => {
		const options = { closeAfter: 1, neverClose: 'host@example.com' };
		const records = [
			listed(2, { email: 'host@example.com' }),
			listed(1, { ...ended, email: 'host@example.com' }),
		];
		const after = plan({ ...without, records, options });
		expect(of(after, 1)).toBe('kept neverClose');
		expect([after.open, after.ownOpen]).toEqual([2, 0]);
		expect(after.notOwn.map(({ reason }) => reason)).toEqual(['neverClose', 'neverClose']);
	});

	it('and counts which open feeds are not its own, by the first reason', () => {
		const feeds = [
			feed(1),
			feed(2, plain),
			feed(3, { customer_id: 'x' }),
			feed(4, { state: 'deactivated' }),
		];
		const after = plan({ records: [listed(1)], feeds });
		expect([after.open, after.ownOpen]).toEqual([3, 1]);
		expect(after.notOwn.map(({ reason }) => reason)).toEqual(['plan', 'otherPrefix']);
	});

	it('a tenth of them may close, and a quarter of all open feeds may open', () => {
		const others = Array.from({ length: 100 }, (_, index) =>
			feed(`x${index}`, { customer_id: `x-${index}` }),
		);
		const feeds = [...Array.from({ length: 300 }, (_, index) => feed(index)), ...others];
		const { closing, opening } = plan({ feeds, settings: { maxClosePercent: 10 } });
		expect([closing.limit, opening.limit]).toEqual([30, 100]);
	});

	it('a feed that is not open is not closed', () => {
		for (const state of ['deactivated', 'suspended', 'charge_failure', 'mystery']) {
			const after = plan({
				...without,
				feeds: [feed(1, { state }), feed(2)],
				options: { closeAfter: 1 },
			});
			expect([state, of(after, 1)]).toEqual([state, '']);
		}
	});
});

describe('a subscriber without a customer ID', () => {
	const feeds = [feed(1, { customer_id: null }), feed(2)];
	const settings = { close: 'all' };

	it.each<[string, Partial<MemberRecord>, string]>([
		['stays open while a member has no subscriber', { email: '' }, 'kept mayBeListed'],
		['closes if that member is created', {}, 'closed notListed'],
		[
			'closes if nobody pays who has no subscriber',
			{ email: '', access: 'keep' },
			'closed notListed',
		],
	])('%s', (_, fields, expected) => {
		const records = [listed(2), listed(9, fields)];
		expect(of(plan({ records, feeds, settings, options: { closeAfter: 1 } }), 1)).toBe(expected);
	});

	it('stays open while a member is in conflict without a subscriber', () => {
		const records = [listed(2), listed(8), listed(8, { email: 'other@example.com' })];
		const after = plan({ records, feeds, settings, options: { closeAfter: 1 } });
		expect([after.wrong?.kind, of(after, 1)]).toEqual(['unclearPeople', 'kept mayBeListed']);
	});

	it('with one, it closes all the same', () => {
		const given = { ...without, records: [listed(2), listed(9, { email: '' })] };
		expect(of(plan({ ...given, options: { closeAfter: 1 } }), 1)).toBe('closed notListed');
	});
});

describe('an incomplete list', () => {
	const incomplete: Incompleteness[] = [{ kind: 'old' }];

	it('closes nothing, counts no feed for the limit, and opens', () => {
		const records = [listed(2), listed(3)];
		const given = { ...without, records, incomplete, settings: { maxClosePercent: 0 } };
		const after = plan({ ...given, options: { closeAfter: 1 } });
		expect(after.decisions.map(({ action, reason }) => [action, reason])).toEqual([
			['unchanged', undefined],
			['created', undefined],
			['kept', 'incomplete'],
		]);
		expect(after.closing).toMatchObject({ due: 0, isOver: false });
		expect(of(plan({ ...given, feeds: [feed(1)] }), 1)).toBe('kept incomplete');
	});
});

describe('over the limit for closing', () => {
	const feeds = Array.from({ length: 12 }, (_, index) => feed(index));
	const six = Array.from({ length: 6 }, (_, index) => listed(index));
	const options = { closeAfter: 1 };

	it('no feed closes and no email changes, and the rest happens', () => {
		const records = [
			...six.slice(0, 5),
			listed(5, { email: 'moved@example.com' }),
			listed('new'),
			listed('back', {
				email: 'moved.too@example.com',
				fields: () => ({ fields: { first_name: 'Ann' }, leftOut: [] }),
			}),
		];
		const after = plan({
			records,
			feeds: [...feeds, feed('back', { state: 'deactivated', first_name: 'X' })],
			settings: { maxClosePercent: 10 },
			options,
		});
		expect(after.closing).toMatchObject({ limit: 5, due: 6, moves: 2, isOver: true });
		expect([of(after, 0), of(after, 5), of(after, 6), of(after, 'back')]).toEqual([
			...['unchanged', 'kept overLimit', 'kept overLimit', 'reopened overLimit'],
		]);
		const writes = after.decisions.map(({ write }) => write).filter((one) => 'email' in one);
		expect(writes).toEqual([{ email: 'mnew@example.com', customer_id: 'c-new' }]);
		const back = after.decisions.find(({ action }) => action === 'reopened');
		expect(back?.write).toEqual({ first_name: 'Ann' });
	});

	it('a first email is not another one', () => {
		const records = [listed(1)];
		const after = plan({ records, feeds: [feed(1, { email: null })], options });
		expect([of(after, 1), after.closing.moves]).toEqual(['updated', 0]);
	});

	it('waits and other reasons stay as they are', () => {
		const settings = { maxClosePercent: 10, close: 'all' };
		const after = plan({
			records: [listed(20, { email: 'moved@example.com' })],
			feeds: [...feeds, feed(20)],
			...{ settings, options: { neverClose: 'm1@example.com' } },
			memory: { changes: [{ at: NOW, closed: 0, counted: 5 }] },
		});
		expect([of(after, 1), of(after, 2), of(after, 20)]).toEqual([
			...['kept neverClose', 'kept waits', 'kept overLimit'],
		]);
	});

	it('as many as a person allows close beside it', () => {
		const allowed = (feedsAllowed: number) =>
			plan({
				...{ records: six, feeds, settings: { maxClosePercent: 10 } },
				options: { ...options, allowOnce: `close ${feedsAllowed} until 2026-11-29 21:00 UTC` },
			}).closing.isOver;
		expect([allowed(0), allowed(1)]).toEqual([true, false]);
	});
});

describe('a list is wrong', () => {
	const kind = (given: Given) => plan(given).wrong?.kind;
	const invalid = (hasEmail: boolean): InvalidItem => ({
		item: 9,
		error: new Error(),
		email: hasEmail ? 'a@x.com' : '',
	});
	const conflict = [listed(1), listed(1, { email: 'other@example.com' })];

	it('if no item names anyone, ended ones included', () => {
		expect(kind({ feeds: [feed(1)] })).toBe('namesNobody');
		expect(kind({ records: [listed(1, ended)], feeds: [feed(1)] })).toBeUndefined();
	});

	it.each<[string, Given, string | undefined]>([
		['more than half in conflict', { records: [...conflict, listed(2)] }, 'unclearPeople'],
		['half in conflict', { records: [...conflict, listed(2), listed(3)] }, undefined],
		[
			'ended ones beside them',
			{ records: [...conflict, listed(2), ...[3, 4, 5].map((one) => listed(one, ended))] },
			'unclearPeople',
		],
		[
			'more than half without an email and a known ID',
			{ records: [listed(1), listed(8, { email: '' }), listed(9, { email: '' })] },
			'unclearPeople',
		],
		[
			'as many whose IDs are known',
			{ records: [listed(3), listed(1, { email: '' }), listed(2, { email: '' })] },
			undefined,
		],
		[
			'more than half that name nobody',
			{ records: [listed(1)], invalid: [invalid(false), invalid(false)] },
			'unclearPeople',
		],
		[
			'invalid ones with an email',
			{ records: [listed(1)], invalid: [invalid(true), invalid(true)] },
			undefined,
		],
		[
			'a conflict beside as many invalid ones',
			{ records: conflict, invalid: [invalid(true), invalid(true)] },
			undefined,
		],
	])('or not: %s', (_, given, expected) => {
		expect(kind({ feeds: [feed(1), feed(2)], ...given })).toBe(expected);
	});

	it('if Supercast has nobody of it, although it had some before', () => {
		const strangers = { records: [listed(8)], feeds: [feed(1)], memory: { known: 1 } };
		expect(kind(strangers)).toBe('unknownList');
		expect(kind({ ...strangers, memory: { known: 0 } })).toBeUndefined();
		expect(kind({ ...strangers, records: [listed(8), listed(1, ended)] })).toBeUndefined();
		expect(
			kind({ ...strangers, records: [listed(8), listed(1, { ...ended, email: '' })] }),
		).toBeUndefined();
		// By hand, too.
		expect(kind({ ...strangers, feeds: [], isByHand: true })).toBe('unknownList');
		const allowOnce = (feeds: number) => ({
			allowOnce: `open ${feeds} until 2026-11-29 21:00 UTC`,
		});
		expect(kind({ ...strangers, options: allowOnce(1) })).toBeUndefined();
		const two = [listed(8), listed(9)];
		expect(kind({ ...strangers, records: two, options: allowOnce(1) })).toBe('unknownList');
	});

	it('if it would open more feeds than Max Open (%)', () => {
		const many = (count: number) => Array.from({ length: count }, (_, index) => listed(index));
		const feeds = [feed(0)];
		expect(kind({ feeds, records: many(51) })).toBeUndefined();
		expect(kind({ feeds, records: many(52) })).toBe('tooManyOpenings');
		expect(kind({ feeds, records: many(52), isByHand: true })).toBe('tooManyOpenings');
		const none = [feed(0, { customer_id: 'x' })];
		expect(kind({ feeds: none, records: many(52), isByHand: true })).toBeUndefined();
		expect(kind({ feeds: none, records: many(52) })).toBe('tooManyOpenings');
		const allowOnce = 'open 1 until 2026-11-29 21:00 UTC';
		expect(kind({ feeds, records: many(52), options: { allowOnce } })).toBeUndefined();
		expect(kind({ feeds, records: many(3), options: { maxOpenPercent: 0 } })).toBe(
			'tooManyOpenings',
		);
	});

	it('and counts how many of its people Supercast has', () => {
		const records = [listed(1), listed(2), listed(3, ended), listed(3, ended), listed(4, ended)];
		const feeds = [feed(1), feed(3, { state: 'deactivated' }), feed(7)];
		const counted = (given: MemberRecord[]): object => ({
			known: plan({ records: given, feeds }).known,
			people: listedIn({
				statuses: finish(statusesOf(finish(match(given, feeds.map(subscriber))).people, given)),
			}),
		});
		expect(counted(records)).toEqual({ people: 4, known: 2 });
		// Someone who has subscribed again, with another ID.
		const again = listed(1, { ...ended, customerId: 'c-old' });
		expect(counted([...records, again])).toEqual({ people: 4, known: 2 });
	});
});
