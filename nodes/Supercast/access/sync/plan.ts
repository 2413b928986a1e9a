/** What a list asks for: a decision for each person and each open feed, without requests. */

import { forEach, mapEach, type Steps } from '../../operations/steps';
import type { Matched, Person, Unlisted } from '../people';
import { obstacleOf, type Obstacle } from '../reasons';
import type { MemberRecord } from '../record';
import {
	decideListed,
	keep,
	movesEmail,
	opensFeed,
	type Absence,
	type Decision,
	type SubscriberDecision,
} from '../rules';
import type { SyncSettings } from '../settings';
import type { CurrentSubscriber } from '../subscribers';
import { AllowanceAccount } from '../allowOnce';
import { closingLimit, openingLimit, type ClosingLimit, type OpeningLimit } from './limits';
import type { Incompleteness, InvalidItem, MemberList } from './list';
import { absenceKey, isNextList, type SyncMemory } from './memory';

/** What a plan depends on, besides the list and who is who. */
export interface PlanFacts {
	settings: SyncSettings;
	memory: SyncMemory;
	/** In milliseconds since 1970. */
	now: number;
	readingBeganAt: number;
	/** Whether someone runs the workflow by hand. */
	isByHand: boolean;
}

/** Why nothing of the list is done. */
export type WrongList =
	| { kind: 'namesNobody' }
	| { kind: 'tooManyOpenings'; limit: OpeningLimit }
	| { kind: 'unclearPeople'; conflicts: number; unknown: number; records: number }
	| { kind: 'unknownList' };

/** An open feed that Sync never closes, and why. */
export interface NotOwnFeed {
	subscriber: CurrentSubscriber;
	reason: Obstacle;
}

export interface SyncPlan {
	decisions: readonly Decision[];
	/** Undefined if the list is not wrong. */
	wrong?: WrongList;
	/** How many of the people whom the list names Supercast has, ended ones too. */
	known: number;
	/** How many feeds are open before the run, how many are Sync's own, and which others there are. */
	open: number;
	ownOpen: number;
	notOwn: readonly NotOwnFeed[];
	closing: ClosingLimit;
	opening: OpeningLimit;
	/** By the subscriber's name: how many lists in a row lack someone, with this one. */
	missing: ReadonlyMap<string, number>;
}

/** @param incomplete Why the list closes no feeds. Empty if it may. */
export function* planSync(
	list: MemberList,
	{ people, unlisted }: Matched,
	incomplete: readonly Incompleteness[],
	facts: PlanFacts,
): Steps<SyncPlan> {
	const { settings, memory, now } = facts;
	const listed = yield* mapEach(people, (person) => decideListed(person, settings));
	const absences = new Map<string, number>();
	const hasUnmatched = listed.some(isUnmatched);
	const open = unlisted.filter(({ subscriber }) => subscriber.isOpen);
	const missing = yield* mapEach(open, (one) => {
		const decision = decideMissing(one, absences, facts);
		return mayBeListed(decision, hasUnmatched) ? keep(decision, 'mayBeListed') : decision;
	});
	const scope = yield* scopeOf({ people, unlisted }, settings);
	const account = new AllowanceAccount(settings.allowances, memory.used, now);
	yield;
	const due = missing.filter(({ action }) => action === 'closed').length;
	const closing = closingLimit(account.left('close'), {
		...{ memory, now, percent: settings.maxClosePercent, ownOpen: scope.ownOpen },
		...{ due: incomplete.length > 0 ? 0 : due, moves: listed.filter(movesEmail).length },
	});
	const opening = openingLimit(account.left('open'), {
		...{ open: scope.open, percent: settings.maxOpenPercent },
		wanted: listed.filter(opensFeed).length,
		isFirstRun: facts.isByHand && scope.ownOpen === 0,
	});
	yield;
	const known = knownPeople({ people, unlisted });
	const plan = { ...scope, known, closing, opening, missing: absences };
	const decisions = [
		...listed.map((one) => (closing.isOver ? withoutMove(one) : one)),
		...missing.map((one) => held(one, incomplete.length > 0, closing)),
	];
	return { ...plan, decisions, wrong: whyWrong(list, people, plan, memory) };
}

/** Decides about an open feed that is nobody's on the list. */
function decideMissing(
	{ subscriber, ended }: Unlisted,
	absences: Map<string, number>,
	{ settings, memory, readingBeganAt }: PlanFacts,
): Decision {
	const about = { subscriber, ended };
	const obstacle = obstacleOf(subscriber, settings, ended);
	if (obstacle !== undefined) return keep(about, obstacle);
	const key = absenceKey(subscriber);
	const before = memory.missing.get(key) ?? 0;
	const lists = before + (isNextList(memory, readingBeganAt) ? 1 : 0);
	if (lists > 0) absences.set(key, lists);
	const { closeAfter } = settings;
	// With 1, Sync needs no memory.
	const absence: Absence = { lists, closeAfter };
	if (closeAfter > 1 && lists < closeAfter) return { ...keep(about, 'waits'), absence };
	const reason = ended.length > 0 ? 'ended' : 'notListed';
	return { ...about, action: 'closed', write: {}, reason } satisfies SubscriberDecision;
}

/** Whether someone should have access and has no subscriber after the opening. */
export function isUnmatched({ person, subscriber, action }: Decision): boolean {
	return person?.access === 'open' && subscriber === undefined && action !== 'created';
}

/** Whether a feed to close may be that of someone on the list, if someone there has no subscriber. */
export function mayBeListed({ action, subscriber }: Decision, hasUnmatched: boolean): boolean {
	return hasUnmatched && action === 'closed' && subscriber?.customerId === '';
}

/** A closing that an incomplete list or the limit leaves to a later run. */
function held(
	decision: Decision,
	incomplete: boolean,
	{ isOver, limit, allowed }: ClosingLimit,
): Decision {
	const isPending = decision.action === 'closed' || decision.reason === 'waits';
	if (incomplete && isPending) return keep(decision, 'incomplete');
	// No later list closes it either.
	if (limit + allowed === 0 && isPending) return keep(decision, 'overLimit');
	return isOver && decision.action === 'closed' ? keep(decision, 'overLimit') : decision;
}

/** Over the limit, no feed goes to another email. */
function withoutMove(decision: Decision): Decision {
	if (!movesEmail(decision)) return decision;
	const write = { ...decision.write };
	delete write.email;
	if (decision.action === 'reopened') return { ...decision, write, reason: 'overLimit' };
	return keep(decision, 'overLimit');
}

/** Which open feeds there are, and which of them are Sync's own. */
function* scopeOf(
	{ people, unlisted }: Matched,
	settings: SyncSettings,
): Steps<Pick<SyncPlan, 'notOwn' | 'open' | 'ownOpen'>> {
	let open = 0;
	const notOwn: NotOwnFeed[] = [];
	const count = (subscriber: CurrentSubscriber, records: readonly MemberRecord[]): void => {
		if (!subscriber.isOpen) return;
		open += 1;
		const reason = obstacleOf(subscriber, settings, records);
		if (reason !== undefined) notOwn.push({ subscriber, reason });
	};
	yield* forEach(people, ({ subscribers, records }) => {
		for (const one of subscribers) count(one, records);
	});
	yield* forEach(unlisted, ({ subscriber, ended }) => count(subscriber, ended));
	return { open, ownOpen: open - notOwn.length, notOwn };
}

/** Counts the people on the list whom Supercast has. */
function knownPeople({ people, unlisted }: Matched): number {
	const ended = unlisted.filter(({ ended: own }) => own.length > 0);
	return people.filter(({ subscribers }) => subscribers.length > 0).length + ended.length;
}

function whyWrong(
	{ records, invalid }: MemberList,
	people: readonly Person[],
	{ known, opening }: Pick<SyncPlan, 'known' | 'opening'>,
	memory: SyncMemory,
): WrongList | undefined {
	if (records.length === 0) return { kind: 'namesNobody' };
	const unclear = unclearPeople(people, invalid);
	if (unclear !== undefined) return unclear;
	if (known === 0 && memory.known > 0 && !opening.isAllowed) return { kind: 'unknownList' };
	return opening.isOver ? { kind: 'tooManyOpenings', limit: opening } : undefined;
}

/** Whether more than half of the records that give or keep access are of people who cannot be told. */
function unclearPeople(
	people: readonly Person[],
	invalid: readonly InvalidItem[],
): WrongList | undefined {
	const count = (some: readonly Person[]): number =>
		some.reduce((sum, one) => sum + one.records.length, 0);
	const conflicts = count(people.filter(({ conflict }) => conflict !== undefined));
	const nameless = people.filter((one) => one.email === '' && one.subscribers.length === 0);
	const unknown = count(nameless) + invalid.filter(({ email }) => email === '').length;
	const records = count(people) + invalid.length;
	const isMost = conflicts + unknown > records / 2;
	return isMost ? { kind: 'unclearPeople', conflicts, unknown, records } : undefined;
}
