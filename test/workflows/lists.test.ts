import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { counting, theList, whoIs } from './records';
import { tableOf } from './tables';

const FILE = 'any-list.json';
/** The accesses that change something. Everything else is told, and treated like `keep`. */
const CHANGES = ['open', 'close'];

const row = (more: IDataObject = {}): IDataObject => ({
	...{ email: 'ana@example.com', id: '17', firstName: 'Ana', lastName: 'Bell' },
	...more,
});
const one = (more: IDataObject, edit?: ReturnType<typeof counting>) =>
	whoIs(FILE, [row(more)], { edit })[0] ?? {};
const day = (days: number) => DateTime.now().plus({ days }).toISODate();

describe('a list without states', () => {
	it('counts everyone, as their own columns say', () => {
		expect(one({})).toMatchObject({
			...{ email: 'ana@example.com', customerId: 'list-17', access: 'open', status: '' },
			...{ firstName: 'Ana', lastName: 'Bell' },
		});
	});

	it('counts nobody before a person has said who counts, if the file has other columns', () => {
		const strange = { Tier: 'Gold' };
		expect(CHANGES).not.toContain(one(strange).access);
		expect(one(strange, counting({ everyRow: 'open' })).access).toBe('open');
	});

	it('takes an email with capital letters as the same ID', () => {
		expect(one({ id: '', email: ' Ana@Example.com ' })).toMatchObject({
			...{ email: 'Ana@Example.com', customerId: 'list-ana@example.com' },
		});
	});

	it('takes the mark of a spreadsheet for text off emails and IDs, and no other apostrophe', () => {
		expect(one({ email: "'ana@example.com", id: "'017" })).toMatchObject({
			...{ email: 'ana@example.com', customerId: 'list-017' },
		});
		expect(one({ email: "o'neil@example.com" }).email).toBe("o'neil@example.com");
	});

	it('leaves out rows that nobody has used, and passes an empty list on', () => {
		const empty = { email: '', id: '', firstName: '', lastName: '' };
		const unused = { ...empty, paid: 'FALSE' };
		expect(whoIs(FILE, [row(), empty, unused]).map(({ email }) => email)).toEqual([
			'ana@example.com',
		]);
		for (const rows of [[empty], [unused], [{}]]) {
			const [record] = whoIs(FILE, rows);
			expect([record?.email, record?.customerId]).toEqual(['', '']);
			expect(CHANGES).not.toContain(record?.access);
		}
	});

	it('says so if letters are unreadable', () => {
		const hint = (rows: IDataObject[]) =>
			theList(FILE, rows, { ran: { 'Read the Rows': rows } }).hint;
		expect(hint([row(), row({ firstName: 'J\ufffdrgen' })])).toMatch(/^Letters are unreadable/);
		expect(hint([row()])).toBe('');
	});
});

describe('a column of states', () => {
	const states = counting({ 'access.active': 'open', 'access.expired': 'close' });

	it.each([
		['active', 'open'],
		['Active', 'open'],
		[' ACTIVE ', 'open'],
		['expired', 'close'],
		['Expired', 'close'],
	])('%j: %s', (status, access) => {
		expect(one({ status }, states)).toMatchObject({ access, status: status.trim() });
	});

	it.each([
		'#N/A',
		'#REF!',
		'#ERROR!',
		'Loading...',
		'',
		' ',
		'activ',
		'FALSE',
		'open',
		'close',
		'0',
	])('nobody is opened or closed for %j, and the status says which it is', (status) => {
		const record = one({ status }, states);
		expect(CHANGES).not.toContain(record.access);
		expect(record.status).toBe(status.trim() || '(empty)');
	});

	it('can say what an empty cell means', () => {
		const edit = counting({ 'access.active': 'open', 'access.(empty)': 'close' });
		expect(one({ status: '' }, edit).access).toBe('close');
	});

	it('takes a column with another name', () => {
		const edit = counting({
			...{ 'column.status': 'Patron Status', 'column.email': 'Email' },
			...{ 'access.Active patron': 'open', 'access.Former patron': 'close' },
		});
		const of = (state: string) =>
			whoIs(FILE, [{ Email: 'ben@example.com', 'Patron Status': state }], { edit })[0];
		expect(of('Active patron')).toMatchObject({ access: 'open', email: 'ben@example.com' });
		expect(of('Former patron')?.access).toBe('close');
		expect(CHANGES).not.toContain(of('Declined patron')?.access);
	});

	const tools = tableOf('CSV files of other tools');

	it('knows what six tools say', () => {
		expect(new Set(tools.map(([tool]) => tool)).size).toBe(6);
	});

	it.each(tools)(
		'%s says %s, which closes nobody unasked, and means %s if a person says so',
		(_, word, access) => {
			expect(CHANGES).not.toContain(one({ status: word }).access);
			const edit = counting({ [`access.${word}`]: access });
			expect(one({ status: word }, edit).access).toBe(access);
		},
	);
});

describe('the column until', () => {
	it.each([
		['', 'open'],
		[day(0), 'open'],
		[day(1), 'open'],
		[day(-1), 'close'],
		['2020-12-31', 'close'],
		['2020-12-31T23:59:59.000Z', 'close'],
		['2020-12-31 10:00', 'close'],
	])('%s: %s', (until, access) => {
		expect(one({ until }).access).toBe(access);
	});

	it.each([
		...['2026-11', '2026', 2026, '12', 12, '12:00', '46387', 46387, '31.12.2020', '12/31/2020'],
		...['2020-13-45', '2020-12-31 and later', 'soon', '#N/A', 'next year', '20201231', '2020-12-3'],
	])('%j is no day, so nothing changes, and the status says which it is', (until) => {
		const record = one({ until }, counting({ everyRow: 'open' }));
		expect(CHANGES).not.toContain(record.access);
		expect(record.status).toContain(String(until));
	});

	it('is named Expires at by Substack', () => {
		const edit = counting({ everyRow: 'open' });
		const of = (at: string) =>
			whoIs(FILE, [{ email: 'ana@example.com', 'Expires at': at }], { edit })[0]?.access;
		expect([of(''), of(day(1)), of('2020-12-31T10:00:00.000Z')]).toEqual(['open', 'open', 'close']);
		expect(CHANGES).not.toContain(of('December'));
	});

	it('keeps who has canceled and paid until a later day, and then closes them', () => {
		const edit = counting({ 'access.cancelled': 'close', 'access.active': 'open' });
		expect(one({ status: 'cancelled', until: day(3) }, edit).access).toBe('keep');
		expect(one({ status: 'cancelled', until: day(-3) }, edit).access).toBe('close');
		expect(one({ status: 'active', until: day(3) }, edit).access).toBe('open');
	});
});
