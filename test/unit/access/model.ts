import { ownIdsOf } from '../../../nodes/Supercast/access/sync/list/ownIds';
import { leaverAction } from '../../../nodes/Supercast/subscriber/states';
import type { Held } from '../../doubles/directSupercast';
import { accessOf, key, personsOn, type Listed } from './modelPeople';
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

/** What the table says about one person, before it is clear whose email is free. */
interface Step {
	/** Undefined if Supercast does not have the person. */
	copy?: Held;
	action?: 'created' | 'reopened' | 'updated';
	/** The email on the list. Empty if the list has none. */
	email: string;
	/** The email that the person gets. */
	target?: string;
	/** Whether anything else changes. */
	isChanged: boolean;
	apply: () => void;
}

/** The table of the operation, person by person, slow but simple. */
export function expected(rows: Row[], held: Held[], settings: ModelSettings): Expected {
	const persons = personsOn(rows);
	const actions: Expected['actions'] = { closed: [], created: [], reopened: [], updated: [] };
	const after = held.map((one) => ({ ...one }));
	const copyOf = (one: Held): Held => after[held.indexOf(one)]!;
	const ids = persons.flatMap((person) => person.ids);
	const called = (name: string): Listed | undefined =>
		persons.find(({ names }) => names.includes(name));
	/** By ID and then by email. But someone with a record that has not ended has not left. */
	const ownerOf = (one: Held): Listed | undefined => {
		const both = [called(`id ${one.customer_id}`), called(`email ${key(one.email)}`)];
		return both.find((person) => person && person.access !== 'close');
	};
	const steps: Step[] = [];
	let [conflicts, unknown, hasUnmatched] = [0, 0, false];
	for (const person of persons) {
		const { email } = person;
		if (person.access === 'close') continue;
		const mine = held.filter((one) => ownerOf(one) === person);
		const named = mine.filter((one) => person.email !== '' && key(one.email) === person.email);
		const others = mine.filter((one) => !named.includes(one));
		const isShared = person.ids.some((id) => ids.filter((one) => one === id).length > 1);
		const [one, ...rest] = [...named, ...others];
		if (person.access !== 'open') {
			const isNamed = person.names.some((name) => name.startsWith('email '));
			hasUnmatched ||= one === undefined && !isNamed;
			continue;
		}
		hasUnmatched ||= one === undefined && person.email === '';
		if (isShared || (named.length === 0 && others.length > 1)) {
			conflicts++;
			continue;
		}
		if (named.length === 1 && others.length > 0) conflicts++;
		if (one === undefined) {
			if (person.email === '') unknown++;
			if (person.email === '') continue;
			const apply = (): void => void after.push(newSubscriber(person));
			steps.push({ email, action: 'created', target: person.email, isChanged: false, apply });
			continue;
		}
		const isOther = one.customer_id !== null && person.ids.length > 0;
		const differs = isOther && !person.names.includes(`id ${one.customer_id}`);
		const copy = copyOf(one);
		const isMoved = person.email !== '' && person.email !== key(one.email);
		const target = isMoved ? person.email : undefined;
		const name = person.name ?? one.first_name;
		const isRenamed = name !== one.first_name;
		const rename = (): void => void (copy.first_name = name);
		if (one.state === 'available') {
			const isOurs = (one.customer_id ?? '').startsWith(settings.prefix);
			if (differs) {
				conflicts += isOurs && rest.length === 0 ? 1 : 0;
				continue;
			}
			const isFree = one.customer_id === null && one.plan_id === null && rest.length === 0;
			const isLinked = settings.addCustomerIds && isFree && person.ids.length > 0;
			const apply = (): void => {
				rename();
				if (isLinked) copy.customer_id = person.ids[0]!;
			};
			const isChanged = isRenamed || isLinked;
			steps.push({ email, copy, action: 'updated', target, isChanged, apply });
			continue;
		}
		if (one.state !== 'deactivated' || (one.plan_id !== null && !settings.closeWithPlan)) continue;
		if (!settings.reactivate) {
			steps.push({ email, copy, action: 'updated', target, isChanged: isRenamed, apply: rename });
			continue;
		}
		const [first] = person.ids;
		const replaces = first !== undefined && !person.ids.includes(one.customer_id ?? '');
		const apply = (): void => {
			rename();
			copy.state = 'available';
			if (replaces && rest.length === 0) copy.customer_id = first;
		};
		steps.push({ email, copy, action: 'reopened', target, isChanged: true, apply });
	}
	conflicts += settle(steps, after, actions);
	const newMembers = steps.filter(({ action }) => action === 'created');
	hasUnmatched ||= newMembers.length > actions.created.length;
	const open = held.filter(({ state }) => state !== 'deactivated');
	// match.test.ts says what this returns.
	const isOwnId =
		settings.prefix === ''
			? ownIdsOf(
					[...new Set(rows.flatMap(({ id }) => id ?? []))],
					open.map(({ customer_id: id }) => id ?? ''),
				)
			: () => true;
	const mayKeepId = (one: Held): boolean => {
		const owner = ownerOf(one);
		return owner?.access === 'open' && owner.ids.length === 0;
	};
	const isTwice = (one: Held): boolean =>
		held.some(
			(other) =>
				(other.state !== 'deactivated' || mayKeepId(other)) &&
				other !== one &&
				one.customer_id !== null &&
				other.customer_id === one.customer_id,
		);
	const closable = held.filter((one) => mayClose(one, settings, isOwnId));
	for (const one of closable) {
		if (ownerOf(one) !== undefined || isTwice(one)) continue;
		if (hasUnmatched && one.customer_id === null) continue;
		actions.closed.push(one.email.toLowerCase());
		copyOf(one).state = 'deactivated';
	}
	const current = rows.filter((row) => accessOf(row) !== 'close');
	const listed = persons.filter(({ access }) => access !== 'close');
	const share = (closable.length * settings.maxClosePercent) / 100;
	const allowed = settings.maxClosePercent === 0 ? 0 : Math.max(1, Math.floor(share));
	const isRefused =
		actions.closed.length > Math.min(allowed, settings.maxClose) ||
		actions.created.length + actions.reopened.length > settings.maxOpen ||
		[conflicts, unknown].some((count) => count > 2 && count > listed.length / 2) ||
		current.some(({ id = settings.prefix }) => !id.startsWith(settings.prefix)) ||
		isOneEmail(current);
	return isRefused ? { actions } : { actions, after };
}

/** Gives people their new emails as these become free. Returns how many never become free. */
function settle(steps: Step[], after: Held[], actions: Expected['actions']): number {
	const isFree = ({ copy, target }: Step): boolean =>
		!after.some((other) => other !== copy && key(other.email) === target);
	const moving = steps.filter(({ copy, target }) => copy !== undefined && target !== undefined);
	for (let next = moving.find(isFree); next !== undefined; next = moving.find(isFree)) {
		next.copy!.email = next.target!;
		moving.splice(moving.indexOf(next), 1);
	}
	const blocked = new Set<Step>(moving);
	for (const step of steps) if (step.copy === undefined && !isFree(step)) blocked.add(step);
	let conflicts = 0;
	for (const step of steps) {
		const { action, copy, email, target, isChanged, apply } = step;
		const isMoved = target !== undefined && !blocked.has(step);
		if (!isMoved && target !== undefined) conflicts++;
		if (!isMoved && !isChanged) continue;
		apply();
		actions[action!].push((email || (copy?.email ?? '')).toLowerCase());
	}
	return conflicts;
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

function isOurs({ customer_id: id, plan_id: plan }: Held, settings: ModelSettings): boolean {
	if (settings.close === 'none') return false;
	if (settings.close === 'withCustomerId' && id === null) return false;
	if (id !== null && !id.startsWith(settings.prefix)) return false;
	return plan === null || settings.closeWithPlan;
}

function mayClose(
	one: Held,
	settings: ModelSettings,
	isOwnId: (customerId: string) => boolean,
): boolean {
	const email = one.email.toLowerCase();
	const isProtected = settings.neverClose.some((entry) => entry === email || email.endsWith(entry));
	const isRecent = (time: string): boolean =>
		(NOW - Date.parse(time)) / 3_600_000 < settings.graceHours;
	const isNew = settings.graceHours > 0 && [one.created_at, one.updated_at].some(isRecent);
	const isOpen = leaverAction(one.state) === 'close';
	const isForeign = one.customer_id !== null && !isOwnId(one.customer_id);
	return isOpen && isOurs(one, settings) && !isProtected && !isNew && !isForeign;
}
