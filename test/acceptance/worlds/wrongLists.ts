/** The ways in which a list goes wrong. Each row is a kind, with what happens in plain words. */

import type { Channel } from './channel';
import { PREFIXES, type People } from './people';
import type { Row } from './settings';

/** What a kind may use to spoil a list. */
export interface Facts {
	people: People;
	/** How many lists were wrong before this one. */
	step: number;
	/** How much goes wrong: a share of the list between 0.1 and 0.6. */
	share: number;
	/** Where it goes wrong: a share of the list. */
	place: number;
	/** The list at the beginning of this life, and the one before things went wrong. */
	first: readonly Row[];
	before: readonly Row[];
}

export interface WrongList {
	/** What happens, for a reader who was not there. */
	text: string;
	spoil?: (rows: Row[], facts: Facts) => Row[];
	/** What Supercast does in the meantime. */
	supercast?: (channel: Channel, facts: Facts) => void;
	/** Whether the system says how many records it has. */
	hasExpected?: boolean;
	/** How many lists are wrong, if that is not random. */
	lists?: number;
	/** Someone runs the workflow from its last node on, with the items of an earlier execution. */
	isOldExecution?: boolean;
}

/** Keeps a row or drops it, the same way in each list of a wrong period. */
function isHit({ recordId }: Row, { share, place }: Facts): boolean {
	const number = Number(recordId.replace(/\D/g, '')) * 0.618_034 + place;
	return number - Math.floor(number) < share;
}

function withoutPage(rows: Row[], { share, place }: Facts): Row[] {
	const size = Math.max(1, Math.round(rows.length * Math.min(share, 0.4)));
	const from = Math.floor((rows.length - size) * place);
	return [...rows.slice(0, from), ...rows.slice(from + size)];
}

/** People who are nobody here, as members of something else. */
function strangers({ people }: Facts, count: number): Row[] {
	return Array.from({ length: count }, () => {
		const { email } = people.add();
		const number = 90_000 + people.all.length;
		const customerId = `${PREFIXES[0]}${number}`;
		return { recordId: `other-${number}`, customerId, email, status: 'active' };
	});
}

/** The same strangers in each list of a wrong period. */
const known = new WeakMap<People, Row[]>();

function strangersSoFar(facts: Facts, count: number): Row[] {
	const some = known.get(facts.people) ?? [];
	some.push(...strangers(facts, count - some.length));
	known.set(facts.people, some);
	return some.slice(0, Math.max(0, count));
}

const onHit =
	(change: (row: Row, index: number, rows: readonly Row[]) => Partial<Row>) =>
	(rows: Row[], facts: Facts): Row[] =>
		rows.map((row, index) => (isHit(row, facts) ? { ...row, ...change(row, index, rows) } : row));

const onAll =
	(change: (row: Row, index: number, rows: readonly Row[]) => Partial<Row>) =>
	(rows: Row[]): Row[] =>
		rows.map((row, index) => ({ ...row, ...change(row, index, rows) }));

const next = (rows: readonly Row[], index: number): Row => rows[(index + 1) % rows.length]!;

export const WRONG_LISTS = {
	lostPage: { text: 'A page in the middle is lost', spoil: withoutPage },
	lostPageTold: {
		text: 'A page in the middle is lost, and the system says how many records it has',
		...{ spoil: withoutPage, hasExpected: true },
	},
	lostEnd: {
		text: 'The last page is lost',
		spoil: (rows, facts) => withoutPage(rows, { ...facts, place: 1 }),
	},
	lostEndTold: {
		text: 'The last page is lost, and the system says how many records it has',
		spoil: (rows, facts) => withoutPage(rows, { ...facts, place: 1 }),
		hasExpected: true,
	},
	doubledPage: {
		text: 'A page comes twice, and the one after it is lost',
		spoil: (rows, facts) => {
			const size = Math.max(1, Math.round(rows.length * Math.min(facts.share, 0.4)));
			return [...rows.slice(0, size), ...rows.slice(0, size), ...rows.slice(2 * size)];
		},
		hasExpected: true,
	},
	wrongFilter: {
		text: 'A wrong filter leaves out some of the members',
		spoil: (rows, facts) => rows.filter((row) => !isHit(row, facts)),
	},
	alternating: {
		text: 'Every second list leaves out some of the members',
		spoil: (rows, facts) => rows.filter((row) => facts.step % 2 === 1 || !isHit(row, facts)),
		lists: 16,
	},
	noStatuses: {
		text: 'The column of statuses has another name',
		spoil: onAll(() => ({ status: '' })),
	},
	allEnded: {
		text: 'All statuses say that it ended',
		spoil: onAll(() => ({ status: 'canceled' })),
	},
	gradualEnd: {
		text: 'In each list, 4% more of the members have a status that says it ended',
		spoil: (rows, facts) => {
			const share = 0.04 * (facts.step + 1);
			return onHit(() => ({ status: 'canceled' }))(rows, { ...facts, share });
		},
		lists: 25,
	},
	gradualStrangers: {
		text: 'In each list, there are more strangers: a fifth of the members each time',
		spoil: (rows, facts) => [
			...rows,
			...strangersSoFar(facts, (facts.step + 1) * Math.ceil(facts.first.length / 5)),
		],
		lists: 12,
	},
	otherProduct: {
		text: 'The buyers of another product are on the list too',
		spoil: (rows, facts) => [
			...rows,
			...strangersSoFar(facts, Math.ceil(rows.length * facts.share)),
		],
	},
	otherChannel: {
		text: "It is another channel's list",
		spoil: (rows, facts) => strangersSoFar(facts, Math.ceil(rows.length * (0.5 + facts.share))),
	},
	movedEmails: {
		text: 'Each row has the email of the next row',
		spoil: onAll((_, index, rows) => ({ email: next(rows, index).email })),
	},
	movedIds: {
		text: 'Some rows have the customer ID of the next row',
		spoil: onHit((_, index, rows) => ({ customerId: next(rows, index).customerId })),
	},
	rowNumbers: {
		text: 'The customer IDs are row numbers, and the rows are sorted anew each time',
		spoil: (rows, { step }) =>
			rows.map((row, index) => ({
				...row,
				customerId: `${PREFIXES[0]}${((index + step) % rows.length) + 1}`,
			})),
	},
	oneId: {
		text: 'All rows have the same customer ID',
		spoil: onAll((_, __, [first]) => ({ customerId: first!.customerId })),
	},
	oneEmail: {
		text: 'All rows have the same email',
		spoil: onAll((_, __, [first]) => ({ email: first!.email })),
	},
	noEmails: { text: 'The emails are missing', spoil: onAll(() => ({ email: '' })) },
	noIds: { text: 'The customer IDs are missing', spoil: onAll(() => ({ customerId: '' })) },
	nameless: {
		text: 'Some rows have neither an email nor a customer ID',
		spoil: onHit(() => ({ email: '', customerId: '' })),
	},
	noPrefix: {
		text: 'Some customer IDs lack the prefix',
		spoil: onHit(({ customerId }) => ({ customerId: customerId.replace(/^[a-z]+-/, '') })),
	},
	missingValues: {
		text: 'Some customer IDs are the text of a missing value behind the prefix',
		spoil: onHit(() => ({ customerId: `${PREFIXES[0]}undefined` })),
	},
	nothing: {
		text: 'The list is empty: n8n makes one item without fields',
		spoil: () => [{ recordId: '', customerId: '', email: '', status: '' }],
	},
	cached: {
		text: 'A cache returns the list of hours ago',
		spoil: (_, { before }) => [...before],
		lists: 36,
	},
	oldExport: {
		text: 'Someone uploads the first export again',
		spoil: (_, { first }) => [...first],
	},
	oldExecution: {
		text: 'Someone executes only Sync by hand, with the items of hours ago',
		spoil: (_, { before }) => [...before],
		isOldExecution: true,
	},
	halfOfSupercast: {
		text: 'Supercast shows half of its subscribers, with the right total',
		supercast: (channel) => showHalf(channel, channel.subscribers.length),
	},
	halfOfSupercastUntold: {
		text: 'Supercast shows half of its subscribers, and says that these are all',
		supercast: (channel) => showHalf(channel, undefined),
	},
	failures: {
		text: 'Supercast answers one in five requests with status 500',
		supercast: (channel, { people }) => {
			channel.habit = () => (people.chance(0.2) ? { status: 500, body: {} } : undefined);
		},
	},
} satisfies Record<string, WrongList>;

function showHalf(channel: Channel, total: number | undefined): void {
	channel.habit = ({ method, path: [resource, name], query }) => {
		if (method !== 'GET' || resource !== 'subscribers' || name !== undefined) return undefined;
		const half = channel.subscribers.filter((_, index) => index % 2 === 0);
		const size = channel.perPage;
		const end = Number(query?.page) * size;
		const headers = { 'x-per-page': String(size), 'x-total': String(total ?? half.length) };
		return { status: 200, headers, body: half.slice(end - size, end) };
	};
}

export type Kind = keyof typeof WRONG_LISTS;

export function wrongList(kind: Kind): WrongList {
	return WRONG_LISTS[kind];
}
