/** Decides what Sync does for everyone, and whether that is too much. */

import { InputError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import { identify, type Known, type Member } from './people';
import {
	canClose,
	decideClosed,
	decideOpen,
	formOf,
	isConflict,
	keep,
	whyNotClosed,
	type AccessAction,
	type AccessDecision,
	type Reason,
} from './rules';
import type { SyncSettings } from './settings';

/** Compensates for floating-point rounding, so that 5% of 20 is 1. */
const TOLERANCE = 1e-9;

/** With so few rows, several for one person are no sign of a wrong expression. */
const FEW = 3;

/** What Supercast has when a run begins. */
export interface KnownChannel {
	subscribers: Known[];
	/** Whether these are certainly all. */
	isComplete: boolean;
	/** The time of the reading, in milliseconds since 1970. */
	now: number;
}

/** What a run would do, and how much it may do. */
export interface SyncPlan {
	decisions: AccessDecision[];
	/** How many persons are on the list. */
	listed: number;
	/** How many feeds are open before the run. */
	open: number;
	/** How many open feeds Sync may close. The percentage refers to them. */
	inScope: number;
	maxClosings: number;
	/** Why the run is refused, and what to do. Undefined if it is not. */
	exceeded?: InputError;
}

/**
 * Decides how to make the subscribers match the list of members. Makes one decision for each person
 * and each further record of theirs, but none for deactivated subscribers who are not on the list.
 *
 * @param noClosingReason Why this run must not close any feeds. Undefined if closing is allowed.
 */
export function makePlan(
	members: readonly Member[],
	{ subscribers, now }: Pick<KnownChannel, 'now' | 'subscribers'>,
	given: SyncSettings,
	noClosingReason?: Reason,
): SyncPlan {
	const settings = { ...given, customerIdForms: formsOn(members, given) };
	const people = identify(members, subscribers);
	const decisions = people.flatMap((person): AccessDecision[] => {
		if (person.member !== undefined) return decideOpen(person, settings);
		const decision = decideClosed(person, settings, now);
		if (decision.subscriber?.state === 'deactivated') return [];
		const isHeldBack = decision.action === 'closed' && noClosingReason !== undefined;
		return [isHeldBack ? keep(person, noClosingReason) : decision];
	});
	const inScope = subscribers.filter(
		(one) => canClose(one) && whyNotClosed(one, settings, now) === undefined,
	).length;
	const listed = people.filter(({ member }) => member !== undefined).length;
	const open = subscribers.filter(({ state }) => state === 'available').length;
	const maxClosings = Math.min(settings.maxClose ?? Infinity, allowedByPercent(inScope, settings));
	const plan = { decisions, listed, open, inScope, maxClosings };
	return { ...plan, exceeded: whyUnlikely(plan) ?? whyTooMuch(plan, settings) };
}

/**
 * Without a prefix, the forms of the customer IDs on the list. Feeds with an ID of another form
 * belong to the members of another system.
 */
function formsOn(
	members: readonly Member[],
	{ customerIdPrefix }: SyncSettings,
): ReadonlySet<string> | undefined {
	const ids = members.flatMap(({ customerIds }) => customerIds);
	return customerIdPrefix === '' && ids.length > 0 ? new Set(ids.map(formOf)) : undefined;
}

/** Checks whether a wrong field was chosen as the email: most rows name the same one. */
export function refuseOneEmail(members: readonly Member[]): void {
	const rows = new Map<string, Set<string>>();
	for (const { email, customerIds, items } of members) {
		if (email === '') continue;
		const known = rows.get(nameKey(email)) ?? new Set();
		rows.set(nameKey(email), known.add(customerIds[0] ?? `row ${items[0]}`));
	}
	for (const [email, { size }] of rows) {
		if (size < FEW || size <= members.length / 2) continue;
		throw new InputError(
			`Most items name the same member: ${size} of ${members.length} have the email "${email}"`,
			"Check 'Email'. It must be an expression that reads the email of each item.",
		);
	}
}

function whyUnlikely({ decisions, listed }: Omit<SyncPlan, 'exceeded'>): InputError | undefined {
	const people = decisions.filter((one) => isConflict(one) && one.member !== undefined);
	const conflicts = new Set(people.map(({ member }) => member)).size;
	if (conflicts < FEW || conflicts <= listed / 2) return undefined;
	return new InputError(
		`Sync would find conflicts for ${conflicts} of the ${listed} members on the list`,
		"Check 'Email' and 'Customer ID'. They must be the ones that Supercast has.",
	);
}

/** How many closings the percentage allows. It always allows one, unless it is 0. */
function allowedByPercent(inScope: number, { maxClosePercent }: SyncSettings): number {
	if (maxClosePercent === 0) return 0;
	return Math.max(1, Math.floor((inScope * maxClosePercent) / 100 + TOLERANCE));
}

function whyTooMuch(
	{ decisions, inScope, maxClosings }: Omit<SyncPlan, 'exceeded'>,
	settings: SyncSettings,
): InputError | undefined {
	const { maxClose = Infinity, maxOpen = Infinity } = settings;
	const count = (...actions: AccessAction[]): number =>
		decisions.filter(({ action }) => actions.includes(action)).length;
	const closings = count('closed');
	const openings = count('created', 'reopened');
	const percent = Math.min(100, Math.ceil((closings / inScope) * 100));
	const sentences = [
		closings > maxClosings &&
			`close the feeds of ${closings} of ${inScope} subscribers, but the limit is ${maxClosings}`,
		openings > maxOpen &&
			`open ${openings} ${openings === 1 ? 'feed' : 'feeds'}, but the limit is ${maxOpen}`,
	].filter((one) => one !== false);
	const remedies = [
		closings > allowedByPercent(inScope, settings) && `'Max Close (%)' to ${percent}`,
		closings > maxClose && `'Max Close' to ${closings}`,
		openings > maxOpen && `'Max Open' to ${openings}`,
	].filter((one) => one !== false);
	if (sentences.length === 0) return undefined;
	return new InputError(
		`Sync would ${sentences.join('. It would ')}`,
		`First check that the list of members is complete. If it is, set ${remedies.join(' and ')} for one run.`,
	);
}
