import type { IDataObject } from 'n8n-workflow';

import {
	namelessItem,
	unknownMembers,
	wrongColumn,
	type ListItem,
} from '../../../nodes/Supercast/access/sync/list/columns';
import { readPerson } from '../../../nodes/Supercast/access/settings';
import type { SyncReport } from '../../../nodes/Supercast/report/report';
import { requireEmail } from '../../../nodes/Supercast/operations/texts';
import { DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { NOW, parametersOf, refusal, runRows, type Parameters, type Row } from './running';

/** Items for which 'Email' and 'Customer ID' give these values. */
const items = (
	count: number,
	json: IDataObject,
	email: unknown = '',
	customerId = '',
): ListItem[] => Array.from({ length: count }, () => ({ json, email, customerId }));

describe('a column of emails that is missing everywhere', () => {
	const told = (all: readonly ListItem[]): string => {
		const { message, description } = wrongColumn(all) ?? {};
		return message === undefined ? 'none' : `${message}. ${description}`;
	};

	it.each<[string, ListItem[], string]>([
		[
			'names the columns',
			items(40, { Name: 'Ann', 'E-post': '-', Tier: 'Gold' }),
			"'Email' is empty in 40 of 40 items. The items have: Name, E-post, Tier. In 'Email', choose the one with the email.",
		],
		[
			'names the one that has emails',
			items(3, { Name: 'Ann', 'E-post': ' ann@a.com ' }),
			'The emails are in "E-post". Set \'Email\' to {{ $json["E-post"] }}.',
		],
		[
			'names one inside an object, as in Airtable',
			items(3, { id: 'rec1', fields: { Email: 'ann@a.com' } }),
			'The emails are in "fields.Email". Set \'Email\' to {{ $json.fields.Email }}.',
		],
		[
			'names one deep inside, as in Notion',
			items(3, { properties: { 'E-mail': { type: 'email', email: 'ann@a.com' } } }),
			'{{ $json.properties["E-mail"].email }}',
		],
		[
			'names a list that was not split, even in one item',
			items(1, { data: [{ email: 'ann@a.com' }] }),
			'The emails are in a list, "data". Add a Split Out node for "data" before Sync.',
		],
		[
			'shows a value that is not an email',
			items(3, { name: 'Ann Smith', mail: '' }, 'Ann Smith', 'c-1'),
			'\'Email\' is not an email address in 3 of 3 items, for example "Ann Smith". The items have: name, mail.',
		],
		[
			'shows that the value is an object',
			items(3, { email: { value: 5 } }, { value: 5 }),
			'for example "an object"',
		],
		[
			'knows another delimiter by the only column',
			items(3, { 'Name;E-post;Tier': 'Ann;ann@a.com;Gold' }),
			'The first column is "Name;E-post;Tier", so the file has another delimiter. Set \'Delimiter\' to ";"',
		],
		[
			'knows tabs',
			items(3, { 'Name\tEmail': 'Ann\tann@a.com' }),
			"Set 'Delimiter' to a tab in the node that reads the file.",
		],
		[
			'knows another encoding by names of columns',
			items(3, { 'Name f\uFFFDr': 'J\uFFFDrg', 'E-Mail': '' }),
			"so the file has another encoding. Set 'Encoding' in the node that reads the file, for example to windows1252. The items have: Name f\uFFFDr, E-Mail.",
		],
		[
			'knows another encoding also if that column has the emails',
			items(3, { 'E-Mail f\uFFFDr': 'ann@a.com' }),
			"Set 'Encoding'",
		],
		['knows a file in UTF-16', items(3, { 'E\0m\0a\0i\0l\0': 'a\0' }), 'The items have: Email.'],
		[
			'knows a byte order mark',
			items(3, { '\uFEFFemail': 'ann@a.com' }),
			"byte order mark (U+FEFF). Rename the column. If it comes from a file, turn on 'Exclude Byte Order Mark (BOM)'",
		],
		[
			'knows a file without names of columns',
			items(3, { Ann: 'Bob', 'ann@a.com': 'bob@a.com' }),
			"Turn off 'Header Row' in the node that reads the file.",
		],
		['knows items without columns', items(3, {}), 'add an Extract From File node before Sync'],
		[
			'names the first twelve columns',
			items(3, Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`c${index}x`, 1]))),
			'c10x, c11x and 2 more. In',
		],
		[
			'is told by most items',
			[...items(3, { a: 1 }), ...items(2, {}, 'ann@a.com')],
			"'Email' is empty in 3 of 5 items",
		],
		['is not told by half of them', [...items(2, { a: 1 }), ...items(2, {}, 'a@a.com')], 'none'],
		['is not told by two without an email anywhere', items(2, { a: 1 }), 'none'],
		['is not told by members with an ID only', items(40, { a: 1 }, '', 'c-1'), 'none'],
	])('%s', (_, all, words) => {
		expect(told(all)).toContain(words);
	});

	it('is told by members whose customer IDs nobody has', () => {
		const all = items(3, { id: 'c-1', mail: 'ann@a.com' });
		expect(unknownMembers(4, 6, all)).toMatchObject({
			message: '4 of 6 members have no email, and a customer ID that Supercast does not know',
			description: expect.stringContaining('The emails are in "mail".'),
		});
	});

	it('in one item is an error that shows the item', () => {
		expect(namelessItem({ a: '', Name: 'Ann', Tier: 'Gold', b: 1, c: 2 }).description).toContain(
			'It begins with: Name "Ann", Tier "Gold", b "1".',
		);
		expect(namelessItem({}).description).toContain('It has no values.');
	});
});

describe('a customer ID', () => {
	const read = async (id: unknown): Promise<string> =>
		await refusal(() => readPerson(parametersOf({ email: 'a@a.com', id } as IDataObject), 'Sync'));

	it.each([
		...['undefined', 'NULL', 'null', 'NaN', 'False', 'true', '0', 0, 'none', 'N/A', '#N/A', '-'],
		...['[object Object]', '{}', '{"id":5}', '[]', true, false, ' null '],
	])('that stands for a missing value is refused: %j', async (id) => {
		expect(await read(id)).toContain(
			`'Customer ID' is "${String(id).trim()}", which is the text of a missing value. With such an ID`,
		);
	});

	it.each([
		...['10', 'wp-10', 'C-0', 'nullify', 'true-fan', 'nan-li', 'V1StGXR8_Z5jdHi6B-', 'cus_0a'],
		...[
			'helen.0',
			'susan.0',
			'cus_0',
			'ann:0',
			'jo-none',
			'kim.null',
			'x_true',
			9007199254740991,
			-1,
		],
		...['00000000-0000-0000-0000-000000000000', '{1b4e28ba-2fa1-41d2-883f-0016d3cca427}', '', null],
	])('of any other form is accepted: %j', async (id) => {
		expect(await read(id)).toBe('none');
	});
});

/** Real forms of IDs: of user names, keys, numbers and hashes. Yesterday's lists have them. */
const IDS_OF_SYSTEMS = [
	...['cus_9s6XKzkNRiz8i3', 'sub_1MowQVLkdIwHu7ixeRlqHVzs', 'I-BW452GLLEP1G', '5f9c1e2d4b', '1000'],
	...[
		'6501f2c9e4b0a7d1c2f3a4b5',
		'2f6c1f5e-6b0a-4a8e-9d5b-0c1f7c9a4e21',
		'helen.0',
		'ann.bell',
		'0x1F',
	],
	...[
		'patreon_82736451',
		'wp-17',
		'woo-10',
		'gid://shopify/Customer/6940095',
		'1e15',
		'0012',
		'A0',
	],
	...[
		'rec8116cdd76088af',
		'user|auth0|5f7c8ec7c33c6c004bbafe82',
		'M-2026.10',
		'JD-1001',
		'ann@a.com',
	],
];

describe('the customer IDs of systems', () => {
	it.each(IDS_OF_SYSTEMS)('are accepted: %s', async (id) => {
		const rows = [
			{ email: 'ann@a.com', id },
			{ email: 'bob@a.com', id: `${id}1` },
		];
		const { text, service } = await run([], rows);
		expect([text, service.changes.length]).toEqual(['none', 2]);
	});
});

describe('a number as a customer ID', () => {
	const read = async (id: unknown): Promise<string> =>
		await refusal(() => readPerson(parametersOf({ email: 'a@a.com', id } as IDataObject), 'Sync'));

	it.each([9007199254740993, 1.23457e15 + 0.5, 1.5, 1e21, -9007199254740992])(
		'that JSON cannot hold is refused, with the way to text: %j',
		async (id) => {
			const text = await read(id);
			expect(text).toContain(`'Customer ID' is the number ${id}, which is not an exact ID`);
			expect(text).toContain('Let the source send the ID as text.');
		},
	);
});

describe('an email', () => {
	it.each([
		...['a..b@docomo.ne.jp', '.ann.@ezweb.ne.jp', 'ivan@x.xn--p1ai', 'иван@почта.рф', 'a@b.museum'],
		...["o'hara+news/1@a.co.uk", '用户@例子.广告', 'a_b=c{d}@a-b.com', 'ANN@A.COM'],
	])('that is unusual stays as it is: %s', (email) => {
		expect(requireEmail(` ${email} `, 'Email')).toBe(email);
	});

	it.each([
		['#N/A', 'Enter it in the form name@example.com.'],
		['Loading...', 'Enter it in the form name@example.com.'],
		['ana smith@a.com', 'Enter it in the form name@example.com.'],
		['ann@yahoo.co,uk', 'Enter it in the form name@example.com.'],
		['ann@a.com, bob@a.com', 'Enter it in the form name@example.com.'],
		['ann@a.com bob@a.com', 'Enter it in the form name@example.com.'],
		['ann@@a.com', 'Enter it in the form name@example.com.'],
		['ann@a', 'Enter it in the form name@example.com.'],
		['Ann Smith <ann@a.com>', 'Enter only the address: ann@a.com'],
		['"Ann, Smith" <ann@a.com>', 'Enter only the address: ann@a.com'],
		['mailto:ann@a.com', 'Enter only the address: ann@a.com'],
		['ann@a.com;', 'Enter only the address: ann@a.com'],
	])('that is none is named, and never cut: %s', async (email, remedy) => {
		const row = parametersOf({ email, id: 'cus_5' });
		expect(await refusal(() => readPerson(row, 'Sync'))).toBe(
			`'Email' is not an email address: "${email}" (customer ID cus_5). ${remedy}`,
		);
	});
});

const run = async (
	subscribers: Held[],
	rows: Row[],
	parameters: Parameters = {},
): Promise<{ service: DirectSupercast; result: SyncReport | undefined; text: string }> => {
	const service = new DirectSupercast(subscribers, NOW);
	let result: SyncReport | undefined;
	const text = await refusal(async () => (result = await runRows(service, rows, parameters)));
	return { service, result, text };
};

const crowd = (count: number, idOf = (number: number) => `c-${number}`): Held[] =>
	Array.from({ length: count }, (_, number) => held(number, { customer_id: idOf(number) }));

const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

describe('members who are known by ID only', () => {
	it('stay open, whether the list has emails or not', async () => {
		const people = crowd(6);
		const rows = people.map(({ customer_id: id }) => ({ email: '', id: id ?? '' }));
		const { text, service } = await run(people, rows);
		expect([text, service.changes]).toEqual(['none', []]);
	});

	it('are refused if Supercast knows none of them, whatever the limit', async () => {
		const rows = Array.from({ length: 6 }, (_, number) => ({ email: '', id: `x-${number + 1}` }));
		const { text } = await run(crowd(6), rows);
		expect(text).toContain('6 of 6 members have no email');
		expect(text).not.toContain('Max Close (Feeds)');
	});
});

describe('rows that share a customer ID', () => {
	const people = crowd(20);
	const list = people.map(rowOf);
	const shared = (count: number, id: string, email = ''): Row[] =>
		Array.from({ length: count }, () => ({ email, id }));

	it('count as rows, not as one member, if they have no email', async () => {
		const { text, service } = await run(people, [
			...[...list.slice(0, 15), ...shared(8, 'x-8'), ...shared(8, 'x-9')],
		]);
		expect(text).toContain('16 of 31 members have no email');
		expect(service.changes).toEqual([]);
	});

	it('are refused if most items have the same one, although Supercast knows it', async () => {
		const { text, service } = await run(people, [...list.slice(0, 4), ...shared(5, 'c-9')]);
		expect(text).toContain('5 of 9 have the customer ID "c-9" and no email');
		expect(service.changes).toEqual([]);
	});

	it.each<[string, Row[]]>([
		['of different people', ['a', 'b'].map((name) => ({ email: `${name}@b.com`, id: 'wp-null' }))],
		['without emails', shared(2, 'woo-0')],
	])('are refused if it may be the text of a missing value, on rows %s', async (_, rows) => {
		const { text, service } = await run(people, [...list, ...rows]);
		expect(text).toContain('the text of a missing value, and 2 people have it');
		expect(service.changes).toEqual([]);
	});

	it.each<[string, Row[]]>([
		['of one person who pays twice', shared(2, 'helen.0', 'helen@a.com')],
		['of one person with an ID and no email', shared(4, 'c-3')],
	])('are accepted: those %s', async (_, rows) => {
		expect((await run(people, [...list, ...rows])).text).toBe('none');
	});
});

describe('a name that is right only if Supercast has it', () => {
	const people = crowd(8);
	const list = people.map(rowOf);

	it.each<[string, Row, string]>([
		["a spreadsheet's mark", { email: "'ana@a.com", id: 'c-99' }, 'begins with an apostrophe'],
		['a shortened number', { email: 'ana@a.com', id: '1.23457E+15' }, 'last digits are lost'],
		['a fraction', { email: 'ana@a.com', id: '1000.0' }, 'The ID is probably 1000.'],
		['the ID of someone else', { email: 'ana@a.com', id: 'wp-null' }, 'both n@a.com and ana@a.com'],
	])('is refused and named: %s', async (_, row, words) => {
		const holder = held(9, { email: 'n@a.com', customer_id: 'wp-null' });
		const { text, service } = await run([...people, holder], [...list, row]);
		expect(text).toContain(words);
		expect(service.changes).toEqual([]);
	});

	it('stops only its own item if the node continues, and the list closes no feeds', async () => {
		const service = new DirectSupercast(people, NOW);
		const rows = [{ email: "'ana@a.com" }, ...list.slice(1), { email: 'new@a.com', id: 'c-new' }];
		const rejected: number[] = [];
		await runRows(service, rows, {}, { tools: { reject: ({ item }) => rejected.push(item) } });
		expect(rejected).toEqual([0]);
		expect(service.subscribers.map(({ state }) => state)).not.toContain('deactivated');
		const emails = service.subscribers.map(({ email }) => email);
		expect(emails).toContain('new@a.com');
		expect(emails.join()).not.toContain('ana@');
	});

	it('is accepted if Supercast has it', async () => {
		const spoiled = [
			held(20, { email: "'ana@a.com", customer_id: '1.23457E+15' }),
			held(21, { customer_id: '1000.0' }),
		];
		const rows = [...list, ...spoiled.map(rowOf), { email: 'new@a.com', id: '1001.0' }];
		const { text, service } = await run([...people, ...spoiled], rows);
		expect([text, service.changes.length]).toEqual(['none', 1]);
	});
});

describe('feeds that would move to other people', () => {
	const limited = { maxClosePercent: 5 };
	/** The first `count` members with another email. */
	const moved = (people: Held[], count: number): Row[] =>
		people.map((one, index) => ({
			...rowOf(one),
			...(index < count && { email: `n${index}@b.com` }),
		}));

	it('are refused if customer IDs are row numbers and a row is inserted', async () => {
		const people = crowd(20, (number) => String(number + 1));
		const emails = people.map(({ email }) => email);
		emails.splice(9, 0, 'new@a.com');
		const rows = emails.map((email, index) => ({ email, id: String(index + 1) }));
		const { text, service } = await run(people, rows, limited);
		expect(text).toContain(
			'Sync would give a new email to 11 of 20 members whom it knows by customer ID, but the limit is 3',
		);
		expect(text).toContain('For example, the feed of m9@a.com would go to new@a.com.');
		expect(text).toContain("set 'Max Close (%)' to 55 for one run");
		expect(service.changes).toEqual([]);
	});

	it.each<[number, number, Parameters, boolean]>([
		[3, 20, limited, false],
		[4, 20, limited, true],
		[5, 100, limited, false],
		[6, 100, limited, true],
		[11, 20, { maxClosePercent: 55 }, false],
		[4, 20, { maxClosePercent: 0 }, true],
	])('are counted: %i of %i with %j, refused: %s', async (count, all, parameters, isRefused) => {
		const people = crowd(all);
		const { text, service } = await run(people, moved(people, count), parameters);
		expect(text.startsWith('Sync would give a new email')).toBe(isRefused);
		expect(service.changes).toHaveLength(isRefused ? 0 : count);
	});

	it('are shown in a dry run, with the warning', async () => {
		const people = crowd(20);
		const rows = moved(people, 4);
		const { text, result } = await run(people, rows, { ...limited, dryRun: true });
		expect(text).toBe('none');
		expect(result!.records.map(({ json }) => json.changes)).toContainEqual({
			email: { from: 'm0@a.com', to: 'n0@b.com' },
		});
		expect(result!.hints.map(({ message }) => message).join()).toContain('An ID must always name');
	});
});

describe('a joined list', () => {
	const idOf = (number: number): string => `${number < 6 ? 'cus_' : 'patreon-'}${number + 1}`;
	const options = (customerIdPrefix: string): Parameters => ({
		options: { customerIdPrefix, output: 'changesAndSummary' },
	});
	const closed = ({ service }: { service: DirectSupercast }): string[] =>
		service.subscribers.filter(({ state }) => state === 'deactivated').map(({ email }) => email);

	it('without one of its systems closes nobody of that system, and says so', async () => {
		const people = crowd(9, idOf);
		const done = await run(people, people.slice(1, 6).map(rowOf), options('cus_, patreon-'));
		expect(closed(done)).toEqual(['m0@a.com']);
		expect(done.result!.records.at(-1)!.json).toMatchObject({
			title: 'Supercast: 1 feed closed, the list has nobody with "patreon-"',
			text: expect.stringContaining(
				'Nobody on it has a customer ID with "patreon-", but 3 open feeds have.',
			),
		});
	});

	it.each<[string, Held[], Row[], string, string[]]>([
		[
			'with one member of the other system',
			crowd(9, idOf),
			crowd(7, idOf).map(rowOf),
			'cus_, patreon-',
			['m7@a.com', 'm8@a.com'],
		],
		[
			'whose other system has no open feed yet',
			crowd(6, idOf),
			crowd(5, idOf).map(rowOf),
			'cus_, patreon-',
			['m5@a.com'],
		],
		[
			'with one prefix and no IDs',
			crowd(6, idOf),
			crowd(5).map(({ email }) => ({ email })),
			'cus_',
			['m5@a.com'],
		],
	])('closes as ever %s', async (_, people, rows, prefix, expected) => {
		const done = await run(people, rows, options(prefix));
		expect(closed(done)).toEqual(expected);
		expect(done.result!.records.at(-1)!.json.title).not.toContain('nobody');
	});

	it('is refused if an ID is only the prefix', async () => {
		const rows = [{ email: 'a@a.com', id: 'my site 2-' }];
		expect((await run([], rows, options('my site 2-'))).text).toContain(
			'\'Customer ID\' is "my site 2-", which is the text of a missing value',
		);
	});
});
