import type { IDataObject } from 'n8n-workflow';

import {
	incompletenessOf,
	ListReader,
	type ListArrival,
	type MemberList,
} from '../../../nodes/Supercast/access/sync/list';
import type { SyncSettings } from '../../../nodes/Supercast/access/settings';
import { refuseListWithoutIds } from '../../../nodes/Supercast/access/sync/prefix';
import { itemWith, NOW, refusalOf } from './records';

const MINUTE_MS = 60_000;
const FRESH: ListArrival = { readingBeganAt: NOW, arrivedAt: NOW, idleMs: 0, mayGetMore: false };

/** Reads items with these parameters, of which some are the same for all. */
function read(
	items: IDataObject[],
	settings: IDataObject = {},
	jsons: IDataObject[] = items,
): { list: MemberList; settings: SyncSettings } {
	const reader = new ListReader(() => ({ fields: {}, leftOut: [] }));
	for (const [index, values] of items.entries()) {
		const options = { ...(settings.options as IDataObject), ...(values.options as IDataObject) };
		const item = itemWith({ ...settings, ...values, options });
		reader.add(index, item, jsons[index] ?? {});
	}
	Array.from(reader.judgeAll(NOW));
	return { list: reader.list, settings: reader.settings };
}

/** Why a list is incomplete. */
function kinds(
	{ list, settings }: ReturnType<typeof read>,
	arrival: Partial<ListArrival> = {},
	now = NOW,
): string[] {
	return incompletenessOf(list, settings, { ...FRESH, ...arrival }, now).map(({ kind }) => kind);
}

const ann = { email: 'ann@example.com', customerId: 'c-1' };
const bob = { email: 'bob@example.com', customerId: 'c-2' };
const ended = { access: 'close', status: 'canceled' };
const withId = (recordId: unknown, values: IDataObject = ann): IDataObject => ({
	...{ ...values, options: { recordId } },
});

describe('an item', () => {
	it('is a record with what it names, its access and its own words', () => {
		const options = { product: { id: 'p1', name: 'Podcast' } };
		const { list } = read([{ ...ann, status: ' Active ', email: ' Ann@Example.com ', options }]);
		expect(list.records).toMatchObject([
			{
				...{ item: 0, email: 'Ann@Example.com', emailKey: 'ann@example.com', customerId: 'c-1' },
				...{ access: 'open', status: 'Active', products: ['Podcast (p1)'] },
			},
		]);
	});

	it.each<[string, IDataObject]>([
		['without fields', {}],
		['with blank fields', { email: '', name: '  ', note: null, tags: [], more: { a: '' } }],
	])('%s is no record', (_, json) => {
		const { list } = read([ann, { email: '' }], {}, [ann, json]);
		expect(list).toMatchObject({ size: 1, invalid: [] });
		expect(read([{ email: '' }], {}, [{ count: 0 }]).list.size).toBe(1);
	});

	it.each<[string, IDataObject, string]>([
		['an email that is none', { email: 'Ann' }, 'not an email address: "Ann" (customer ID c-1)'],
		['a missing value as its ID', { customerId: 'undefined' }, 'text of a missing value'],
		['a missing value behind the prefix', { customerId: 'c-null' }, 'text of a missing value'],
		['a rounded number as its ID', { customerId: 2 ** 53 }, 'not an exact ID'],
		['another prefix', { customerId: 'x-1' }, 'does not begin with "c-" or "d-"'],
		['no name', { email: '', customerId: '' }, 'the item names nobody'],
		['only the prefix as its ID', { email: '', customerId: 'c-' }, 'the item names nobody'],
	])('with %s is invalid, unless it gives no access', (_, values, words) => {
		const settings = { customerIdPrefix: 'c-, d-', closeFor: 'canceled' };
		const json = { name: 'Ann', plan: 'Gold' };
		for (const access of ['open', 'keep', 'nonsense']) {
			const { list } = read([{ ...ann, ...values, access }, bob], settings, [json, bob]);
			expect(list).toMatchObject({ invalid: [{ item: 0 }], records: [{ item: 1 }] });
			expect(list.invalid[0]?.error.message).toContain(words);
			expect(kinds({ list, settings: read([bob], settings).settings })).toEqual(['invalidItems']);
		}
		const closed = read([{ ...ann, ...values, ...ended }, bob], settings, [json, bob]);
		expect(kinds(closed)).toEqual([]);
	});

	it('that names nobody is described by what it shows', () => {
		const { list } = read([{ email: '' }], {}, [{ a: '', Name: 'Ann', Tier: 1, b: true, c: 2 }]);
		const { description } = list.invalid[0]!.error as Error & { description: string };
		expect(description).toContain('The item begins with: Name "Ann", Tier "1", b "true".');
	});

	it('that gives no access keeps the names that are valid', () => {
		const names = (values: IDataObject) => read([{ ...ann, ...values, ...ended }]).list.records;
		expect(names({ email: 'deleted user' })).toMatchObject([{ email: '', customerId: 'c-1' }]);
		expect(names({ customerId: 'null' })).toMatchObject([{ email: ann.email, customerId: '' }]);
		expect(names({ email: '', customerId: '' })).toEqual([]);
	});

	it.each([
		[{}, []],
		[{ error: '' }, []],
		[{ error: false }, []],
		[{ error: 'Timeout' }, ['invalidItems']],
		[{ error: { message: 'Timeout' } }, ['invalidItems']],
	])('of which an earlier node says %j', (more, expected) => {
		expect(kinds(read([ann], {}, [{ ...ann, ...more }]))).toEqual(expected);
		expect(kinds(read([{ ...ann, ...ended }], {}, [{ ...ann, ...more }]))).toEqual([]);
	});

	it('is judged by the words of all: without any status, the column is lost', () => {
		const words = { access: 'byStatus', openFor: 'active', keepFor: '(empty)' };
		const access = (...statuses: unknown[]) =>
			read(
				statuses.map((status) => ({ ...ann, status }) as IDataObject),
				words,
			).list.records.map((one) => one.access);
		expect(access('active', '')).toEqual(['open', 'keep']);
		expect(access('', null)).toEqual(['unclear', 'unclear']);
		expect(access({}, {})).toEqual(['unclear', 'unclear']);
	});
});

describe('a list is incomplete', () => {
	const expecting = (recordsExpected: unknown) => ({ options: { recordsExpected } as IDataObject });
	const two = [withId('r-1'), withId('r-2', bob)];

	it.each<[string, IDataObject[], IDataObject, string[]]>([
		['not with as many different records as expected', two, expecting(2), []],
		['not with more', two, expecting(' 1 '), []],
		['with fewer', two, expecting(3), ['missingRecords']],
		[
			'with fewer different ones',
			[withId('r-1'), withId('r-1', bob)],
			expecting(2),
			['missingRecords', 'doubledIds'],
		],
		['with a record without an ID', [withId('r-1'), withId('', bob)], expecting(1), ['emptyIds']],
		['with no IDs at all', [withId(null), withId(undefined, bob)], {}, ['emptyIds']],
		['with a number that is empty', two, expecting(''), ['unknownNumber']],
		['with a number that is missing', two, expecting(null), ['unknownNumber']],
		[
			'with a text that says why there is no number',
			two,
			expecting('The last page failed'),
			['unknownNumber'],
		],
		['with a number below 0', two, expecting(-1), ['unknownNumber']],
		['without Record ID, with fewer items', [ann, bob], expecting(3), ['missingRecords']],
		['not with numbers as IDs', [withId(0), withId(1, bob)], expecting(2), []],
		[
			'with a number and a text that are the same ID',
			[withId(1), withId(' 1 ', bob)],
			{},
			['doubledIds'],
		],
	])('%s', (_, items, settings, expected) => {
		expect(kinds(read(items, settings))).toEqual(expected);
	});

	it('counts ended and invalid records, too, and no blank items', () => {
		const items = [
			withId('r-1'),
			withId('r-2', { ...bob, ...ended }),
			withId('r-3', { email: 'x' }),
		];
		expect(
			kinds(read([...items, withId('')], expecting(3), [ann, bob, { email: 'x' }, {}])),
		).toEqual(['invalidItems']);
	});

	it('says which records, and which text', () => {
		const { list, settings } = read(
			[withId('r-1'), withId('r-1', bob), withId('')],
			expecting('The last page failed'),
		);
		expect(incompletenessOf(list, settings, FRESH, NOW)).toEqual([
			{ kind: 'unknownNumber', text: 'The last page failed' },
			{ kind: 'emptyIds', items: [2] },
			{ kind: 'doubledIds', ids: ['r-1'] },
		]);
	});

	it.each<[string, Partial<ListArrival>, number, string[]]>([
		['not five minutes after it came', {}, 5 * MINUTE_MS, []],
		['more than five minutes after it came', {}, 5 * MINUTE_MS + 1, ['old']],
		['if its items lay around as long', { idleMs: 5 * MINUTE_MS + 1 }, 0, ['old']],
		['if both together are as long', { idleMs: 3 * MINUTE_MS }, 2 * MINUTE_MS + 1, ['old']],
		['not if reading it took long', { readingBeganAt: NOW - 60 * MINUTE_MS }, 0, []],
		['if it is pinned', { idleMs: undefined }, 0, ['pinned']],
		['if another branch is due', { mayGetMore: true }, 0, ['moreToCome']],
	])('%s', (_, arrival, laterMs, expected) => {
		expect(kinds(read([ann]), arrival, NOW + laterMs)).toEqual(expected);
	});
});

describe('the settings', () => {
	it.each([
		'dryRun',
		'close',
		'customerIdPrefix',
		'maxClosePercent',
		'openFor',
		'keepFor',
		'closeFor',
	])('must be the same for all items: %s', (name) => {
		const other = name === 'dryRun' ? true : name === 'maxClosePercent' ? 9 : 'all, others';
		expect(refusalOf(() => read([ann, { ...bob, [name]: other }]))).toContain(
			'The settings of Sync are not the same for all items',
		);
	});

	it.each([
		{ closeAfter: 3 },
		{ allowOnce: 'close 1 until 2026-11-29 21:00 UTC' },
		{ closeWithPlan: true },
	])('must be the same for all items: the option %j', (options) => {
		expect(refusalOf(() => read([ann, { ...bob, options }]))).toContain('not the same');
	});

	it('of a record may differ', () => {
		const options = { product: 'x', accessUntil: 'Never', recordId: 'r' };
		const other = {
			...bob,
			access: 'keep',
			status: 'x',
			additionalFields: { firstName: 'B' },
			options,
		};
		expect(refusalOf(() => read([ann, other]))).toBe('none');
	});
});

describe('without the Customer ID Prefix that is needed, the error proposes one:', () => {
	const refused = (...ids: unknown[]) =>
		refusalOf(() =>
			read(
				ids.map((customerId) => ({ ...ann, customerId }) as IDataObject),
				{ close: 'prefix' },
			),
		);

	it.each<[string, unknown[], string]>([
		['one system', ['cus_9s6', 'cus_NfJ', ''], 'begin with "cus_". Enter this: cus_'],
		[
			'two systems',
			['cus_9s6', 'patreon-7'],
			'begin with "cus_" and "patreon-". Enter this: cus_, patreon-',
		],
		['several signs', ['wp--7', 'wp--8'], 'Enter this: wp--'],
		['numbers', [17, 18], 'have no common beginning, for example "17". Put one in front of them'],
		['numbers beside a system', ['cus_9s6', '18'], 'have no common beginning'],
		['names of people', ['ann.lee', 'bob_roy', 'cy-orr', 'dee:fox'], 'have no common beginning'],
		['no IDs', ['', ''], 'No item has a customer ID'],
	])('%s', (_, ids, words) => {
		expect(refused(...ids)).toContain("'Customer ID Prefix' is empty");
		expect(refused(...ids)).toContain(words);
	});

	it.each(['all', 'none', 'withCustomerId'])('is not needed with %s', (close) => {
		expect(refusalOf(() => read([ann], { close }))).toBe('none');
	});
});

describe('a list without any customer ID, whose feeds Sync could never close,', () => {
	const refused = (items: IDataObject[], close: string) =>
		refusalOf(() => {
			const all = items.map((one) => ({ ...ann, customerId: '', ...one }));
			const { list, settings } = read(all, { close, customerIdPrefix: 'list-' });
			refuseListWithoutIds(settings, list);
		});

	it.each([
		['prefix', ''],
		['prefix', ' list-'],
		['withCustomerId', ''],
	])('is refused with %s, if all IDs are "%s"', (close, customerId) => {
		const items = [{ customerId }, { customerId, access: 'close' }];
		expect(refused(items, close)).toContain("'Customer ID' is empty in all records");
	});

	it('is refused although one of its emails is wrong', () => {
		const items = [{}, { email: 'bob@example.com' }, { email: 'no email' }];
		expect(refused(items, 'prefix')).toContain("'Customer ID' is empty in all records");
	});

	it.each<[string, IDataObject[], string]>([
		['someone has an ID', [{}, { ...bob, customerId: 'list-7' }], 'prefix'],
		['someone who has left has one', [{}, { access: 'close', customerId: 'list-7' }], 'prefix'],
		['nobody gets a feed', [{ access: 'close' }, { access: 'keep' }], 'prefix'],
		['an ID is wrong, which has its own message', [{}, { customerId: 'list-null' }], 'prefix'],
		['Sync closes the feeds of everyone', [{}], 'all'],
		['Sync closes no feeds', [{}], 'none'],
	])('is not refused if %s', (_, items, close) => {
		expect(refused(items, close)).toBe('none');
	});
});
