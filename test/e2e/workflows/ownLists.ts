import {
	column,
	emailIn,
	everyRow,
	listFile,
	membersOnly,
	state,
	type Listed,
	type MemberExport,
} from './lists';

const own = 'email,id,firstName,lastName,status';
const ownId = ({ at }: Listed) => `m-${at}`;
const ownRow = (one: Listed) => `${one.email},${ownId(one)},${one.name.replace(' ', ',')},active`;
const firstRowOf = (text: MemberExport['text'], change: (row: string) => string) => {
	return (people: Listed[]) => {
		const [header = '', first = '', ...rows] = String(text(people)).split('\n');
		return [header, change(first), ...rows].join('\n');
	};
};
const ownFile = listFile(own, ownRow, membersOnly);

/** The list with another delimiter, which the owner sets in the node that reads the file. */
const delimitedBy = (delimiter: string, name: string): MemberExport => ({
	name,
	text: listFile(
		own.replaceAll(',', delimiter),
		(one) => ownRow(one).replaceAll(',', delimiter),
		membersOnly,
	),
	id: ownId,
	outcome: 'right after reading',
	reading: { rows: { delimiter } },
});

/** Lists that people keep themselves, in Google Sheets, Airtable or Excel. */
export const ownLists: MemberExport[] = [
	{ name: 'the columns of the note', text: ownFile, id: ownId, outcome: 'right' },
	{
		name: 'only emails',
		text: listFile('email', ({ email: one }) => one, membersOnly),
		outcome: 'right after reading',
		reading: { sync: { ...everyRow, ...emailIn('email') } },
	},
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
		name: 'a gift that has ended, in another form',
		text: listFile(`${own},until`, (one) => `${ownRow(one)},${state('', '31.12.2020')(one)}`),
		id: ownId,
		outcome: 'wrong and loud',
		told: /31\.12\.2020/,
	},
	{
		name: 'Google Sheets, with empty rows below',
		text: listFile(own, ownRow, { ...membersOnly, bottom: ',,,,\n,,,,\n' }),
		id: ownId,
		outcome: 'right',
	},
	{
		name: 'Google Forms',
		text: listFile(
			'Timestamp,Email Address,Your name',
			(one) => `1/3/2025 10:00:00,${one.email},${one.name}`,
			membersOnly,
		),
		outcome: 'right after reading',
		reading: { sync: { ...everyRow, ...emailIn('Email Address') } },
	},
	{
		name: 'Airtable',
		text: listFile(
			'Name,Email,Tier,Left on',
			(one) => `${one.name},${one.email},Gold,${state('', '2026-10-01')(one)}`,
		),
		outcome: 'right after reading',
		reading: {
			sync: { ...everyRow, ...emailIn('Email') },
			options: { accessUntil: column('Left on') },
		},
	},
	{
		name: 'a Swedish header',
		text: listFile('Namn,E-post,Nivå', (one) => `${one.name},${one.email},Guld`, membersOnly),
		outcome: 'right after reading',
		reading: { sync: { ...everyRow, ...emailIn('E-post') } },
	},
	{
		name: 'capital letters in the header',
		text: listFile('EMAIL,ID', (one) => `${one.email},${ownId(one)}`, membersOnly),
		id: ownId,
		outcome: 'right after reading',
		reading: {
			sync: { ...everyRow, email: column('EMAIL'), customerId: "=list-{{ $json['ID'] }}" },
		},
	},
	delimitedBy(';', 'semicolons, as in German Excel'),
	delimitedBy('\t', 'tabs'),
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
	{
		name: 'emails with capital letters and spaces',
		text: listFile(
			own,
			(one) => ownRow({ ...one, email: ` ${one.email.toUpperCase()} ` }),
			membersOnly,
		),
		id: ownId,
		outcome: 'right',
	},
	{
		name: 'someone twice',
		text: (people) => ownFile([...people, ...people.slice(0, 1)]),
		id: ownId,
		outcome: 'right',
	},
	{
		name: 'only IDs, for people who are in Supercast',
		text: (people) =>
			listFile(
				'id,firstName,status',
				(one) => `${ownId(one)},Ann,active`,
				membersOnly,
			)(people.filter(({ at }) => at > 0)),
		id: ownId,
		hasNoNew: true,
		outcome: 'right',
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
		text: firstRowOf(ownFile, (row) => row.replace('Ann', '"Ann')),
		id: ownId,
		outcome: 'wrong and loud',
	},
	{
		name: 'a cell too many',
		text: firstRowOf(ownFile, (row) => `${row},`),
		id: ownId,
		outcome: 'wrong and loud',
	},
	{
		name: '#N/A in place of an email',
		text: firstRowOf(ownFile, (row) => row.replace(/^[^,]+/, '#N/A')),
		id: ownId,
		outcome: 'wrong and loud',
	},
	{
		name: 'a comma in an address',
		text: firstRowOf(ownFile, (row) => row.replace(/^[^,]+/, '"ann@yahoo.co,uk"')),
		id: ownId,
		outcome: 'wrong and loud',
	},
	{
		name: 'N/A in place of IDs',
		text: listFile(own, (one) => ownRow(one).replace(ownId(one), 'N/A'), membersOnly),
		outcome: 'wrong and loud',
	},
	{
		name: 'row numbers as IDs, after a row was inserted',
		text: listFile(own, (one) => ownRow(one).replace(ownId(one), `m-${one.at + 1}`), membersOnly),
		id: ownId,
		outcome: 'wrong and loud',
	},
];
