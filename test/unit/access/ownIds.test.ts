import fc from 'fast-check';

import { ownIdsOf } from '../../../nodes/Supercast/access/sync/ownIds';
import { runs } from '../../support/deep';

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
