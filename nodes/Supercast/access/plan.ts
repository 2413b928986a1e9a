import { InputError } from '../api/errors/errors';
import { identify, type Known, type Member } from './people';
import {
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

/** With so few rows, several for one person don't show that an expression is wrong. */
export const FEW = 3;

export const HOUR_MS = 3_600_000;

export type SyncPlan = ReturnType<typeof makePlan> & { exceeded?: InputError };

/**
 * Makes one decision for each person and each of their other records, but none for deactivated
 * subscribers who are not on the list. `now` is in milliseconds since 1970.
 * @param noClosingReason Undefined if closing is allowed.
 */
export function makePlan(
	members: readonly Member[],
	subscribers: readonly Known[],
	given: SyncSettings,
	now: number,
	noClosingReason?: Reason,
) {
	const ids = members.flatMap(({ customerIds }) => customerIds);
	// Feeds whose ID has another form belong to the members of another system.
	const isMarked = given.customerIdPrefix !== '' || ids.length === 0;
	const customerIdForms = isMarked ? undefined : new Set(ids.map(formOf));
	const newAfter = given.graceHours === 0 ? undefined : now - given.graceHours * HOUR_MS;
	const settings = { ...given, customerIdForms, newAfter };
	const decisions: AccessDecision[] = [];
	// Members, conflicts among them, feeds that are open before the run, and those Sync may close.
	let [listed, unclear, open, inScope] = [0, 0, 0, 0];
	for (const person of identify(members, subscribers)) {
		const { member, others, conflict } = person;
		if (member !== undefined) {
			const decision = decideOpen(person, settings);
			decisions.push(decision);
			for (const subscriber of others) {
				decisions.push(keep({ member, subscriber, others: [] }, conflict ?? 'otherEmail'));
			}
			listed++;
			if (isConflict(decision) || others.length > 0) unclear++;
		} else if (person.subscriber?.state !== 'deactivated') {
			const decision = decideClosed(person, settings);
			const isHeldBack = decision.action === 'closed' && noClosingReason !== undefined;
			decisions.push(isHeldBack ? keep(person, noClosingReason) : decision);
		}
	}
	for (const subscriber of subscribers) {
		if (subscriber.state === 'available') open++;
		if (whyNotClosed(subscriber, settings) === undefined) inScope++;
	}
	// The percentage always allows one closing, unless it is 0.
	const share = Math.floor((inScope * settings.maxClosePercent) / 100);
	const byPercent = settings.maxClosePercent === 0 ? 0 : Math.max(1, share);
	const maxClosings = Math.min(byPercent, settings.maxClose ?? Infinity);
	const planned = countActions(decisions);
	return { decisions, planned, listed, unclear, open, inScope, byPercent, maxClosings };
}

/** How many decisions take each action. */
export function countActions(decisions: readonly AccessDecision[]): Record<AccessAction, number> {
	const counted = { created: 0, reopened: 0, updated: 0, closed: 0, kept: 0, unchanged: 0 };
	for (const { action } of decisions) counted[action]++;
	return counted;
}

/** Why the run is refused, and what to do. Undefined if it may run. */
export function whyRefused(
	{ planned, listed, unclear, inScope, byPercent, maxClosings }: SyncPlan,
	{ maxClose = Infinity, maxOpen = Infinity }: SyncSettings,
): InputError | undefined {
	if (unclear >= FEW && unclear > listed / 2) {
		return new InputError(
			`Sync would find conflicts for ${unclear} of the ${listed} members on the list`,
			"Check 'Email' and 'Customer ID'. They must be the ones that Supercast has.",
		);
	}
	const closings = planned.closed;
	const openings = planned.created + planned.reopened;
	if (closings <= maxClosings && openings <= maxOpen) return undefined;
	const percent = Math.min(100, Math.ceil((closings / inScope) * 100));
	const sentences = [
		closings > maxClosings &&
			`close the feeds of ${closings} of ${inScope} subscribers, but the limit is ${maxClosings}`,
		openings > maxOpen &&
			`open ${openings} ${openings === 1 ? 'feed' : 'feeds'}, but the limit is ${maxOpen}`,
	].filter((one) => one !== false);
	const remedies = [
		closings > byPercent && `'Max Close (%)' to ${percent}`,
		closings > maxClose && `'Max Close' to ${closings}`,
		openings > maxOpen && `'Max Open' to ${openings}`,
	].filter((one) => one !== false);
	return new InputError(
		`Sync would ${sentences.join('. It would ')}`,
		`First check that the list of members is complete. If it is, set ${remedies.join(' and ')} for one run.`,
	);
}
