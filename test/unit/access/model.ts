/**
 * What the page of rules says (`docs/sync.md`), as functions. They are slow and simple, and know
 * nothing of the code. One part for each part of the page. A run of Sync is in `modelRuns.ts`.
 */

/** A record of a membership system, as an item shows it. What it does not have is empty. */
export interface Row {
	recordId: string;
	email: string;
	customerId: string;
	status: string;
	product: string;
	until: string;
	name: string;
}

/** A subscriber in Supercast. */
export interface Feed {
	email: string;
	customerId: string;
	state: string;
	hasPlan: boolean;
	name: string;
}

/** What a user has set, for Sync and Set Access. */
export interface Words {
	openFor: string[];
	keepFor: string[];
	closeFor: string[];
	products: string[];
	otherProducts: string[];
	prefixes: string[];
	closeWithPlan: boolean;
}

// The list

export type Access = 'close' | 'keep' | 'open' | 'unclear';

export const lower = (text: string): string => text.trim().toLowerCase();
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

function statusAccess(status: string, words: Words, hasStatuses: boolean): Access {
	const lists: Array<[string[], Access]> = [
		[words.openFor, 'open'],
		[words.keepFor, 'keep'],
		[words.closeFor, 'close'],
	];
	const listWith = (word: string) =>
		lists.find(([list]) => list.some((one) => lower(one) === word));
	if (lower(status) !== '')
		return (listWith(lower(status)) ?? listWith('(other)'))?.[1] ?? 'unclear';
	// If no record has a status, the column is lost.
	return (hasStatuses ? listWith('(empty)')?.[1] : undefined) ?? 'unclear';
}

export function accessOf(row: Row, words: Words, hasStatuses: boolean, today: string): Access {
	const isIn = (list: string[]) =>
		list.some((one) => lower(one) === (lower(row.product) || '(empty)'));
	const counts = isIn(words.products);
	if (isIn(words.otherProducts) && !counts) return 'close';
	if (isDay(row.until) && row.until < today) return 'close';
	const access = statusAccess(row.status, words, hasStatuses);
	const isUndecided = words.products.length > 0 && !counts;
	const isUnreadable = row.until !== '' && !isDay(row.until);
	return access !== 'close' && (isUndecided || isUnreadable) ? 'unclear' : access;
}

/** Of someone who is not `close`: an email that is none, or an ID that has no prefix. */
export function isInvalid({ email, customerId }: Row, prefixes: string[]): boolean {
	const isForeign = customerId !== '' && !hasPrefix(customerId, prefixes);
	return (email === '' && customerId === '') || (email !== '' && !email.includes('@')) || isForeign;
}

export function hasPrefix(customerId: string, prefixes: string[]): boolean {
	return prefixes.length === 0 || prefixes.some((one) => customerId.startsWith(one));
}

// Who is who

export type Judged = Row & { access: Access };

export interface Person {
	rows: Judged[];
	/** Those with the customer ID or the email of one of the rows. */
	feeds: Feed[];
}

export const isSame = (one: string, other: string): boolean =>
	one !== '' && lower(one) === lower(other);

export function isTheirs(row: Row, feed: Feed): boolean {
	const hasId = row.customerId !== '' && row.customerId === feed.customerId;
	return hasId || isSame(row.email, feed.email);
}

function areOne(one: Row, other: Row, feeds: readonly Feed[]): boolean {
	const haveOneId = one.customerId !== '' && one.customerId === other.customerId;
	const haveOneFeed = feeds.some((feed) => isTheirs(one, feed) && isTheirs(other, feed));
	return haveOneId || isSame(one.email, other.email) || haveOneFeed;
}

export function peopleOf(rows: readonly Judged[], feeds: readonly Feed[]): Person[] {
	let people: Judged[][] = [];
	for (const row of rows) {
		const own = people.filter((person) => person.some((other) => areOne(row, other, feeds)));
		people = [...people.filter((person) => !own.includes(person)), [...own.flat(), row]];
	}
	return people.map((unsorted) => {
		const own = rows.filter((row) => unsorted.includes(row));
		return { rows: own, feeds: feeds.filter((feed) => own.some((row) => isTheirs(row, feed))) };
	});
}

export function isOpen({ rows }: Person): boolean {
	return rows.some(({ access }) => access === 'open');
}

export const emailOf = ({ rows }: Person): string =>
	rows.find(({ email }) => email !== '')?.email ?? '';

/** If a person has subscribed several times, the memberships that are open come first. */
function idsOf({ rows }: Person): string[] {
	const openFirst = [...rows.filter(({ access }) => access === 'open'), ...rows];
	return openFirst.map(({ customerId }) => customerId).filter((id) => id !== '');
}

export function isConflict({ rows, feeds }: Person): boolean {
	const emails = rows.map(({ email }) => lower(email)).filter((email) => email !== '');
	return new Set(emails).size > 1 || feeds.length > 1;
}

// Opening

/** What should become of a feed. Without `before`, it is created. */
export interface Change {
	before?: Feed;
	after: Feed;
}

export function opening(person: Person, { prefixes, closeWithPlan }: Words): Change | undefined {
	if (isConflict(person) || !isOpen(person)) return undefined;
	const [email, ids, [before]] = [emailOf(person), idsOf(person), person.feeds];
	const [id = ''] = ids;
	const name = person.rows.filter(({ access }) => access === 'open').at(-1)?.name ?? '';
	if (before === undefined) {
		const after = { email, customerId: id, state: 'available', hasPlan: false, name };
		return email === '' ? undefined : { after };
	}
	if (before.hasPlan && !closeWithPlan) return undefined;
	const names = {
		email: email === '' || isSame(email, before.email) ? before.email : email,
		customerId: id === '' || ids.includes(before.customerId) ? before.customerId : id,
	};
	if (before.state === 'deactivated') {
		return { before, after: { ...before, ...names, state: 'available', name } };
	}
	const { customerId } = before;
	const isOther =
		customerId !== '' && !hasPrefix(customerId, prefixes) && !ids.includes(customerId);
	if (before.state !== 'available' || isOther) return undefined;
	return { before, after: { ...before, ...names } };
}

export const opens = ({ before }: Change): boolean => before?.state !== 'available';
export const moves = ({ before, after }: Change): boolean =>
	before !== undefined && !isSame(before.email, after.email);

/** What is at Supercast after these changes. */
export function applied(feeds: readonly Feed[], changes: readonly Change[]): Feed[] {
	const kept = feeds.map((feed) => changes.find(({ before }) => before === feed)?.after ?? feed);
	const added = changes.flatMap(({ before, after }) => (before === undefined ? [after] : []));
	return [...kept, ...added];
}

// Set Access

export function setAccess(
	row: Row,
	feeds: readonly Feed[],
	words: Words & { onlyOpen: boolean; isOld: boolean },
	today: string,
): { feeds: Feed[]; event: string[] } {
	const access = accessOf(row, words, false, today);
	const person = { rows: [{ ...row, access }], feeds: feeds.filter((one) => isTheirs(row, one)) };
	const isLeft =
		access === 'keep' || access === 'unclear' || (access === 'close' && words.onlyOpen);
	const names = [row, ...person.feeds].flatMap(({ email, customerId }) => [
		lower(email),
		customerId,
	]);
	const change = access === 'open' ? opening(person, words) : ending(person, words);
	const isChanged = !isLeft && change !== undefined;
	return {
		feeds: isChanged ? applied(feeds, [change]) : [...feeds],
		event: isLeft ? [] : names,
	};
}

function ending(person: Person, words: Words & { isOld: boolean }): Change | undefined {
	const { rows, feeds } = person;
	const [before] = feeds;
	if (before?.state !== 'available' || isConflict(person) || words.isOld) return undefined;
	if (before.hasPlan && !words.closeWithPlan) return undefined;
	const [{ customerId } = { customerId: '' }] = rows;
	const isOfOther =
		customerId === ''
			? !hasPrefix(before.customerId, words.prefixes)
			: customerId !== before.customerId;
	if (before.customerId !== '' && isOfOther) return undefined;
	return { before, after: { ...before, state: 'deactivated' } };
}
