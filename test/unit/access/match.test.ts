import {
	match,
	currentSubscriber,
	type DesiredMember,
} from '../../../nodes/Supercast/access/match';
import { held, type Held } from './fakeService';

describe('who is who', () => {
	const current = (number: number, fields: Partial<Held> = {}) =>
		currentSubscriber({ ...held(number, fields) });
	const row = (email: string, ids: string[] = [], fields = {}, items = [0]): DesiredMember => {
		return { items, email, customerIds: ids, fields };
	};

	it('merges the rows of one person, whose last field counts', () => {
		const rows = [
			row('', ['c-9'], {}, [0]),
			row('', ['c-2'], { last_name: 'B' }, [1]),
			row('M1@a.com', ['c-2'], { first_name: 'A' }, [2]),
			row(' m1@a.com', ['c-1'], { first_name: 'B' }, [3]),
		];
		expect(match(rows, [])).toEqual([
			{
				member: {
					items: [2, 3, 1],
					email: 'M1@a.com',
					customerIds: ['c-2', 'c-1'],
					fields: { first_name: 'B', last_name: 'B' },
				},
				others: [],
			},
			{ member: rows[0], others: [] },
		]);
		expect(rows[2]).toEqual(row('M1@a.com', ['c-2'], { first_name: 'A' }, [2]));
	});

	it('prefers the email, and finds the others with the customer ID', () => {
		const [byId, byEmail, both] = [current(2, { customer_id: 'c-1' }), current(1), current(3)];
		const people = match([row('m1@a.com', ['c-1']), row('m3@a.com')], [byId, byEmail, both]);
		expect(people).toMatchObject([
			{ subscriber: byEmail, others: [byId] },
			{ subscriber: both, others: [] },
		]);
		expect(people.map(({ conflict }) => conflict)).toEqual([undefined, undefined]);
	});

	it.each<[string, DesiredMember[], ReturnType<typeof current>[], Array<string | undefined>]>([
		['two with the email', [row('m1@a.com')], [current(1), current(1)], ['severalSubscribers']],
		[
			'two with the ID',
			[row('', ['c-1'])],
			[current(1), current(2, { customer_id: 'c-1' })],
			['severalSubscribers'],
		],
		['one with the ID', [row('', ['c-1'])], [current(1)], [undefined]],
		[
			'one ID of two emails',
			[row('a@a.com', ['c-1']), row('b@a.com', ['c-1'])],
			[],
			['severalEmails', 'severalEmails'],
		],
		[
			'an ID that two have',
			[],
			[current(1), current(2, { customer_id: 'c-1' }), current(3)],
			['severalSubscribers', 'severalSubscribers', undefined],
		],
		[
			'an email that two have',
			[],
			[current(1), current(2, { email: 'M1@a.com' })],
			['severalSubscribers', 'severalSubscribers'],
		],
		[
			'no ID, and no email',
			[],
			[current(1, { customer_id: '', email: '' }), current(2, { customer_id: '', email: '' })],
			[undefined, undefined],
		],
	])('%s', (_, rows, subscribers, conflicts) => {
		expect(match(rows, subscribers).map(({ conflict }) => conflict)).toEqual(conflicts);
	});

	it('reads what the rules need of a record', () => {
		const record = { uuid: 7, email: ' a@a.com ', customer_id: ' c\u0301 ', state: 'available' };
		const rest = { created_at: 'x', updated_at: 'y', first_name: 'Ann' };
		expect(currentSubscriber({ ...record, ...rest })).toEqual({
			uuid: '7',
			email: 'a@a.com',
			customerId: 'ć',
			state: 'available',
			hasPlan: false,
			updatedAt: 'y',
			fields: { ...record, ...rest },
		});
		expect(currentSubscriber({ plan_name: 'Monthly' }).hasPlan).toBe(true);
		expect(currentSubscriber({ subscriptions: [null, { plan_id: 0 }] }).hasPlan).toBe(true);
		expect(currentSubscriber({ subscriptions: 'none' }).hasPlan).toBe(false);
	});
});
