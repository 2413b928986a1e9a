import { MINUTE_MS } from '../../api/clock';
import { groupBy } from '../../subscriber/customerId';
import type { Absent, ListCounter } from './memory/absences';
import type { Recognized } from './memory/known';
import {
	isFullyClosed,
	NOBODY,
	peopleWithRecords,
	type CurrentSubscriber,
	type Person,
} from '../match';
import { isConflict, type ListReason } from '../reasons';
import {
	decideClosed,
	decideListed,
	isUnmatched,
	keep,
	mayBeUnmatched,
	whyNotClosed,
	type AccessAction,
	type AccessDecision,
} from '../rules';
import { allowedBy, type RuleSettings, type SyncSettings } from '../settings';
import { whyRefused } from './limits';
import type { OpenedTogether, SyncPlan } from './planned';
import { missingPartIn } from './list/missingPart';
import { withoutTakenEmails } from './moves';
import { ownIdsOf } from './list/ownIds';

export const HOUR_MS = 3_600_000;

/** What a plan depends on, besides the list, the subscribers and the settings. */
export interface PlanFacts {
	/** Supercast's time, in milliseconds since 1970. */
	now: number;
	/** How many lists in a row each subscriber has been missing from. */
	lists: ListCounter;
	/** Why this list must not close any feeds. Undefined if it may. */
	noClosingReason?: ListReason;
	/** Which of the subscribers from before Supercast still shows. */
	channel: Recognized;
}

/**
 * Makes one decision for each person and each of their other records. Leaves out
 * subscribers who are not on the list and have nothing open.
 * @param people The members on the list and the subscribers, matched.
 */
export function planSync(
	people: readonly Person[],
	subscribers: readonly CurrentSubscriber[],
	settings: SyncSettings,
	facts: PlanFacts,
): SyncPlan {
	const rules = rulesOf(people, settings, facts);
	const openings = planOpenings(people, subscribers, rules);
	const opened = openings.flat();
	const inScope = subscribers.filter((one) => whyNotClosed(one, rules) === undefined);
	const limits = limitsOf(inScope.length, settings);
	const closings = planClosings(people, rules);
	const hasUnmatched = opened.some(isUnmatched);
	const unlisted = unlistedIn(closings, hasUnmatched, facts, settings);
	const { closeAfter } = settings;
	const paced = paceClosings(closings, { ...facts, hasUnmatched, closeAfter });
	const decisions = [...opened, ...paced];
	const isUnclear = (all: AccessDecision[]): boolean =>
		all.some((one) => (one.action === 'kept' ? isConflict(one) : one.isEmailTaken === true));
	const plan = {
		decisions,
		planned: countActions(decisions),
		listed: openings.length,
		wanted: people.filter(({ member }) => member?.access === 'open').length,
		wantedBefore: facts.lists.peopleBefore,
		channel: facts.channel,
		openedTogether: openedTogether(unlisted.newlyMissing, facts.lists),
		unclear: openings.filter(isUnclear).length,
		unknown: rowsOf(opened.filter(({ reason }) => reason === 'noEmail')),
		rows: rowsOf(openings.map(([decision]) => decision)),
		open: subscribers.filter(({ isOpen }) => isOpen).length,
		inScope: inScope.length,
		...unlisted,
		rules,
		...limits,
	};
	return { ...plan, refusal: whyRefused(plan, settings) };
}

function rowsOf(decisions: ReadonlyArray<AccessDecision | undefined>): number {
	return decisions.reduce((rows, one) => rows + (one?.member?.items.length ?? 0), 0);
}

/** For each listed person, the decision about them and those about their other records. */
function planOpenings(
	people: readonly Person[],
	subscribers: readonly CurrentSubscriber[],
	rules: RuleSettings,
): AccessDecision[][] {
	const listed = people.filter(({ member }) => member !== undefined);
	const wanted = listed.map((person) => decideListed(person, rules));
	const possible = withoutTakenEmails(wanted, subscribers);
	return possible.map(withOtherRecords);
}

/** Whose feeds this list would close, and how many of them count for the limit. */
function unlistedIn(
	closings: readonly AccessDecision[],
	hasUnmatched: boolean,
	{ lists, noClosingReason }: PlanFacts,
	{ wrongList }: SyncSettings,
): Absent & Pick<SyncPlan, 'excused' | 'newlyMissing'> {
	const unlisted = closings.flatMap((one) => (one.action === 'closed' ? [one.subscriber] : []));
	const staysOpen = (one: CurrentSubscriber): boolean => mayBeUnmatched(one, hasUnmatched);
	const isExcused = (one: CurrentSubscriber): boolean =>
		isSameMinute(lists.openedAt(one), wrongList);
	const excused = new Set(wrongList === undefined ? [] : unlisted.filter(isExcused));
	const counts = (one: CurrentSubscriber): boolean => {
		if (excused.has(one)) return false;
		// Feeds that stay open accumulate. If n8n has forgotten them, they must not stop every run.
		if (staysOpen(one)) return lists.hasPrevious && !lists.isKnown(one);
		return lists.isFirstWithout(one);
	};
	const counted = unlisted.filter(counts);
	return {
		missing: unlisted.filter((one) => !staysOpen(one)),
		spared: unlisted.filter(staysOpen),
		newlyMissing: noClosingReason === undefined ? counted : [],
		excused,
	};
}

/** The list that opened the most of these feeds. Undefined if none of them is known to be. */
function openedTogether(
	subscribers: readonly CurrentSubscriber[],
	lists: ListCounter,
): OpenedTogether | undefined {
	const times = subscribers.flatMap((one) => lists.openedAt(one) ?? []);
	const byTime = [...groupBy(times, (time) => time)];
	const [most] = byTime.sort(([, one], [, other]) => other.length - one.length);
	return most && { at: most[0], feeds: most[1].length };
}

/** The time of a list, in milliseconds since 1970, is written with its minute. */
function isSameMinute(one?: number, other?: number): boolean {
	const [first, second] = [one, other].map((time = NaN) => Math.floor(time / MINUTE_MS));
	return first === second;
}

function planClosings(people: readonly Person[], rules: RuleSettings): AccessDecision[] {
	const gone = people.filter(
		({ member, subscriber }) =>
			member === undefined && subscriber !== undefined && !isFullyClosed(subscriber),
	);
	return gone.map((person) => decideClosed(person, rules));
}

/** What decides which closings a list makes. */
interface Pace extends Pick<PlanFacts, 'lists' | 'noClosingReason'> {
	hasUnmatched: boolean;
	closeAfter: number;
}

/**
 * Leaves closings to later runs: all of them, if this list must not close any feeds. Otherwise,
 * leaves those of subscribers who may be a member or have not been missing long enough.
 */
function paceClosings(
	closings: readonly AccessDecision[],
	{ lists, noClosingReason, hasUnmatched, closeAfter }: Pace,
): AccessDecision[] {
	return closings.map((decision) => {
		if (decision.action !== 'closed') return decision;
		if (noClosingReason !== undefined) return keep(decision, noClosingReason);
		const { subscriber } = decision;
		if (mayBeUnmatched(subscriber, hasUnmatched)) return keep(decision, 'mayBeListed');
		const absence = { lists: lists.listsWithout(subscriber), closeAfter };
		// With 1, the node needs no memory.
		const isDue = closeAfter === 1 || absence.lists >= closeAfter;
		return isDue ? decision : { ...keep(decision, 'waits'), absence };
	});
}

function rulesOf(
	people: readonly Person[],
	settings: SyncSettings,
	{ now, lists }: PlanFacts,
): RuleSettings & SyncSettings {
	const newAfter = settings.graceHours === 0 ? undefined : now - settings.graceHours * HOUR_MS;
	const wasWritten: RuleSettings['wasWritten'] = (...given) => lists.wasWritten(...given);
	const rules = { ...settings, newAfter, wasWritten };
	if (settings.customerIdPrefix.length > 0) {
		return { ...rules, isOfMissingPart: missingPartIn(people, settings.customerIdPrefix) };
	}
	const listed = new Set<string>();
	for (const { customerIds, otherIds } of peopleWithRecords(people)) {
		for (const id of [...customerIds, ...otherIds]) listed.add(id);
	}
	const open = people
		.flatMap(({ subscriber, others }) => [subscriber ?? [], others].flat())
		.filter((one) => !isFullyClosed(one))
		.map(({ customerId }) => customerId);
	return { ...rules, isOwnId: ownIdsOf([...listed], open) };
}

/** The percentage always allows one closing, unless it is 0. */
function limitsOf(
	inScope: number,
	{ maxClosePercent, maxClose = Infinity }: SyncSettings,
): Pick<SyncPlan, 'byPercent' | 'maxClosings'> {
	const byPercent = maxClosePercent === 0 ? 0 : Math.max(1, allowedBy(maxClosePercent, inScope));
	return { byPercent, maxClosings: Math.min(byPercent, maxClose) };
}

/** Adds a person's other records, which are skipped. */
function withOtherRecords(decision: AccessDecision): AccessDecision[] {
	const { member = NOBODY, others, conflict = 'otherEmail', reason } = decision;
	const why = member.access === 'open' ? conflict : (reason ?? conflict);
	const rest = others.map((subscriber) => keep({ member, subscriber, others: [] }, why));
	return [decision, ...rest];
}

/** How many decisions take each action. */
export function countActions(decisions: readonly AccessDecision[]): Record<AccessAction, number> {
	const counted = { created: 0, reopened: 0, updated: 0, closed: 0, kept: 0, unchanged: 0 };
	decisions.forEach(({ action }) => void counted[action]++);
	return counted;
}
