import fc from 'fast-check';

import {
	currentSubscriber,
	type DesiredMember,
	match,
} from '../../../nodes/Supercast/access/match';
import { ownIdsOf } from '../../../nodes/Supercast/access/sync/list/ownIds';
import { keysOf } from '../../../nodes/Supercast/api/identity';
import type { ApiRequest } from '../../../nodes/Supercast/api/types';
import { runs } from '../../support/deep';
import { crowd, DirectSupercast, type Held, held } from '../../doubles/directSupercast';
import { desired, NOW, type Row, runRows } from './running';

describe('matching', () => {
	describe('who is who', () => {
		const current = (number: number, fields: Partial<Held> = {}) =>
			currentSubscriber({ ...held(number, fields) });
		const row = (email: string, ids: string[] = [], fields = {}, items = [0]): DesiredMember => {
			return desired({ items, email, customerIds: ids, fields });
		};

		it('merges the rows of one person, whose last field counts', () => {
			const rows = [
				row('', ['c-9'], {}, [0]),
				row('', ['c-2'], { last_name: 'B' }, [1]),
				row('M1@a.com', ['c-2'], { first_name: 'A' }, [2]),
				row(' m1@a.com', ['c-1'], { first_name: 'B' }, [3]),
			];
			expect(match(rows, [])).toMatchObject([
				{
					member: {
						items: [2, 3, 1],
						email: 'M1@a.com',
						emailKey: 'm1@a.com',
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
				[current(1), current(2, { customer_id: 'c-1', email: '' })],
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
			const record = {
				uuid: 7,
				email: ' Ann@a.com ',
				customer_id: ' c\u0301 ',
				state: 'available',
			};
			const rest = { created_at: 'x', updated_at: 'y', first_name: 'Ann' };
			expect(currentSubscriber({ ...record, ...rest })).toEqual({
				uuid: '7',
				email: 'Ann@a.com',
				emailKey: 'ann@a.com',
				isOpen: true,
				customerId: 'ć',
				state: 'available',
				hasPlan: false,
				updatedAt: 'y',
				createdTime: NaN,
				updatedTime: NaN,
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

	/** IDs that say whose they are. */
	const PREFIXED: Record<string, fc.Arbitrary<string>> = {
		stripe: letters(`${upper}${lower}0123456789`, 14).map((text) => `cus_${text}`),
		'a prefix': number.map((one) => `patreon-${one}`),
	};

	/** IDs of membership systems. The IDs of one system all look alike. */
	const MARKED: Record<string, fc.Arbitrary<string>> = {
		...PREFIXED,
		numbers: number.map(String),
		uuids: fc.uuid(),
		'object IDs': letters('0123456789abcdef', 24),
		'short hexadecimal IDs': letters('0123456789abcdef', 3),
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
				runs(50),
			);
		});
	});

	describe.each(
		Object.entries(MARKED).flatMap(([own, ids]) =>
			Object.entries(MARKED)
				.filter(([other]) => other !== own && [own, other].some((one) => one in PREFIXED))
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
				runs(25),
			);
		});
	});

	it.each(Object.keys(MIXED))('a list of %s closes no members of Stripe', (own) => {
		fc.assert(
			fc.property(few(MIXED[own]!, 12, 60), few(PREFIXED.stripe!, 1, 4), (ids, others) => {
				expect(others.filter(ownIdsOf(ids, [...ids, ...others]))).toEqual([]);
			}),
			runs(25),
		);
	});

	it('a list without IDs leaves open which IDs are its own', () => {
		expect(ownIdsOf([], ['cus_1'])('cus_1')).toBe(true);
	});

	const ids = (count: number, prefix = '') =>
		Array.from({ length: count }, (_, index) => `${prefix}${index}`);

	it.each<[string, string[], string[], string, boolean]>([
		['four IDs with one prefix', ids(4, 'p_'), [], 'abc', true],
		['two IDs of Stripe', ids(2, 'cus_'), ids(2), '4500', false],
		['five IDs with one prefix', ids(5, 'p_'), [], 'abc', false],
		['nine of ten IDs with one prefix', [...ids(9, 'p_'), 'abc'], [], 'abc', false],
		['four of five IDs with one prefix', [...ids(4, 'p_'), 'abc'], [], 'abc', false],
		['three of five IDs with one prefix', [...ids(3, 'p_'), 'a', 'b'], [], 'abc', true],
		['three of four IDs of Stripe', [...ids(3, 'cus_'), 'a'], [], 'abc', true],
		['letters after a number', ['1a-1', '2a-2', '3a-3', '4a-4', '5a-5'], [], 'abc', true],
		['hexadecimal IDs', ['3fa9b2c1', 'b00c04fd'], [], '12345678', true],
		['texts, beside two of another system', ids(4, 'a'), ids(2, 'x_'), 'x_9', true],
		['texts, beside three of another system', ids(4, 'a'), ids(3, 'x_'), 'x_9', false],
		['texts, beside one of Stripe', ids(4, 'a'), ['cus_1'], 'cus_9', false],
		['texts, beside texts', ids(4, 'a'), ids(9, 'b'), 'b9', true],
		['a prefix that others have too', ids(3, 'x_'), ids(3, 'x_'), 'x_9', true],
	])('a list of %s: %#', (_, listed, open, id, isOwn) => {
		expect(ownIdsOf(listed, open)(id)).toBe(isOwn);
	});
});

describe('subscribers of another membership system', () => {
	const member = (number: number, id: string): Held => held(number, { customer_id: id });
	const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });
	const members = ['ann1', 'bob2', 'cy3', 'dee4'].map((id, number) => member(number, id));
	const left = member(11, 'x_11');

	it.each([
		['unless only one feed of theirs is open', 'deactivated', 'deactivated'],
		['if three feeds of theirs are open', 'available', 'available'],
	])('keep their feeds open, %s', async (_, state, after) => {
		const others = [12, 13].map((number) => ({ ...member(number, `x_${number}`), state }));
		const service = new DirectSupercast([...members, left, ...others], NOW);
		await runRows(service, members.map(rowOf));
		expect(service.find(left.uuid)?.state).toBe(after);
	});

	it.each([
		['', 'available'],
		['m', 'deactivated'],
	])('are told by the Customer ID Prefix %j alone, if there is one', async (prefix, after) => {
		const listed = [0, 1, 2, 3, 4].map((number) => member(number, `m-${number}`));
		const service = new DirectSupercast([...listed, member(9, 'm9')], NOW);
		const options = prefix === '' ? {} : { customerIdPrefix: prefix };
		await runRows(service, listed.map(rowOf), { options });
		expect(service.find('u-9')?.state).toBe(after);
	});
});

describe('new members', () => {
	const rowsOf = (count: number): Row[] =>
		Array.from({ length: count }, (_, index) => ({ email: `new${index}@a.com`, id: `n-${index}` }));

	const lookUps = (requests: readonly ApiRequest[]): number =>
		requests.filter(({ method, path }) => method === 'GET' && path.length === 2).length;

	const isCount = ({ query }: ApiRequest): boolean => query?.per_page === 1;

	async function createMembers(count: number, change: (service: DirectSupercast) => void) {
		const service = new DirectSupercast(crowd(250), NOW);
		service.onExistingEmail = 'duplicate';
		change(service);
		await runRows(service, rowsOf(count), { close: 'none' });
		return service;
	}

	const emailsOf = ({ subscribers }: DirectSupercast): string[] =>
		subscribers.map(({ email }) => email);

	describe('members who are not on the list are looked up before they are created', () => {
		it('if they are the first 20, and after that not if a count shows that nobody was added', async () => {
			const { requests } = await createMembers(200, () => undefined);
			expect(lookUps(requests)).toBe(20);
			expect(requests.filter(isCount)).toHaveLength(4);
			// 3 pages, 20 look-ups, 4 counts and 200 creations.
			expect(requests).toHaveLength(3 + 20 + 4 + 200);
			expect((await createMembers(20, () => undefined)).requests.filter(isCount)).toEqual([]);
		});

		it.each<[string, number, (service: DirectSupercast) => void]>([
			['the list has no total', 0, (service) => (service.total = () => undefined)],
			['the list is shorter than its total', 0, (service) => (service.total = () => 1_000)],
			[
				'the list is unexpected',
				0,
				(service) => service.subscribers.forEach((one) => (one.state = 'odd')),
			],
			[
				'someone else is added',
				4,
				(service) => {
					service.meanwhile = (number) => {
						if (number === 10) service.subscribers.push(held(999));
					};
				},
			],
			[
				'a look-up finds someone whom the list did not show',
				0,
				(service) => {
					const hidden = held(999, { email: 'new5@a.com' });
					service.meanwhile = (number) => {
						if (number === 4) service.subscribers.push(hidden);
					};
					service.total = () =>
						service.subscribers.length - Number(emailsOf(service).includes(hidden.email));
				},
			],
		])('if %s', async (_, counts, change) => {
			const { requests } = await createMembers(200, change);
			expect(lookUps(requests)).toBeGreaterThanOrEqual(200);
			expect(requests.filter(isCount)).toHaveLength(counts);
		});

		it('if someone else creates one of them before this run does', async () => {
			const service = await createMembers(60 + 20, (one) => {
				one.onExistingEmail = 'reject';
				one.meanwhile = () => {
					const { method, body } = one.requests.at(-1)!;
					const isTurn = method === 'POST' && JSON.stringify(body).includes('"new30@a.com"');
					if (isTurn) one.subscribers.push(held(999, { email: 'new30@a.com' }));
				};
			});
			// Of the first part, of the third, and one who was found after the refusal.
			expect(lookUps(service.requests)).toBe(20 + 10 + 1);
		});

		it('if an event has created them since the count, they are left to the next list', async () => {
			const service = await createMembers(60, (one) => {
				one.meanwhile = () => {
					const latest = one.requests.at(-1);
					if (latest === undefined || !isCount(latest)) return;
					one.passed = 2;
					const keys = keysOf({ email: 'new40@a.com' });
					one.channel.ledger.noteDecision(keys, { isChange: true, isEvent: true });
				};
			});
			expect(emailsOf(service)).not.toContain('new40@a.com');
			expect(lookUps(service.requests)).toBe(20);
		});
	});

	it('nobody is created twice whom someone else added before the last count', async () => {
		const additions = fc.array(fc.record({ at: fc.nat({ max: 180 }), who: fc.nat({ max: 99 }) }));
		await fc.assert(
			fc.asyncProperty(additions, async (added) => {
				const addedAt = new Map<string, number>();
				const service = await createMembers(100, (one) => {
					one.meanwhile = (number) => {
						for (const { at, who } of added) {
							const email = `new${who}@a.com`;
							if (at !== number || one.find(email) !== undefined) continue;
							one.subscribers.push(held(1_000 + who, { email }));
							addedAt.set(email, number);
						}
					};
				});
				const { requests } = service;
				for (const [email, at] of addedAt) {
					const created = requests.findIndex(
						({ method, body }) => method === 'POST' && JSON.stringify(body).includes(`"${email}"`),
					);
					const before = requests.slice(0, Math.max(0, created));
					const lastCount = before.map(isCount).lastIndexOf(true) + 1;
					if (created >= 0 && lastCount > 0) expect(at).toBeGreaterThan(lastCount);
				}
			}),
			runs(10),
		);
	});
});
