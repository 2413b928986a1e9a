import { currentSubscriber, type Person } from '../../../nodes/Supercast/access/match';
import { fill, reasonText } from '../../../nodes/Supercast/access/reasons';
import { changesOf, keep } from '../../../nodes/Supercast/access/rules';

const record = { uuid: 'u-1', email: 'ann@a.com', customer_id: 'c-1', state: 'available' };
const current = (fields = {}) => currentSubscriber({ ...record, first_name: 'Ann', ...fields });
const person = (subscriber = {}): Person => {
	const member = { items: [0], email: 'ann@a.com', customerIds: ['c-1'], fields: {} };
	return { member, subscriber: current(subscriber), others: [] };
};

describe('in words', () => {
	const change = { from: 'Ann', to: 'Anna' };
	it('a decision has its changes', () => {
		const one = { ...person(), write: { first_name: 'Anna' } };
		expect(changesOf({ ...one, action: 'updated' })).toEqual({ first_name: change });
		expect(changesOf(keep(person(), 'state'))).toEqual({});
		expect(changesOf({ ...one, action: 'created' })).toEqual({
			first_name: { from: null, to: 'Anna' },
		});
		expect(changesOf({ ...one, action: 'reopened' })).toEqual({
			state: { from: 'available', to: 'available' },
			first_name: change,
		});
		expect(changesOf({ ...one, write: {}, action: 'closed' })).toEqual({
			state: { from: 'available', to: 'deactivated' },
		});
		const empty = { ...person({ customer_id: '' }), write: { customer_id: 'c-1', last_name: 'B' } };
		expect(changesOf({ ...empty, action: 'updated' })).toEqual({
			customer_id: { from: null, to: 'c-1' },
			last_name: { from: null, to: 'B' },
		});
	});

	it('a reason names the person', () => {
		const one = person({ customer_id: 'c-9', state: 'pending' });
		expect(reasonText(keep(one, 'otherId'))).toBe(
			'conflict: your list says c-1, Supercast says c-9',
		);
		const listed = { ...one, member: { ...one.member!, email: 'new@a.com' } };
		expect(reasonText(keep(listed, 'otherEmail'))).toBe(
			'conflict: c-9 belongs to new@a.com on your list, but to ann@a.com in Supercast',
		);
		expect(reasonText(keep(one, 'state'))).toBe('state: pending');
		expect(reasonText(keep(person({ state: '' }), 'state'))).toBe('state: unknown');
		expect(reasonText(person())).toBeUndefined();
		const both = { ...one, others: [current({ email: 'b@b.com' })] };
		expect(fill('{email} {other} {listedId}', both)).toBe('ann@a.com b@b.com c-1');
	});

	it.each([
		['notListed', 'not on the list'],
		['creationFailed', 'may be the same person as a member who could not be created'],
		['closingIsOff', 'Close is set to None'],
		['noCustomerId', 'no customer ID'],
		['noSubscriber', 'no such subscriber'],
		['noEmail', 'no email on the list, and no subscriber with the customer ID'],
		['otherPrefix', 'another customer ID prefix'],
		['otherForm', 'a customer ID that differs in form from those on the list'],
		['plan', 'has a plan at Supercast'],
		['planClosed', 'has a plan at Supercast, and the feed is closed'],
		['neverClose', 'in Never Close'],
		['isNew', 'newer than Grace Hours'],
		['reactivateIsOff', 'deactivated, and Reactivate is off'],
		['changedSince', 'changed since the list of subscribers was read'],
		['goneSince', 'deleted since the list of subscribers was read'],
		['severalEmails', 'conflict: one customer ID with several emails'],
		['severalSubscribers', 'conflict: several subscribers have the same customer ID or email'],
	] as const)('%s is "%s"', (reason, text) => {
		expect(reasonText(keep(person(), reason))).toBe(text);
	});
});
