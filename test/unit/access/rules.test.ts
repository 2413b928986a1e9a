import type { IDataObject } from 'n8n-workflow';

import { personWith, type Person } from '../../../nodes/Supercast/access/people';
import type { MemberRecord } from '../../../nodes/Supercast/access/record';
import {
	changesOf,
	decideEnded,
	decideListed,
	type Decision,
	type EndSettings,
} from '../../../nodes/Supercast/access/rules';
import { record, subscriber } from './records';

const NONE: EndSettings = { closeWithPlan: false, prefixes: ['c-'], isOld: false };
const PLAN = { plan_id: 3, plan_name: 'Monthly' };

/** A person with these records, and these subscribers at Supercast. */
function person(records: Array<Partial<MemberRecord>>, feeds: IDataObject[]): Person {
	const [first = record(), ...others] = records.map((one, item) => record({ item, ...one }));
	const found = personWith(first, feeds.map(subscriber));
	const ids = [first, ...others].map(({ customerId }) => customerId).filter((id) => id !== '');
	return { ...found, records: [first, ...others], customerIds: [...new Set(ids)] };
}

const short = ({ action, reason, write }: Decision): unknown[] => [action, reason ?? '', write];

type Row = [string, Array<Partial<MemberRecord>>, IDataObject[], string, string, IDataObject?];

describe('the table of those who should have access: the first row that fits applies', () => {
	it.each<Row>([
		['several subscribers', [{}], [{}, { uuid: 'u-2' }], 'kept', 'severalSubscribers'],
		['keep', [{ access: 'keep' }], [{ state: 'deactivated' }], 'kept', 'keep'],
		['unclear', [{ access: 'unclear' }], [], 'kept', 'unclear'],
		['nobody, and no email', [{ email: '' }], [], 'kept', 'noEmail'],
		['nobody', [{}], [], 'created', '', { email: 'ann@example.com', customer_id: 'c-1' }],
		[
			'nobody, without an ID',
			[{ customerId: '' }],
			[],
			'created',
			'',
			{ email: 'ann@example.com' },
		],
		['a plan', [{ customerId: 'c-2' }], [{ ...PLAN, state: 'deactivated' }], 'kept', 'plan'],
		['another system', [{}], [{ customer_id: 'x-9' }], 'unchanged', 'otherSystem'],
		['open as wanted', [{}], [{}], 'unchanged', ''],
		['open, in other letters', [{ email: 'ANN@example.com' }], [{}], 'unchanged', ''],
		['open, without an ID', [{}], [{ customer_id: null }], 'updated', '', { customer_id: 'c-1' }],
		[
			'open, with an older ID',
			[{}],
			[{ customer_id: 'c-0' }],
			'updated',
			'',
			{ customer_id: 'c-1' },
		],
		[
			'open, with one of two IDs',
			[{}, { customerId: 'c-2' }],
			[{ customer_id: 'c-2' }],
			'unchanged',
			'',
		],
		['open, with an ID, known by email', [{ customerId: '' }], [{}], 'unchanged', ''],
		[
			'open, with an older email',
			[{}],
			[{ email: 'old@example.com' }],
			'updated',
			'',
			{ email: 'ann@example.com' },
		],
		['open, known by ID', [{ email: '' }], [{ email: 'old@example.com' }], 'unchanged', ''],
		['closed', [{}], [{ state: 'deactivated' }], 'reopened', '', {}],
		['closed, as the service writes it', [{}], [{ state: 'inactive' }], 'reopened', '', {}],
		[
			'closed, of another system',
			[{}],
			[{ state: 'deactivated', customer_id: 'x-9' }],
			'reopened',
			'',
			{ customer_id: 'c-1' },
		],
		['suspended', [{}], [{ state: 'suspended' }], 'kept', 'state'],
		['a failed payment', [{}], [{ state: 'charge_failure' }], 'kept', 'state'],
		['no checkout', [{}], [{ state: 'pending' }], 'kept', 'state'],
		['a state that nobody knows', [{}], [{ state: 'mystery' }], 'kept', 'state'],
		['no state', [{}], [{ state: null }], 'kept', 'state'],
	])('%s', (_, records, feeds, action, reason, write = {}) => {
		expect(short(decideListed(person(records, feeds), NONE))).toEqual([action, reason, write]);
	});

	it('Close Despite Plan treats a plan like none', () => {
		const despite = { ...NONE, closeWithPlan: true };
		const closed = person([{}], [{ ...PLAN, state: 'deactivated' }]);
		expect(short(decideListed(closed, despite))).toEqual(['reopened', '', {}]);
		expect(short(decideListed(person([{ customerId: 'c-2' }], [PLAN]), despite))).toEqual([
			...['updated', '', { customer_id: 'c-2' }],
		]);
	});

	it('without a prefix, a record gives an open feed its customer ID', () => {
		const without = { ...NONE, prefixes: [] };
		expect(short(decideListed(person([{}], [{ customer_id: 'x-9' }]), without))).toEqual([
			...['updated', '', { customer_id: 'c-1' }],
		]);
	});

	it.each<Row>([
		[
			'nobody',
			[{ email: 'Ann@example.com' }],
			[],
			'created',
			'',
			{ email: 'Ann@example.com', customer_id: 'c-ann@example.com' },
		],
		['open', [{}], [{ customer_id: null }], 'updated', '', { customer_id: 'c-ann@example.com' }],
		['open, with its own ID', [{}], [{ customer_id: 'c-9' }], 'unchanged', ''],
		['open, of another system', [{}], [{ customer_id: 'x-9' }], 'unchanged', 'otherSystem'],
		[
			'closed, of another system',
			[{}],
			[{ state: 'deactivated', customer_id: 'x-9' }],
			'reopened',
			'',
			{ customer_id: 'c-ann@example.com' },
		],
		['a plan', [{}], [{ ...PLAN, customer_id: null }], 'kept', 'plan'],
	])('without an ID on the list, Sync gives its own: %s', (_, records, feeds, ...expected) => {
		const [action, reason, write = {}] = expected;
		const own = { ...NONE, ownPrefix: 'c-' };
		const some = records.map((one) => ({ ...one, customerId: '' }));
		expect(short(decideListed(person(some, feeds), own))).toEqual([action, reason, write]);
	});

	it('an ID that is on the list may begin with anything', () => {
		const both = person([{ customerId: 'x-9' }, { customerId: 'c-1' }], [{ customer_id: 'x-9' }]);
		expect(short(decideListed(both, NONE))).toEqual(['unchanged', '', {}]);
	});
});

describe('the table of those whose access has ended: the first row that fits applies', () => {
	it.each<Row>([
		['several subscribers', [{}], [{}, { uuid: 'u-2' }], 'kept', 'severalSubscribers'],
		['nobody', [{}], [], 'kept', 'noSubscriber'],
		['closed', [{}], [{ state: 'deactivated' }], 'unchanged', ''],
		['closed, with a plan', [{}], [{ state: 'deactivated', ...PLAN }], 'unchanged', ''],
		['suspended', [{}], [{ state: 'suspended' }], 'kept', 'state'],
		['a failed payment', [{}], [{ state: 'charge_failure' }], 'kept', 'state'],
		['a state that nobody knows', [{}], [{ state: 'mystery' }], 'kept', 'state'],
		['a plan', [{}], [PLAN], 'kept', 'plan'],
		['another ID of this system', [{}], [{ customer_id: 'c-2' }], 'kept', 'otherId'],
		['another system', [{}], [{ customer_id: 'x-9' }], 'kept', 'otherId'],
		[
			'another system, by email',
			[{ customerId: '' }],
			[{ customer_id: 'x-9' }],
			'kept',
			'otherSystem',
		],
		['the same ID', [{}], [{}], 'closed', 'ended'],
		['the same ID, with another email', [{}], [{ email: 'old@example.com' }], 'closed', 'ended'],
		['no ID', [{}], [{ customer_id: null }], 'closed', 'ended'],
		['this system, by email', [{ customerId: '' }], [{}], 'closed', 'ended'],
		[
			'closed, with an open show',
			[{}],
			[{ state: 'deactivated', subscriptions: [{ state: 'available' }] }],
			'closed',
			'ended',
		],
	])('%s', (_, records, feeds, action, reason) => {
		expect(short(decideEnded(person(records, feeds), NONE))).toEqual([action, reason, {}]);
	});

	it('an old item closes nothing, and says nothing else', () => {
		const old = { ...NONE, isOld: true };
		expect(short(decideEnded(person([{}], [{}]), old))).toEqual(['kept', 'oldItem', {}]);
		expect(short(decideEnded(person([{}], [PLAN]), old))).toEqual(['kept', 'plan', {}]);
	});

	it('Close Despite Plan treats a plan like none', () => {
		const despite = { ...NONE, closeWithPlan: true };
		expect(short(decideEnded(person([{}], [PLAN]), despite))).toEqual(['closed', 'ended', {}]);
	});
});

describe('names', () => {
	const named = (first_name: string, leftOut: string[] = []) => ({
		fields: () => ({ fields: { first_name, last_name: 'Lee' }, leftOut }),
	});
	const all = [named('Ann', ['a']), { ...named('Anna', ['a', 'b']), customerId: 'c-2' }];

	it('are written when a feed opens again, as far as they differ, and the last open record counts', () => {
		const closed = { state: 'deactivated', last_name: 'Lee' };
		const decision = decideListed(person(all, [closed]), NONE);
		expect(decision).toMatchObject({ write: { first_name: 'Anna' }, leftOut: ['a', 'b'] });
		const ended = person([all[0]!, { ...all[1]!, access: 'keep' }], [closed]);
		expect(decideListed(ended, NONE)).toMatchObject({ write: {}, leftOut: ['a'] });
	});

	it('are never compared while a feed is open', () => {
		expect(short(decideListed(person(all, [{ first_name: 'X' }]), NONE))).toEqual([
			'unchanged',
			'',
			{},
		]);
	});

	it('that Supercast does not show count as different', () => {
		const closed = subscriber({ state: 'deactivated' });
		delete closed.fields.first_name;
		const { write } = decideListed(person(all, []), NONE, closed);
		expect(write).toEqual({ first_name: 'Anna', last_name: 'Lee' });
	});
});

it('changes show each field before and after, and the state', () => {
	const closed = { state: 'deactivated', customer_id: '', email: 'old@example.com' };
	expect(changesOf(decideListed(person([{}], [closed]), NONE))).toEqual({
		state: { from: 'deactivated', to: 'available' },
		email: { from: 'old@example.com', to: 'ann@example.com' },
		customer_id: { from: null, to: 'c-1' },
	});
	expect(changesOf(decideEnded(person([{}], [{}]), NONE))).toEqual({
		state: { from: 'available', to: 'deactivated' },
	});
	expect(changesOf(decideListed(person([{}], []), NONE))).toEqual({
		email: { from: null, to: 'ann@example.com' },
		customer_id: { from: null, to: 'c-1' },
	});
});
