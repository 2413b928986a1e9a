import type { Held } from './fakeService';
import { NOW, type Row } from './running';

/** The settings that the model knows. */
export interface ModelSettings {
	addCustomerIds: boolean;
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

const key = (email: string): string => email.trim().toLowerCase();

/** What the list says about one person. */
interface Listed {
	email: string;
	ids: string[];
	name: string | undefined;
}

/** Rows with one email are one person. A row without an email is the person with its ID. */
function personsOn(rows: Row[]): Listed[] {
	const persons: Listed[] = [];
	const add = (
		row: Row,
		person = { email: key(row.email), ids: [], name: undefined } as Listed,
	) => {
		if (!persons.includes(person)) persons.push(person);
		if (row.id !== undefined && !person.ids.includes(row.id)) person.ids.push(row.id);
		person.name = row.firstName ?? person.name;
	};
	const isNamed = ({ email }: Row): boolean => email !== '';
	for (const row of rows.filter(isNamed)) {
		add(
			row,
			persons.find(({ email }) => email === key(row.email)),
		);
	}
	for (const row of rows.filter((one) => !isNamed(one))) {
		add(
			row,
			persons.find(({ ids }) => ids.includes(row.id ?? '')),
		);
	}
	return persons;
}

/** The table of the operation, person by person, slow but simple. */
export function expected(rows: Row[], held: Held[], settings: ModelSettings): Expected {
	const persons = personsOn(rows);
	const actions: Expected['actions'] = { closed: [], created: [], reopened: [], updated: [] };
	const after = held.map((one) => ({ ...one }));
	const copyOf = (one: Held): Held => after[held.indexOf(one)]!;
	const ids = persons.flatMap((person) => person.ids);
	const isListed = (one: Held): boolean =>
		persons.some(({ email }) => email !== '' && email === key(one.email));
	const namedBy = (person: Listed): Held[] =>
		held.filter((one) => person.email !== '' && key(one.email) === person.email);
	const hasId = (person: Listed, one: Held): boolean =>
		!isListed(one) && person.ids.includes(one.customer_id ?? '');
	let conflicts = 0;
	for (const person of persons) {
		const named = namedBy(person);
		const others = held.filter((one) => hasId(person, one));
		const isShared = person.ids.some((id) => ids.filter((one) => one === id).length > 1);
		const [one] = [...named, ...others];
		if (isShared || (named.length === 0 && others.length > 1)) {
			conflicts++;
			continue;
		}
		if (named.length === 1 && others.length > 0) conflicts++;
		if (one === undefined) {
			if (person.email === '') continue;
			actions.created.push(person.email);
			after.push(newSubscriber(person));
			continue;
		}
		const isOther = one.customer_id !== null && person.ids.length > 0;
		const differs = isOther && !person.ids.includes(one.customer_id ?? '');
		const copy = copyOf(one);
		const write = (): boolean => {
			const name = person.name ?? one.first_name;
			const isMoved = person.email !== '' && person.email !== key(one.email);
			if (isMoved) copy.email = person.email;
			const isRenamed = name !== one.first_name;
			copy.first_name = name;
			return isMoved || isRenamed;
		};
		const link = (): boolean => {
			const isFree = one.customer_id === null && one.plan_id === null && others.length === 0;
			if (!settings.addCustomerIds || !isFree || person.ids.length === 0) return false;
			copy.customer_id = person.ids[0]!;
			return true;
		};
		if (one.state === 'available') {
			const isOurs = (one.customer_id ?? '').startsWith(settings.prefix);
			if (differs) conflicts += isOurs && others.length === 0 ? 1 : 0;
			else if ([write(), link()].includes(true)) actions.updated.push(copy.email.toLowerCase());
		}
		if (one.state !== 'deactivated' || (one.plan_id !== null && !settings.closeWithPlan)) continue;
		const isChanged = write();
		if (!settings.reactivate) {
			if (isChanged) actions.updated.push(copy.email.toLowerCase());
			continue;
		}
		actions.reopened.push(copy.email.toLowerCase());
		copy.state = 'available';
		const [first] = person.ids;
		const replaces = first !== undefined && !person.ids.includes(one.customer_id ?? '');
		if (replaces && (named.length === 0 || others.length === 0)) copy.customer_id = first;
	}
	const forms = new Set(settings.prefix === '' ? ids.map(formOf) : []);
	const isTwice = (one: Held): boolean =>
		held.some(
			(other) => other !== one && one.customer_id !== null && other.customer_id === one.customer_id,
		);
	const closable = held.filter((one) => mayClose(one, settings, forms));
	for (const one of closable) {
		if (isListed(one) || ids.includes(one.customer_id ?? '') || isTwice(one)) continue;
		actions.closed.push(one.email.toLowerCase());
		copyOf(one).state = 'deactivated';
	}
	const share = (closable.length * settings.maxClosePercent) / 100;
	const allowed = settings.maxClosePercent === 0 ? 0 : Math.max(1, Math.floor(share));
	const isRefused =
		actions.closed.length > Math.min(allowed, settings.maxClose) ||
		actions.created.length + actions.reopened.length > settings.maxOpen ||
		(conflicts > 2 && conflicts > persons.length / 2) ||
		ids.some((id) => !id.startsWith(settings.prefix)) ||
		isOneEmail(rows);
	return isRefused ? { actions } : { actions, after };
}

function newSubscriber({ email, ids, name }: Listed): Held {
	return {
		uuid: '',
		email,
		customer_id: ids[0] ?? null,
		first_name: name ?? null,
		state: 'available',
		plan_id: null,
		created_at: '',
		updated_at: '',
	};
}

function isOneEmail(rows: Row[]): boolean {
	return rows.some(({ email }) => {
		const mine = rows.filter((row) => row.email !== '' && key(row.email) === key(email));
		const withId = new Set(mine.flatMap(({ id }) => (id === undefined ? [] : [id])));
		const count = withId.size + mine.filter(({ id }) => id === undefined).length;
		return count > 2 && count > rows.length / 2;
	});
}

function formOf(id: string): string {
	return id.replace(/\d+$/, '');
}

function isOurs({ customer_id: id, plan_id: plan }: Held, settings: ModelSettings): boolean {
	if (settings.close === 'none') return false;
	if (settings.close === 'withCustomerId' && id === null) return false;
	if (settings.prefix !== '' && !(id ?? '').startsWith(settings.prefix)) return false;
	return plan === null || settings.closeWithPlan;
}

function mayClose(one: Held, settings: ModelSettings, forms: Set<string>): boolean {
	const email = one.email.toLowerCase();
	const isProtected = settings.neverClose.some((entry) => entry === email || email.endsWith(entry));
	const isRecent = (time: string): boolean =>
		(NOW - Date.parse(time)) / 3_600_000 < settings.graceHours;
	const isNew = settings.graceHours > 0 && [one.created_at, one.updated_at].some(isRecent);
	const isOpen = one.state === 'available' || one.state === 'charge_failure';
	const isForeign =
		forms.size > 0 && one.customer_id !== null && !forms.has(formOf(one.customer_id));
	return isOpen && isOurs(one, settings) && !isProtected && !isNew && !isForeign;
}
