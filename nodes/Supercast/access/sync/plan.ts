import { InputError } from '../../api/errors/errors';
import { paceClosings, type Absent, type ListCounter } from './absences';
import {
	match,
	NOBODY,
	NO_SUBSCRIBER,
	type CurrentSubscriber,
	type DesiredMember,
	type Person,
} from '../match';
import { isConflict, type Reason } from '../reasons';
import {
	decideClosed,
	decideOpen,
	isUnmatched,
	keep,
	mayBeUnmatched,
	whyNotClosed,
	type AccessAction,
	type AccessDecision,
	type RuleSettings,
} from '../rules';
import type { SyncSettings } from '../settings';
import { FEW } from './list/checks';
import { missingPrefixes } from './list/missingPart';
import { tooManyMoves } from './list/moving';
import { withoutTakenEmails } from './moves';
import { ownIdsOf } from './ownIds';

export const HOUR_MS = 3_600_000;

/** What a plan depends on, besides the list, the subscribers and the settings. */
export interface PlanFacts {
	/** Supercast's time, in milliseconds since 1970. */
	now: number;
	/** How many lists in a row each subscriber has been missing from. */
	lists: ListCounter;
	/** Why this list must not close any feeds. Undefined if it may. */
	noClosingReason?: Reason;
}

export interface SyncPlan extends Absent {
	decisions: AccessDecision[];
	planned: Record<AccessAction, number>;
	/** How many members are on the list, and how many of them have a conflict. */
	listed: number;
	unclear: number;
	/** How many have no email, and no subscriber with their customer ID. */
	unknown: number;
	/** How many feeds are open before the run, and how many of all feeds Sync may close. */
	open: number;
	inScope: number;
	/**
	 * How many of the missing and the spared count for the limit, because they are missing for the
	 * first time. 0 if this list must not close any feeds.
	 */
	newlyMissing: number;
	/** The settings that the decisions are based on. */
	rules: RuleSettings & SyncSettings;
	/** The most closings that Max Close (%) allows, and that both limits allow. */
	byPercent: number;
	maxClosings: number;
	/** Why the run is refused. Undefined if it is not. */
	exceeded?: InputError;
}

/**
 * Makes one decision for each person and each of their other records. Leaves out deactivated
 * subscribers who are not on the list.
 */
export function planSync(
	members: readonly DesiredMember[],
	subscribers: readonly CurrentSubscriber[],
	settings: SyncSettings,
	facts: PlanFacts,
): SyncPlan {
	const people = match(members, subscribers);
	const openings = planOpenings(people, subscribers, settings);
	const opened = openings.flat();
	const rules = rulesOf(people, settings, facts.now);
	const inScope = subscribers.filter((one) => whyNotClosed(one, rules) === undefined);
	const limits = limitsOf(inScope.length, settings);
	const closings = planClosings(people, rules);
	const hasUnmatched = opened.some(isUnmatched);
	const unlisted = unlistedIn(closings, hasUnmatched, facts);
	const paced = paceClosings(closings, { ...facts, ...settings, hasUnmatched });
	const decisions = [...opened, ...paced];
	const isUnclear = (all: AccessDecision[]): boolean =>
		all.some((one) => (one.action === 'kept' ? isConflict(one) : one.isEmailTaken === true));
	return {
		decisions,
		planned: countActions(decisions),
		listed: openings.length,
		unclear: openings.filter(isUnclear).length,
		unknown: opened.filter(({ reason }) => reason === 'noEmail').length,
		open: subscribers.filter(({ state }) => state === 'available').length,
		inScope: inScope.length,
		...unlisted,
		rules,
		...limits,
	};
}

/** For each listed person, the decision about them and those about their other records. */
function planOpenings(
	people: readonly Person[],
	subscribers: readonly CurrentSubscriber[],
	rules: RuleSettings,
): AccessDecision[][] {
	const listed = people.filter(({ member }) => member !== undefined);
	const wanted = listed.map((person) => decideOpen(person, rules));
	const possible = withoutTakenEmails(wanted, subscribers);
	return possible.map(withOtherRecords);
}

/** Whose feeds this list would close, and how many of them count for the limit. */
function unlistedIn(
	closings: readonly AccessDecision[],
	hasUnmatched: boolean,
	{ lists, noClosingReason }: PlanFacts,
): Absent & Pick<SyncPlan, 'newlyMissing'> {
	const unlisted = closings.flatMap((one) => (one.action === 'closed' ? [one.subscriber] : []));
	const staysOpen = (one: CurrentSubscriber): boolean => mayBeUnmatched(one, hasUnmatched);
	const counts = (one: CurrentSubscriber): boolean => {
		// Feeds that stay open accumulate. If n8n has forgotten them, they must not stop every run.
		if (staysOpen(one)) return lists.hasPrevious && !lists.isKnown(one);
		return lists.isFirstWithout(one);
	};
	const counted = unlisted.filter(counts);
	return {
		missing: unlisted.filter((one) => !staysOpen(one)),
		spared: unlisted.filter(staysOpen),
		newlyMissing: noClosingReason === undefined ? counted.length : 0,
	};
}

function planClosings(people: readonly Person[], rules: RuleSettings): AccessDecision[] {
	const gone = people.filter(
		({ member, subscriber = NO_SUBSCRIBER }) =>
			member === undefined && subscriber.state !== 'deactivated',
	);
	return gone.map((person) => decideClosed(person, rules));
}

function rulesOf(
	people: readonly Person[],
	settings: SyncSettings,
	now: number,
): RuleSettings & SyncSettings {
	const newAfter = settings.graceHours === 0 ? undefined : now - settings.graceHours * HOUR_MS;
	const rules = { ...settings, newAfter };
	if (settings.customerIdPrefix.length > 0) {
		return { ...rules, missingPrefixes: missingPrefixes(people, settings.customerIdPrefix) };
	}
	const listed: string[] = [];
	const open: string[] = [];
	people.forEach(({ member = NOBODY, subscriber, others }) => {
		listed.push(...member.customerIds);
		for (const one of [subscriber, ...others]) {
			if (one !== undefined && one.state !== 'deactivated') open.push(one.customerId);
		}
	});
	return { ...rules, isOwnId: ownIdsOf(listed, open) };
}

/** The percentage always allows one closing, unless it is 0. */
function limitsOf(
	inScope: number,
	{ maxClosePercent, maxClose = Infinity }: SyncSettings,
): Pick<SyncPlan, 'byPercent' | 'maxClosings'> {
	const share = Math.floor((inScope * maxClosePercent) / 100);
	const byPercent = maxClosePercent === 0 ? 0 : Math.max(1, share);
	return { byPercent, maxClosings: Math.min(byPercent, maxClose) };
}

/** Adds a person's other records, which are left alone. */
function withOtherRecords(decision: AccessDecision): AccessDecision[] {
	const { member, others, conflict = 'otherEmail' } = decision;
	const rest = others.map((subscriber) => keep({ member, subscriber, others: [] }, conflict));
	return [decision, ...rest];
}

/** How many decisions take each action. */
export function countActions(decisions: readonly AccessDecision[]): Record<AccessAction, number> {
	const counted = { created: 0, reopened: 0, updated: 0, closed: 0, kept: 0, unchanged: 0 };
	decisions.forEach(({ action }) => void counted[action]++);
	return counted;
}

/** Why the run is refused, and what to do. Undefined if it may run. */
export function whyRefused(plan: SyncPlan, settings: SyncSettings): InputError | undefined {
	const { listed, unclear } = plan;
	if (unclear >= FEW && unclear > listed / 2) {
		return new InputError(
			`Sync would find conflicts for ${unclear} of the ${listed} members on the list`,
			"Check 'Email' and 'Customer ID'. They must be the ones that Supercast has. If you have moved to another membership system, first replace the customer IDs in Supercast. The documentation of Sync says how.",
		);
	}
	const moving = tooManyMoves(plan.decisions, settings);
	if (moving !== undefined) return moving;
	const exceeded = [tooManyClosings(plan, settings), tooManyOpenings(plan, settings)].filter(
		(one) => one !== undefined,
	);
	if (exceeded.length === 0) return undefined;
	const sentences = exceeded.map(({ sentence }) => sentence);
	const remedies = exceeded.flatMap((one) => one.remedies);
	return new InputError(
		`Sync would ${sentences.join('. It would ')}`,
		`First check that the list of members is complete. If it is, set ${remedies.join(' and ')}. Until then, Sync neither opens nor closes feeds.`,
	);
}

/** A limit that a plan exceeds, and the settings that would allow it. */
interface Exceeded {
	sentence: string;
	remedies: string[];
}

/** If a list loses many members at the same time, it is probably wrong. */
function tooManyClosings(
	{ newlyMissing, inScope, byPercent, maxClosings }: SyncPlan,
	{ closeAfter, maxClose = Infinity }: SyncSettings,
): Exceeded | undefined {
	if (newlyMissing <= maxClosings) return undefined;
	const percent = Math.min(100, Math.ceil((newlyMissing / inScope) * 100));
	const runs = closeAfter === 1 ? 'for one run' : `for ${closeAfter} runs`;
	return {
		sentence: `close the feeds of ${newlyMissing} of ${inScope} subscribers, but the limit is ${maxClosings}`,
		remedies: [
			newlyMissing > byPercent ? `'Max Close (%)' to ${percent} ${runs}` : '',
			newlyMissing > maxClose ? `'Max Close' to ${newlyMissing} ${runs}` : '',
		].filter((remedy) => remedy !== ''),
	};
}

function tooManyOpenings(
	{ planned }: SyncPlan,
	{ maxOpen = Infinity }: SyncSettings,
): Exceeded | undefined {
	const openings = planned.created + planned.reopened;
	if (openings <= maxOpen) return undefined;
	return {
		sentence: `open ${openings} ${openings === 1 ? 'feed' : 'feeds'}, but the limit is ${maxOpen}`,
		remedies: [`'Max Open' to ${openings} for one run`],
	};
}
