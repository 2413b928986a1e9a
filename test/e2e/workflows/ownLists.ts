import {
	column,
	emailIn,
	everyRow,
	listFile,
	membersOnly,
	state,
	statesIn,
	type Listed,
	type MemberExport,
} from './lists';

const own = 'email,id,firstName,lastName,status';
const ownId = ({ at }: Listed) => `m-${at}`;
const ownRow = (one: Listed) => `${one.email},${ownId(one)},${one.name.replace(' ', ',')},active`;
const ownFile = listFile(own, ownRow, membersOnly);

/** Lists that people keep themselves, in Google Sheets, Airtable or Excel. */
export const ownLists: MemberExport[] = [
	{ name: 'the columns of the note', text: ownFile, id: ownId, outcome: 'right' },
	{
		name: 'byte order mark and Windows line ends',
		text: listFile(own, ownRow, { ...membersOnly, end: '\r\n', top: '\ufeff' }),
		id: ownId,
		outcome: 'right',
	},
	{
		name: 'a gift that has ended',
		text: listFile(`${own},until`, (one) => `${ownRow(one)},${state('', '2020-12-31')(one)}`),
		id: ownId,
		outcome: 'right',
	},
	{
		name: 'Google Sheets, with empty rows below',
		text: listFile(own, ownRow, { ...membersOnly, bottom: ',,,,\n,,,,\n' }),
		id: ownId,
		outcome: 'right',
	},
	{
		name: 'semicolons, as in German Excel',
		text: (people) => String(ownFile(people)).replaceAll(',', ';'),
		id: ownId,
		outcome: 'right after reading',
		reading: { rows: { delimiter: ';' } },
	},
	{
		name: 'Windows-1252',
		text: (people) => Buffer.from(String(ownFile(people)).replace('Ann', 'J\u00fcrgen'), 'latin1'),
		id: ownId,
		outcome: 'right',
	},
	{
		name: 'a title above the header',
		text: listFile(own, ownRow, { ...membersOnly, top: 'Members in March,,,,\n' }),
		id: ownId,
		outcome: 'wrong and loud',
	},
];

/** Exports of membership systems and newsletters. Some have people who have left, too. */
export const systemExports: MemberExport[] = [
	{
		name: 'Ghost',
		text: listFile(
			'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers',
			(one) =>
				`65a1b2c3d4e5f6a7b8c9d0${one.at + 10},${one.email},${one.name},,true,,,2025-01-03,,,${state('Gold', '')(one)}`,
		),
		id: ({ at }) => `65a1b2c3d4e5f6a7b8c9d0${at + 10}`,
		outcome: 'right after reading',
		reading: { sync: statesIn('tiers', { openFor: 'Gold', closeFor: '(empty)' }) },
	},
	{
		name: 'Stripe, subscriptions',
		text: listFile(
			'id,Customer ID,Customer Description,Customer Email,Plan,Product,Quantity,Status,Created (UTC),Canceled At (UTC)',
			(one) =>
				`sub_${one.at},cus_${one.at},,${one.email},price_1,prod_1,1,${state('active', 'canceled')(one)},2025-01-03 10:00,`,
		),
		id: ({ at }) => `sub_${at}`,
		outcome: 'right after reading',
		reading: {
			sync: {
				...statesIn('Status', { openFor: 'active, trialing', closeFor: 'canceled' }),
				email: column('Customer Email'),
			},
		},
	},
	{
		name: 'Steady',
		text: listFile(
			'first-name;last-name;email;plan-name;state;started-at',
			(one) =>
				`${one.name.replace(' ', ';')};${one.email};Hörer;${state('active', 'not_renewed')(one)};2025-01-03`,
		),
		outcome: 'right after reading',
		reading: {
			sync: {
				...statesIn('state', { openFor: 'active', closeFor: 'not_renewed' }),
				...emailIn('email'),
			},
			rows: { delimiter: ';' },
		},
	},
	{
		name: 'Mailchimp',
		text: listFile(
			'"Email Address","First Name","Last Name","MEMBER_RATING","OPTIN_TIME"',
			(one) => `"${one.email}","Ann","Bell","2","2025-01-03 10:00:00"`,
			membersOnly,
		),
		outcome: 'right after reading',
		reading: { sync: { ...everyRow, ...emailIn('Email Address') } },
	},
];

/** Files that are damaged, or are something else. */
export const damagedLists: MemberExport[] = [
	{
		name: 'an empty file',
		text: () => '',
		outcome: 'wrong and loud',
	},
	{ name: 'only a header', text: () => `${own}\n`, outcome: 'wrong and loud' },
	{
		name: 'a page to log in',
		text: () => '<!DOCTYPE html>\n<html><body>Sign in, please</body></html>\n',
		outcome: 'wrong and loud',
	},
	{
		name: 'JSON',
		text: (people) => JSON.stringify(people.map(({ email: one }) => ({ email: one }))),
		outcome: 'wrong and loud',
	},
	{
		name: 'a quote that nobody closed',
		text: (people) => String(ownFile(people)).replace('Ann', '"Ann'),
		id: ownId,
		outcome: 'wrong and loud',
	},
	{
		name: 'a cell too many',
		text: (people) => String(ownFile(people)).replace('active', 'active,'),
		id: ownId,
		outcome: 'wrong and loud',
	},
];
