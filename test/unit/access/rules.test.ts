import {
	currentSubscriber,
	type DesiredMember,
	type Person,
} from '../../../nodes/Supercast/access/match';
import { decideClosed, decideOpen, type RuleSettings } from '../../../nodes/Supercast/access/rules';

const NOW = Date.UTC(2026, 0, 15);
const HOUR_MS = 3_600_000;

const settings: RuleSettings = {
	addCustomerIds: false,
	close: 'all',
	closeWithPlan: false,
	customerIdPrefix: '',
	neverClose: new Set(),
	reactivate: true,
	replaceCustomerId: false,
};

function member(fields: Partial<DesiredMember> = {}): DesiredMember {
	return { items: [0], email: 'ann@a.com', customerIds: ['c-1'], fields: {}, ...fields };
}

const record = { uuid: 'u-1', email: 'ann@a.com', customer_id: 'c-1', state: 'available' };
const current = (fields = {}) => currentSubscriber({ ...record, first_name: 'Ann', ...fields });
const person = (subscriber = {}, fields: Partial<DesiredMember> = {}): Person => {
	return { member: member(fields), subscriber: current(subscriber), others: [] };
};

describe('a person who should have access', () => {
	it.each<[string, Person, Partial<RuleSettings>, object]>([
		[
			'is created with the first customer ID and the fields',
			{ member: member({ customerIds: ['c-1', 'c-2'], fields: { first_name: 'A' } }), others: [] },
			{},
			{ action: 'created', write: { email: 'ann@a.com', customer_id: 'c-1', first_name: 'A' } },
		],
		[
			'is created without a customer ID',
			{ member: member({ customerIds: [] }), others: [] },
			{},
			{ action: 'created', write: { email: 'ann@a.com' } },
		],
		[
			'is kept without an email',
			{ member: member({ email: '' }), others: [] },
			{},
			{ action: 'kept', reason: 'noEmail', write: {} },
		],
		['is unchanged', person(), {}, { action: 'unchanged', write: {} }],
		[
			'gets another name',
			person({}, { fields: { first_name: 'Anna', last_name: 'hidden' } }),
			{},
			{ action: 'updated', write: { first_name: 'Anna' } },
		],
		[
			'gets another email',
			person({ email: 'old@a.com' }),
			{},
			{ action: 'updated', write: { email: 'ann@a.com' } },
		],
		[
			'keeps the email that the list does not tell',
			person({}, { email: '' }),
			{},
			{ action: 'unchanged', write: {} },
		],
		[
			'is a conflict with another customer ID',
			person({ customer_id: 'c-9' }),
			{},
			{ action: 'kept', reason: 'otherId' },
		],
		[
			'is left alone with the ID of another system',
			person({ customer_id: 'x-9p_' }, { customerIds: ['p_1'] }),
			{ customerIdPrefix: 'p_' },
			{ action: 'unchanged', write: {} },
		],
		[
			'gets another customer ID if the settings say so',
			person({ customer_id: 'c-9' }),
			{ replaceCustomerId: true },
			{ action: 'updated', write: { customer_id: 'c-1' } },
		],
		[
			'gets none while Supercast alone bills',
			person({ customer_id: null, plan_id: 3 }),
			{ replaceCustomerId: true },
			{ action: 'unchanged', write: {} },
		],
		[
			'gets one if a feed without a plan has none',
			person({ customer_id: null }),
			{ addCustomerIds: true },
			{ action: 'updated', write: { customer_id: 'c-1' } },
		],
		[
			'gets none if Add Customer IDs is off',
			person({ customer_id: null }),
			{ addCustomerIds: false },
			{ action: 'unchanged', write: {} },
		],
		[
			'gets none while Supercast bills them for a plan',
			person({ customer_id: null, plan_name: 'Monthly' }),
			{ addCustomerIds: true },
			{ action: 'unchanged', write: {} },
		],
		[
			'keeps the one they have',
			person({ customer_id: 'c-9' }),
			{ addCustomerIds: true },
			{ action: 'kept', reason: 'otherId', write: {} },
		],
		[
			'gets none that another subscriber has',
			{ ...person({ customer_id: null }), others: [current({ uuid: 'u-2', email: 'b@b.com' })] },
			{ addCustomerIds: true },
			{ action: 'unchanged', write: {} },
		],
		[
			'is reopened with the customer ID',
			person({ state: 'deactivated', customer_id: null }),
			{},
			{ action: 'reopened', write: { customer_id: 'c-1' } },
		],
		[
			'is kept closed without Reactivate',
			person({ state: 'deactivated' }),
			{ reactivate: false },
			{ action: 'kept', reason: 'reactivateIsOff', write: {} },
		],
		[
			'is updated without Reactivate, but gets no customer ID',
			person({ state: 'deactivated', customer_id: null }, { fields: { first_name: 'Anna' } }),
			{ reactivate: false },
			{ action: 'updated', reason: 'reactivateIsOff', write: { first_name: 'Anna' } },
		],
		[
			'is kept closed with a plan',
			person({ state: 'deactivated', plan_name: 'Monthly' }),
			{},
			{ action: 'kept', reason: 'planClosed' },
		],
		[
			'is reopened with a plan and Close With Plan',
			person({ state: 'deactivated', plan_name: 'Monthly' }),
			{ closeWithPlan: true },
			{ action: 'reopened', write: {} },
		],
		[
			'is kept suspended',
			person({ state: 'suspended' }),
			{},
			{ action: 'kept', reason: 'state', write: {} },
		],
		[
			'is kept if it is unclear who it is',
			{ ...person(), conflict: 'severalEmails' },
			{},
			{ action: 'kept', reason: 'severalEmails' },
		],
	])('%s', (_, one, more, expected) => {
		expect(decideOpen(one, { ...settings, ...more })).toMatchObject({ ...one, ...expected });
	});
});

describe('a person who should not have access', () => {
	const gone = (fields = {}): Person => ({ subscriber: current(fields), others: [] });
	const time = (hours: number): string => new Date(NOW - hours * HOUR_MS).toISOString();
	const old = { created_at: time(100), updated_at: time(100) };
	const grace = { newAfter: NOW - 24 * HOUR_MS };
	it.each<[string, Person, Partial<RuleSettings>, string | undefined]>([
		['is closed', gone(), {}, undefined],
		['is closed after a failed payment', gone({ state: 'charge_failure' }), {}, undefined],
		['is kept while pending', gone({ state: 'pending' }), {}, 'state'],
		['is nobody', { others: [] }, {}, 'noSubscriber'],
		['is unclear', { ...gone(), conflict: 'severalSubscribers' }, {}, 'severalSubscribers'],
		['has two records', { ...gone(), others: [current()] }, {}, 'otherEmail'],
		['has another customer ID', person({ customer_id: 'c-9' }), {}, 'otherId'],
		['has no customer ID on either side', person({ customer_id: null }), {}, undefined],
		['has one only in Supercast', person({}, { customerIds: [] }), {}, undefined],
		['has one of several customer IDs', person({}, { customerIds: ['c-2', 'c-1'] }), {}, undefined],
		['is not closed with Close: None', gone(), { close: 'none' }, 'closingIsOff'],
		['has an ID', gone(), { close: 'withCustomerId' }, undefined],
		['has no ID', gone({ customer_id: '' }), { close: 'withCustomerId' }, 'noCustomerId'],
		['has another prefix', gone(), { customerIdPrefix: 'p_' }, 'otherPrefix'],
		['has the prefix', gone(), { customerIdPrefix: 'c-' }, undefined],
		['has the ID of another system', gone(), { isOwnId: () => false }, 'otherForm'],
		['has an ID of this system', gone(), { isOwnId: () => true }, undefined],
		['has no ID of any system', gone({ customer_id: null }), { isOwnId: () => false }, undefined],
		['has a plan', gone({ plan_id: 7 }), {}, 'plan'],
		['has a plan, but Close With Plan', gone({ plan_id: 7 }), { closeWithPlan: true }, undefined],
		['is in Never Close', gone({ email: 'ANN@a.com' }), never('ann@a.com'), 'neverClose'],
		['has a domain in Never Close', gone(), never('@a.com'), 'neverClose'],
		['has another domain', gone(), never('@b.com'), undefined],
		['has a domain that ends alike', gone({ email: 'ann@aa.com' }), never('@a.com'), undefined],
		['is old', gone(old), grace, undefined],
		['was created lately', gone({ ...old, created_at: time(23) }), grace, 'isNew'],
		['was changed lately', gone({ ...old, updated_at: time(23) }), grace, 'isNew'],
		['was created exactly so long ago', gone({ ...old, created_at: time(24) }), grace, undefined],
		['was changed exactly so long ago', gone({ ...old, updated_at: time(24) }), grace, undefined],
		['is of unknown age', gone({ updated_at: time(100) }), grace, 'isNew'],
		['shows no time of a change', gone({ created_at: time(100) }), grace, undefined],
		['is new, without a grace period', gone({ created_at: time(-1) }), {}, undefined],
	])('%s', (_, one, more, reason) => {
		const decision = decideClosed(one, { ...settings, ...more });
		expect([decision.action, decision.reason]).toEqual(
			reason === undefined ? ['closed', 'notListed'] : ['kept', reason],
		);
		expect(decision.write).toEqual({});
	});

	it('needs no closing twice', () => {
		const decision = decideClosed(gone({ state: 'deactivated' }), settings);
		expect(decision).toMatchObject({ action: 'unchanged', write: {} });
		expect(decision.reason).toBeUndefined();
	});
});

function never(entry: string): Partial<RuleSettings> {
	return { neverClose: new Set([entry]) };
}
