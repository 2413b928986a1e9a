import fc from 'fast-check';

import { match, type Person } from '../../../nodes/Supercast/access/people';
import {
	currentSubscriber,
	type CurrentSubscriber,
} from '../../../nodes/Supercast/access/subscribers';
import { conflictTexts, curesOf, type Cure } from '../../../nodes/Supercast/report/conflicts';
import { finish } from '../../../nodes/Supercast/operations/steps';
import { runs } from '../../support/deep';
import { held, type Held } from '../../doubles/directSupercast';
import { Show, type Row } from './show';

/** The emails and customer IDs are few, so that many records share one. */
const EMAILS = ['a@a.com', 'b@a.com', 'c@a.com', 'd@a.com'];
const IDS = ['c-a', 'c-b', 'c-c', ''];

interface World {
	rows: Array<{ email: string; id: string }>;
	subscribers: Held[];
}

const row = fc.record({ email: fc.constantFrom(...EMAILS, ''), id: fc.constantFrom(...IDS) });
const subscriber = fc.record({
	email: fc.constantFrom(...EMAILS),
	id: fc.constantFrom(...IDS),
	state: fc.constantFrom('available', 'deactivated'),
});

const world = fc
	.record({
		rows: fc.array(row, { minLength: 1, maxLength: 6 }),
		// Supercast has each email once.
		subscribers: fc.uniqueArray(subscriber, { maxLength: 4, selector: ({ email }) => email }),
	})
	.map(({ rows, subscribers }): World => ({
		rows: rows.filter(({ email, id }) => email !== '' || id !== ''),
		subscribers: subscribers.map(({ email, id, state }, index) =>
			held(index, { email, customer_id: id || null, state }),
		),
	}));

function peopleIn({ rows, subscribers }: World): readonly Person[] {
	const records = rows.map(({ email, id }, item) => ({
		...{ item, email, emailKey: email, customerId: id, status: 'active', products: [] },
		...{ access: 'open' as const, ground: { kind: 'status' as const } },
		fields: () => ({ fields: {}, leftOut: [] }),
	}));
	return finish(match(records, subscribers.map(currentSubscriber))).people;
}

function heldBy({ subscribers }: World, one: CurrentSubscriber): Held {
	return subscribers.find(({ uuid }) => uuid === one.uuid)!;
}

/** Does what the cure says, as an owner would. */
function follow(world: World, person: Person, cure: Cure): void {
	switch (cure.kind) {
		case 'oneEmail': {
			const items = person.records.filter(({ email }) => cure.emails.includes(email));
			for (const { item } of items) world.rows[item]!.email = cure.email;
			break;
		}
		case 'email': {
			const isTaken = world.subscribers.some(({ email }) => email === cure.email);
			// Supercast refuses an email that someone has.
			expect(isTaken).toBe(false);
			heldBy(world, cure.subscriber).email = cure.email;
			break;
		}
		case 'customerId':
			heldBy(world, cure.subscriber).customer_id = cure.customerId || null;
			break;
		case 'delete':
			for (const one of cure.subscribers.slice(1)) {
				world.subscribers.splice(world.subscribers.indexOf(heldBy(world, one)), 1);
			}
	}
}

describe('the advice about a conflict', () => {
	it('ends it, in all ways in which records and subscribers may share names', () => {
		fc.assert(
			fc.property(world, (given) => {
				for (const person of peopleIn(given)) {
					if (person.conflict === undefined) continue;
					const cures = curesOf(person);
					expect(cures).not.toEqual([]);
					for (const cure of cures) follow(given, person, cure);
				}
				expect(peopleIn(given).map(({ conflict }) => conflict)).toEqual(
					peopleIn(given).map(() => undefined),
				);
			}),
			runs(1_000),
		);
	});

	it('is not given where there is no conflict', () => {
		fc.assert(
			fc.property(world, (given) => {
				for (const person of peopleIn(given)) {
					if (person.conflict === undefined) expect(curesOf(person)).toEqual([]);
				}
			}),
			runs(250),
		);
	});

	it.each<[string, Row[], Held[], string, string]>([
		[
			'one customer ID has two emails',
			[
				{ email: 'new@a.com', id: 'c-1', status: 'active' },
				{ email: 'm1@a.com', id: 'c-1', status: 'active' },
			],
			[held(1)],
			'the list has several emails for this person: new@a.com; m1@a.com',
			'In your membership system, give all records of this person the email m1@a.com.',
		],
		[
			'a subscriber has the customer ID of one person and the email of another',
			[
				{ email: 'm1@a.com', id: 'c-other', status: 'active' },
				{ email: 'm2@a.com', id: 'c-1', status: 'active' },
			],
			[held(1)],
			'the subscriber m1@a.com (customer ID c-1, available) has the customer ID of m2@a.com, and the email of another person on the list',
			'In Supercast, change the email of this subscriber to m2@a.com.',
		],
		[
			'two subscribers are one person',
			[{ email: 'm1@a.com', id: 'c-2', status: 'active' }],
			[held(1, { customer_id: null }), held(2)],
			'Supercast has 2 subscribers for this person: m1@a.com (no customer ID, available); m2@a.com (customer ID c-2, available)',
			'In Supercast, delete the one that this person does not use.',
		],
	])('says what it is about if %s', async (_, rows, subscribers, what, cure) => {
		const more = [10, 11, 12].map((number) => held(number));
		const listed = more.map(({ email, customer_id: id }) => ({ email, id: id!, status: 'active' }));
		const show = new Show([...subscribers, ...more]);
		const { text, items, run, title } = await show.list([...rows, ...listed]);
		const person = run.people.find(({ conflict }) => conflict !== undefined)!;
		expect(conflictTexts(person)).toEqual({ what, cure });
		expect(text).toContain(`${what}. ${cure}`);
		expect(title).toContain('1 conflict');
		expect(items).toContainEqual(
			expect.objectContaining({ action: 'kept', reason: `conflict: ${what}` }),
		);
	});
});
