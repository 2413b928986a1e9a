/** What people have at Supercast, what happens to their records, and what is wrong with lists. */

import type { Feed, Row } from './model';

/** How many people there are. Some have nothing to do with the list. */
export const PEOPLE = 10;

/** What a person has at Supercast before the first list. */
export const FEEDS: Record<string, Partial<Feed> | undefined> = {
	'an open feed': {},
	'another open feed': {},
	'a closed feed': { state: 'deactivated' },
	'no feed': undefined,
	'an open feed without an ID': { customerId: '' },
	'an open feed of another system': { customerId: 'b-' },
	'an open feed with an older ID': { customerId: 'a-old-' },
	'the ID of the first': { customerId: 'a-m0' },
	'the ID of the first and a closed feed': { customerId: 'a-m0', state: 'deactivated' },
	'an older email': { email: 'old' },
	'an older email and a closed feed': { email: 'old', state: 'deactivated' },
	'a plan': { hasPlan: true },
	'a plan without an ID': { hasPlan: true, customerId: '' },
	'a closed feed and a plan': { hasPlan: true, state: 'deactivated' },
	'a suspended feed': { state: 'suspended' },
	'a failed payment': { state: 'charge_failure' },
	'no checkout': { state: 'pending' },
	'an unknown state': { state: 'mystery' },
	'an email in Never Close': { email: 'staff' },
};

type Life = (rows: Row[], row: Row, who: number) => Row[];

const all =
	(change: (row: Row, who: number) => Partial<Row>): Life =>
	(rows, _, who) =>
		rows.map((row) => ({ ...row, ...change(row, who) }));

/** What happens to the records of a person. */
export const LIVES: Record<string, Life> = {
	leaves: all(() => ({ status: 'canceled' })),
	'leaves, and another address knows why': (rows, row) => [
		...rows.map((one) => ({ ...one, status: 'Canceled' })),
		{ ...row, email: 'host@staff.example', status: 'canceled' },
	],
	'is deleted': () => [],
	returns: (_, row) => [{ ...row, status: ' ACTIVE ' }],
	'returns with a new ID': (rows, row, who) => [
		...rows.map((one) => ({ ...one, status: 'canceled' })),
		{ ...row, customerId: `a-new-${who}`, status: 'active' },
	],
	'pays twice': (rows, row, who) => [...rows, { ...row, customerId: `a-two-${who}` }],
	'has a pause': all(() => ({ status: 'on hold' })),
	'has a word that nobody has decided about': all(() => ({ status: 'member.paused' })),
	'has no status': all(() => ({ status: '' })),
	'takes a new email': all((_, who) => ({ email: `new${who}@example.com` })),
	'takes the older email again': all((_, who) => ({ email: `old${who}@example.com` })),
	'writes the email in capitals': all(({ email }) => ({
		email: email && ` ${email.toUpperCase()}`,
	})),
	'has the email of the next': all((_, who) => ({ email: `p${(who + 1) % PEOPLE}@example.com` })),
	'has the ID of the next': all((_, who) => ({ customerId: `a-m${(who + 1) % PEOPLE}` })),
	'has another address in a second record': (rows, row, who) => [
		...rows,
		{ ...row, email: `new${who}@example.com` },
	],
	'loses the email': all(() => ({ email: '' })),
	'loses the ID': all(() => ({ customerId: '' })),
	'loses both': all(() => ({ email: '', customerId: '' })),
	'has a broken email': all(() => ({ email: 'nobody', customerId: '' })),
	'has an ID of another system': all((_, who) => ({ customerId: `b-m${who}` })),
	'buys a mug': (rows, row, who) => [
		...rows,
		{ ...row, product: 'MUG', customerId: `a-mug-${who}` },
	],
	'has an unknown product': all(() => ({ product: 'hat [2025]' })),
	'has no product': all(() => ({ product: '' })),
	'has paid until yesterday': all(() => ({ until: '2025-12-31' })),
	'has paid until next year': all(() => ({ until: '2027-01-01' })),
	'has an end that cannot be read': all(() => ({ until: 'soon' })),
};

/** What is wrong with a list, apart from its records. */
export const LISTS: Record<string, (rows: Row[]) => Row[]> = {
	right: (rows) => rows,
	'without half of the people': (rows) => rows.slice(0, rows.length / 2),
	'of two people': (rows) => rows.slice(0, 2),
	'of nobody': () => [],
	'of people who have all left': (rows) => rows.map((row) => ({ ...row, status: 'canceled' })),
	'without statuses': (rows) => rows.map((row) => ({ ...row, status: '' })),
	'with one ID for all': (rows) => rows.map((row) => ({ ...row, customerId: 'a-m1' })),
	'with one email for all': (rows) => rows.map((row) => ({ ...row, email: 'p1@example.com' })),
	'without IDs': (rows) => rows.map((row) => ({ ...row, customerId: '' })),
	'without emails': (rows) => rows.map((row) => ({ ...row, email: '' })),
	'without emails and IDs': (rows) => rows.map((row) => ({ ...row, email: '', customerId: '' })),
	'with a record twice': (rows) => [...rows, ...rows.slice(0, 1)],
	'with a record that has no record ID': (rows) =>
		rows.map((row, index) => (index === 0 ? { ...row, recordId: '' } : row)),
	'without the last record': (rows) => rows.slice(0, -1),
	'of another channel': (rows) => rows.map((row) => strange(row, 0)),
	'with 60 strangers': (rows) => [
		...rows,
		...Array.from({ length: 60 }, (_, index) => strange(rowOf(0), index)),
	],
};

function strange(row: Row, index: number): Row {
	const name = `${index}${row.recordId}`;
	const record = { recordId: `s-${name}`, customerId: `a-s${name}`, email: `s${name}@example.net` };
	return { ...row, ...record, status: 'active' };
}

/** The subscriber whom a person has before the first list. */
export function feedOf(who: number, kind: string): Feed | undefined {
	const made = FEEDS[kind];
	if (made === undefined) return undefined;
	const { email = 'p', customerId = 'a-', ...others } = made;
	return {
		...{ state: 'available', hasPlan: false, name: `Old ${who}` },
		...others,
		email: email === 'staff' ? `p${who}@staff.example` : `${email}${who}@example.com`,
		customerId: customerId.endsWith('-') ? `${customerId}m${who}` : customerId,
	};
}

/** The usual record of a person. */
export function rowOf(who: number): Row {
	return {
		...{ recordId: `r-${who}`, email: `p${who}@example.com`, customerId: `a-m${who}` },
		...{ status: 'active', product: 'Podcast', until: '', name: `Ann ${who}` },
	};
}
