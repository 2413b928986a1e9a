import { match, type Conflict, type Person } from '../../../nodes/Supercast/access/people';
import type { MemberRecord } from '../../../nodes/Supercast/access/record';
import type { CurrentSubscriber } from '../../../nodes/Supercast/access/subscribers';
import { finish } from '../../../nodes/Supercast/operations/steps';
import { record, subscriber } from './records';

/** Records in the order of the list: email, customer ID, access. */
const rows = (...all: Array<[string, string, MemberRecord['access']?]>): MemberRecord[] =>
	all.map(([email, customerId, access = 'open'], item) =>
		record({ item, email, customerId, access }),
	);

const feeds = (...all: Array<[string, string | null]>): CurrentSubscriber[] =>
	all.map(([email, id], index) => subscriber({ uuid: `u-${index}`, email, customer_id: id }));

const people = (
	records: MemberRecord[],
	subscribers: CurrentSubscriber[] = [],
): readonly Person[] => finish(match(records, subscribers)).people;

const [ANN, OLD, BOB] = ['ann@example.com', 'old@example.com', 'bob@example.com'];

describe('records are one person', () => {
	it.each<[string, MemberRecord[], CurrentSubscriber[]]>([
		['with the same customer ID', rows([ANN, 'c-1'], ['', 'c-1']), []],
		['with the same email, in other letters', rows([ANN, 'c-1'], ['ANN@Example.com', 'c-2']), []],
		['over a third record', rows([ANN, ''], ['', 'c-1'], [ANN, 'c-1']), []],
		['with the same subscriber', rows([ANN, ''], ['', 'c-1']), feeds([ANN, 'c-1'])],
		['if one is kept, and one unclear', rows([ANN, 'c-1', 'keep'], [ANN, '', 'unclear']), []],
	])('%s', (_, records, subscribers) => {
		const [person, ...others] = people(records, subscribers);
		expect(others).toEqual([]);
		expect(person?.records).toEqual(records);
		expect(person?.conflict).toBeUndefined();
	});

	it('not with another email, another ID, or an ID in other capitals', () => {
		expect(people(rows([ANN, 'c-1'], [BOB, 'C-1'], [OLD, '']))).toHaveLength(3);
	});

	it('not over a record that gives no access', () => {
		const ended = rows([ANN, 'c-1'], [BOB, 'c-1', 'close'], [BOB, 'c-2']);
		const found = people(ended, feeds([ANN, 'c-1'], [BOB, 'c-2']));
		expect(found.map(({ conflict, email }) => [email, conflict])).toEqual([
			[ANN, undefined],
			[BOB, undefined],
		]);
	});
});

describe('a person', () => {
	it('is a member if one record is open, and otherwise stays as it is', () => {
		expect(people(rows([ANN, '', 'keep'], [ANN, '', 'open']))[0]?.access).toBe('open');
		expect(people(rows([ANN, '', 'keep'], [ANN, '', 'unclear']))[0]?.access).toBe('keep');
	});

	it('has the first email of the list, and the IDs of memberships that are open first', () => {
		const found = people(
			rows(['', 'c-1', 'keep'], [ANN, 'c-1', 'keep'], ['ANN@example.com', 'c-2']),
		);
		expect(found).toMatchObject([{ email: ANN, customerIds: ['c-2', 'c-1'] }]);
	});

	it('has the subscriber with one of the IDs or the email', () => {
		const both = feeds([OLD, 'c-2'], [BOB, null], ['other@example.com', 'c-9']);
		const found = finish(match(rows([ANN, 'c-1'], [ANN, 'c-2'], [BOB, '']), both));
		expect(found.people.map(({ subscribers }) => subscribers)).toEqual([[both[0]], [both[1]]]);
		expect(found.unlisted).toEqual([{ subscriber: both[2], ended: [] }]);
	});
});

describe('a subscriber who is nobody’s on the list', () => {
	it('has the records that give no access, by ID or email, also over a third one', () => {
		const records = rows([ANN, 'c-1', 'close'], ['', 'c-1', 'close'], [BOB, 'c-2', 'close']);
		const [one, two] = feeds([OLD, 'c-1'], [BOB, null]);
		expect(finish(match(records, [one!, two!])).unlisted).toEqual([
			{ subscriber: one, ended: records.slice(0, 2) },
			{ subscriber: two, ended: records.slice(2) },
		]);
	});
});

type Cures = Record<string, [MemberRecord[], CurrentSubscriber[]]>;

/** A conflict, what cures it, and the same person afterwards. */
const CONFLICTS: Record<string, [MemberRecord[], CurrentSubscriber[], Conflict, Cures]> = {
	'two emails with one customer ID': [
		rows([ANN, 'c-1'], [OLD, 'c-1']),
		feeds([ANN, 'c-1']),
		'severalEmails',
		{
			'one email at the membership system': [rows([ANN, 'c-1'], [ANN, 'c-1']), feeds([ANN, 'c-1'])],
		},
	],
	'the ID of one, and the email of another': [
		rows([ANN, 'c-1'], [BOB, 'c-2']),
		feeds([BOB, 'c-1']),
		'emailOfAnother',
		{ 'the right email at Supercast': [rows([ANN, 'c-1'], [BOB, 'c-2']), feeds([ANN, 'c-1'])] },
	],
	'two subscribers with one ID': [
		rows([ANN, 'c-1']),
		feeds([ANN, 'c-1'], [OLD, 'c-1']),
		'severalSubscribers',
		{ 'one of them deleted': [rows([ANN, 'c-1']), feeds([OLD, 'c-1'])] },
	],
	'one subscriber with the ID, and one with the email': [
		rows([ANN, 'c-1']),
		feeds([ANN, null], [OLD, 'c-1']),
		'severalSubscribers',
		{ 'one of them deleted': [rows([ANN, 'c-1']), feeds([ANN, null])] },
	],
	'a new email that someone else has at Supercast': [
		rows([BOB, 'c-1']),
		feeds([ANN, 'c-1'], [BOB, 'c-2']),
		'severalSubscribers',
		{
			'another email at the membership system': [
				rows([OLD, 'c-1']),
				feeds([ANN, 'c-1'], [BOB, 'c-2']),
			],
			'another email at Supercast': [rows([BOB, 'c-1']), feeds([ANN, 'c-1'], [OLD, 'c-2'])],
		},
	],
};

describe.each(Object.entries(CONFLICTS))('%s', (_, [records, subscribers, conflict, cures]) => {
	it('is a conflict, with all records and subscribers of the person', () => {
		const [person, ...others] = people(records, subscribers);
		expect(others).toEqual([]);
		expect(person).toMatchObject({ conflict, records, subscribers });
		expect(finish(match(records, subscribers)).unlisted).toEqual([]);
	});

	it.each(Object.entries(cures))('is none any more after %s', (__, [after, left]) => {
		expect(people(after, left).map((one) => one.conflict)).toEqual(
			people(after, left).map(() => undefined),
		);
	});

	it('needs nobody’s decision if its records give no access', () => {
		const ended = records.map((one) => ({ ...one, access: 'close' as const }));
		expect(people(ended, subscribers)).toEqual([]);
	});
});

it('a subscriber who connects two people makes all their subscribers part of one conflict', () => {
	const [one, other] = ['one@example.com', 'other@example.com'];
	const records = rows([ANN, 'c-2'], [BOB, 'c-2'], ['', 'c-1'], ['', 'c-1'], ['', 'c-1']);
	const [person] = people(records, feeds([one, 'c-2'], [other, 'c-1'], [ANN, 'c-1']));
	expect(person?.subscribers).toHaveLength(3);
	expect(person?.conflict).toBe('severalEmails');
});

it('several customer IDs with one email are one person who has subscribed again', () => {
	const [person] = people(rows([ANN, 'c-1'], [ANN, 'c-2']), feeds([ANN, 'c-old']));
	expect(person).toMatchObject({ conflict: undefined, customerIds: ['c-1', 'c-2'] });
});
