import { type Person, currentSubscriber } from '../../../nodes/Supercast/access/match';
import { fill, reasonText } from '../../../nodes/Supercast/access/reasons';
import { changesOf, keep } from '../../../nodes/Supercast/access/rules';
import { FakeService, type Held, held } from './fakeService';
import { NOW, type Row, runAccess } from './running';

describe('texts', () => {
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
			const empty = {
				...person({ customer_id: '' }),
				write: { customer_id: 'c-1', last_name: 'B' },
			};
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
});

describe('advice', () => {
	const ann = held(1);
	const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

	describe('what a person must decide', () => {
		const names = 'm1@a.com, c-1';
		const both =
			'Check these subscribers in Supercast. Correct the wrong email or customer ID there, and close any feed that is not needed.';
		const check = 'Check this subscriber in Supercast.';
		const inState = (state: string, fields: Partial<Held> = {}) => [held(1, { state, ...fields })];
		const twin = held(2, { customer_id: 'c-1' });
		it.each<['close' | 'open', Held[], Row, string, string]>([
			[
				'open',
				[],
				{ email: '', id: 'c-1' },
				'c-1 should have access, but Supercast has no subscriber with this customer ID.',
				'Pass on their email too, or add them in Supercast.',
			],
			[
				'open',
				inState('suspended'),
				rowOf(ann),
				`${names} should have access, but their feed is suspended.`,
				'Find out why, for example a shared feed. Then activate it in Supercast.',
			],
			[
				'open',
				inState('charge_failure'),
				rowOf(ann),
				`${names} should have access, but their payment to Supercast failed.`,
				'Supercast also bills this person. Check the payment in Supercast.',
			],
			[
				'open',
				inState('pending'),
				rowOf(ann),
				`${names} should have access, but they have not completed their checkout at Supercast.`,
				check,
			],
			[
				'open',
				inState('mystery'),
				{ email: ann.email },
				'm1@a.com should have access, but Supercast shows the state "mystery".',
				check,
			],
			[
				'open',
				inState('deactivated', { plan_id: 3 }),
				rowOf(ann),
				`${names} should have access, but they have a plan at Supercast and their feed is closed.`,
				'Check the plan in Supercast, and decide which membership continues. Then activate the feed there.',
			],
			[
				'open',
				[ann, twin],
				{ email: '', id: 'c-1' },
				`${names} should have access, but several subscribers have this email or customer ID.`,
				both,
			],
			[
				'open',
				[held(1, { customer_id: null }), twin],
				rowOf(ann),
				`${names} should have access, but another subscriber has the same customer ID: m2@a.com.`,
				both,
			],
			[
				'close',
				[],
				rowOf(ann),
				`The access of ${names} ends, but Supercast has no such subscriber.`,
				'If this person listens under another email, deactivate that subscriber in Supercast. Otherwise, there is nothing to do.',
			],
			[
				'close',
				inState('available', { plan_id: 3 }),
				rowOf(ann),
				`The access of ${names} ends, but they have a plan at Supercast, so their feed stays open.`,
				'If the plan has ended too, deactivate this subscriber in Supercast.',
			],
			[
				'close',
				[held(1, { customer_id: 'c-9' })],
				rowOf(ann),
				`The access of ${names} ends, but this subscriber has the customer ID c-9, so their feed stays open.`,
				'If no other membership pays for this feed, deactivate this subscriber in Supercast.',
			],
			[
				'close',
				[ann, twin],
				{ email: '', id: 'c-1' },
				`The access of ${names} ends, but several subscribers have this email or customer ID, so their feeds stay open.`,
				both,
			],
			[
				'close',
				[held(1, { customer_id: null }), twin],
				rowOf(ann),
				`The access of ${names} ends, but the email and the customer ID belong to two subscribers, m1@a.com and m2@a.com.`,
				both,
			],
			[
				'close',
				inState('suspended'),
				rowOf(ann),
				`The access of ${names} ends, and Supercast shows the state "suspended".`,
				'Deactivate this subscriber in Supercast, so that the feed does not open again.',
			],
		])('%s %j for %j', async (what, people, person, reason, advice) => {
			const service = new FakeService(people, NOW);
			const output = await runAccess(service, what, person);
			expect(output).toMatchObject({ reason, attention: `${reason} ${advice}` });
			expect(service.writes).toEqual([]);
		});

		it('is nothing if Close With Plan decides it', async () => {
			const billed = [held(1, { plan_id: 3 })];
			const output = await runAccess(new FakeService(billed, NOW), 'close', rowOf(ann), {
				closeWithPlan: true,
			});
			expect(output).toMatchObject({ action: 'closed', attention: null });
		});

		it('is nobody if the subscriber is deleted just before the closing', async () => {
			const service = new FakeService([ann], NOW);
			service.meanwhile = (number) => {
				if (number === 2) service.subscribers.pop();
			};
			const { action, attention } = await runAccess(service, 'close', rowOf(ann));
			expect([action, attention]).toEqual(['kept', expect.stringContaining('no such subscriber')]);
		});
	});
});
