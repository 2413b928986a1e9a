import type { Held } from './fakeService';
import { NOW, type Row } from './running';

/** The settings that the model knows. */
export interface ModelSettings {
	close: 'all' | 'none' | 'withCustomerId';
	reactivate: boolean;
	closeWithPlan: boolean;
	prefix: string;
	neverClose: string[];
	graceHours: number;
	maxClosePercent: number;
	maxClose: number;
	maxOpen: number;
}

/** The expected result of a run. */
export interface Expected {
	/** Emails in lower case of the people with an action, by action. */
	actions: Record<'closed' | 'created' | 'reopened' | 'updated', string[]>;
	/** The subscribers afterwards. Undefined when the run must be refused. */
	after?: Held[];
}

const same = (a: string | null | undefined, b: string | null | undefined): boolean =>
	(a ?? '').trim() !== '' && (a ?? '').trim().toLowerCase() === (b ?? '').trim().toLowerCase();
const sameId = (a: string | null | undefined, b: string | null | undefined): boolean =>
	(a ?? '') !== '' && a === b;

/** Everyone who is connected to someone by an email or a customer ID, over any number of steps. */
function circle(start: Who, everybody: Who[]): Who[] {
	const found = new Set([start]);
	for (let size = 0; size < found.size;) {
		size = found.size;
		for (const one of everybody) {
			const touches = [...found].some(
				(other) => same(one.email, other.email) || sameId(one.id, other.id),
			);
			if (touches) found.add(one);
		}
	}
	return [...found];
}

interface Who {
	email: string;
	id: string;
	row?: Row;
	held?: Held;
}

/** The table of the operation, person by person, slow but simple. */
export function expected(rows: Row[], held: Held[], settings: ModelSettings): Expected {
	const listed: Who[] = rows.map((row) => ({ email: row.email, id: row.id ?? '', row }));
	const known: Who[] = held.map((one) => ({
		email: one.email,
		id: one.customer_id ?? '',
		held: one,
	}));
	const everybody = [...listed, ...known];
	const actions: Expected['actions'] = { closed: [], created: [], reopened: [], updated: [] };
	const after = held.map((one) => ({ ...one }));
	const copyOf = (one: Held): Held => after[held.indexOf(one)]!;
	const seen = new Set<Who>();
	for (const who of everybody) {
		if (seen.has(who)) continue;
		const people = circle(who, everybody);
		for (const one of people) seen.add(one);
		const mine = people.filter(({ row }) => row !== undefined);
		const theirs = people.flatMap(({ held: one }) => (one === undefined ? [] : [one]));
		const emails = new Set(mine.map(({ email }) => email.trim().toLowerCase()));
		const ids = new Set(people.map(({ id }) => id).filter((id) => id !== ''));
		if (emails.size > 1 || theirs.length > 1 || ids.size > 1) continue;
		const [email] = emails;
		const [subscriber] = theirs;
		if (email === undefined) {
			if (subscriber !== undefined && mayClose(subscriber, settings)) {
				actions.closed.push(subscriber.email.toLowerCase());
				copyOf(subscriber).state = 'deactivated';
			}
			continue;
		}
		const name = mine
			.map(({ row }) => row?.firstName)
			.filter((text) => text !== undefined)
			.at(-1);
		if (subscriber === undefined) {
			actions.created.push(email);
			after.push({
				uuid: '',
				email,
				customer_id: [...ids][0] ?? null,
				first_name: name ?? null,
				state: 'available',
				plan_id: null,
				created_at: '',
				updated_at: '',
			});
			continue;
		}
		if (subscriber.state !== 'available' && subscriber.state !== 'deactivated') continue;
		const copy = copyOf(subscriber);
		const differs =
			!same(email, subscriber.email) || (name ?? subscriber.first_name) !== subscriber.first_name;
		copy.email = email;
		copy.first_name = name ?? subscriber.first_name;
		if (subscriber.state === 'deactivated' && settings.reactivate) {
			actions.reopened.push(email);
			copy.state = 'available';
		} else if (differs) {
			actions.updated.push(email);
		}
	}
	const inScope = held.filter((one) => one.state === 'available' && isOurs(one, settings)).length;
	const share = (inScope * settings.maxClosePercent) / 100;
	const allowed = settings.maxClosePercent === 0 ? 0 : Math.max(1, Math.floor(share));
	const isRefused =
		actions.closed.length > Math.min(allowed, settings.maxClose) ||
		actions.created.length + actions.reopened.length > settings.maxOpen;
	return isRefused ? { actions } : { actions, after };
}

function isOurs({ customer_id: id, plan_id: plan }: Held, settings: ModelSettings): boolean {
	if (settings.close === 'none') return false;
	if (settings.close === 'withCustomerId' && id === null) return false;
	if (settings.prefix !== '' && !(id ?? '').startsWith(settings.prefix)) return false;
	return plan === null || settings.closeWithPlan;
}

function mayClose(one: Held, settings: ModelSettings): boolean {
	const email = one.email.toLowerCase();
	const isProtected = settings.neverClose.some((entry) => entry === email || email.endsWith(entry));
	const hours = (NOW - Date.parse(one.created_at)) / 3_600_000;
	const isNew = settings.graceHours > 0 && hours < settings.graceHours;
	return one.state === 'available' && isOurs(one, settings) && !isProtected && !isNew;
}
