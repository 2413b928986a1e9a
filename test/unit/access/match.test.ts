import fc from 'fast-check';

import {
	type DesiredMember,
	currentSubscriber,
	match,
} from '../../../nodes/Supercast/access/match';
import { type Held, held } from './fakeService';
import { ownIdsOf } from '../../../nodes/Supercast/access/sync/ownIds';
import { runs } from '../../support/deep';

describe('matching', () => {
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
});

describe('the IDs of the list', () => {
	const letters = (alphabet: string, length: number): fc.Arbitrary<string> =>
		fc
			.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
			.map((all) => all.join(''));
	const name = fc.constantFrom('ann', 'bob', 'cy', 'dee', 'eve', 'john', 'marie', 'otto', 'zoe');
	const number = fc.integer({ min: 1, max: 99_999 });
	const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
	const lower = upper.toLowerCase();

	/** IDs of membership systems, which all look alike. */
	const MARKED: Record<string, fc.Arbitrary<string>> = {
		stripe: letters(`${upper}${lower}0123456789`, 14).map((text) => `cus_${text}`),
		'a prefix': number.map((one) => `patreon-${one}`),
		numbers: number.map(String),
		uuids: fc.uuid(),
		'object IDs': letters('0123456789abcdef', 24),
	};

	/** IDs that each begin differently. */
	const MIXED: Record<string, fc.Arbitrary<string>> = {
		'initials and a number': fc
			.tuple(letters(upper, 2), number)
			.map(([initials, one]) => `${initials}-${one}`),
		'user names': fc.tuple(name, name, number).map(([one, other, n]) => `${one}.${other}${n}`),
		emails: fc.tuple(name, name).map(([one, other]) => `${one}-${other}@example.com`),
		slugs: fc.tuple(name, name, number).map(([one, other, n]) => `${one}-${other}-${n}`),
		'random text': letters(`${upper}${lower}0123456789_-`, 21),
	};

	const few = (ids: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
		fc.uniqueArray(ids, { minLength, maxLength, size: 'max' });

	describe.each(Object.entries({ ...MARKED, ...MIXED }))('a list of %s', (_, ids) => {
		it('may close those of its members who leave', () => {
			fc.assert(
				fc.property(few(ids, 12, 60), fc.integer({ min: 1, max: 2 }), (all, left) => {
					const isOwn = ownIdsOf(all.slice(left), all);
					expect(all.filter((id) => !isOwn(id))).toEqual([]);
				}),
				runs(200),
			);
		});
	});

	describe.each(
		Object.entries(MARKED).flatMap(([own, ids]) =>
			Object.entries(MARKED)
				.filter(([other]) => other !== own)
				.map(([other, otherIds]) => [own, other, ids, otherIds] as const),
		),
	)('a list of %s, beside members with %s', (_, __, ids, otherIds) => {
		it('closes none of the others, whatever one row of the list says', () => {
			fc.assert(
				fc.property(few(ids, 12, 60), few(otherIds, 4, 20), (own, [stray = '', ...others]) => {
					const isOwn = ownIdsOf([...own, stray], [...own, ...others]);
					expect(others.filter(isOwn)).toEqual([]);
					expect(own.filter((id) => !isOwn(id))).toEqual([]);
				}),
				runs(100),
			);
		});
	});

	it.each(Object.keys(MIXED))('a list of %s closes no members of Stripe', (own) => {
		fc.assert(
			fc.property(few(MIXED[own]!, 12, 60), few(MARKED.stripe!, 1, 4), (ids, others) => {
				expect(others.filter(ownIdsOf(ids, [...ids, ...others]))).toEqual([]);
			}),
			runs(100),
		);
	});

	it('a list without IDs leaves open which IDs are its own', () => {
		expect(ownIdsOf([], ['cus_1'])('cus_1')).toBe(true);
	});

	it('a short list has the kinds that at least half of it has', () => {
		expect(ownIdsOf(['7', 'ann'], [])('8')).toBe(true);
		expect(ownIdsOf(['7', 'ann', 'bob'], [])('8')).toBe(false);
		expect(ownIdsOf(['7', '8', 'ann', 'bob', 'cy'], [])('9')).toBe(true);
	});
});
