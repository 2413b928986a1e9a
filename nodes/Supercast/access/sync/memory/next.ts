/** What a Sync remembers after a run. */

import { identifierKey } from '../../../api/identity';
import type { CurrentSubscriber } from '../../match';
import type { ListOfMembers } from '../list/members';
import type { ShortList } from '../list/completeList';
import { isTrusted, type SubscriberSnapshot } from '../list/snapshot';
import type { Performed } from '../perform';
import type { SyncPlan } from '../planned';
import {
	absenceKey,
	type Absent,
	type ListCounter,
	type ListMemory,
	type ListTimes,
	type MissedLists,
} from './absences';
import { knownAfter, openedAfter } from './known';
import { idsOn, laterSystems, openIds } from './systems';
import { writtenIn } from './written';

/** What a run has planned. */
export interface Planned {
	list: ListOfMembers;
	snapshot: SubscriberSnapshot;
	/** What is remembered of the lists before. */
	memory: ListMemory;
	lists: ListCounter;
	plan: SyncPlan;
	short?: ShortList;
}

/** What it has done. */
export interface Done extends Performed {
	/** Whether Supercast turned out to leave subscribers out of its list. */
	areSomeUnlisted: boolean;
}

/** The memory after a run. A list that may not close feeds does not count. */
export function nextMemory(run: Planned, done: Done, times: ListTimes): ListMemory {
	const { list, snapshot, memory, lists, plan, short } = run;
	const { outcomes, areSomeUnlisted, notCreated, stuck } = done;
	const doesCount = snapshot.noClosingReason === undefined && !areSomeUnlisted;
	const refused = notCreated.map(({ email }) => email);
	const after = doesCount
		? afterCounted(lists, times, { ...plan, refused, stuck })
		: list.afterUncounted(memory, times.receivedAt);
	return {
		...after,
		shortLists: short?.inARow ?? 0,
		written: writtenIn(outcomes),
		damaged: list.damaged.length,
		systems: laterSystems(memory.systems ?? [], idsOn(list), openIds(snapshot)),
		people: plan.wanted,
		known: isTrusted(snapshot) ? knownAfter(snapshot.list.taken) : memory.known,
		opened: openedAfter(memory.opened, outcomes, {
			at: times.receivedAt,
			maxClosings: plan.maxClosings,
		}),
	};
}

interface Left extends Absent {
	/** The emails of members whom Supercast refused to create. */
	refused: readonly string[];
	stuck: readonly CurrentSubscriber[];
}

/** The memory after a list that counts. Keeps only the missing, the spared and the refused. */
export function afterCounted(
	lists: ListCounter,
	{ readAt, receivedAt }: ListTimes,
	{ missing, spared, refused, stuck }: Left,
): ListMemory {
	const counted = missing.filter((one) => lists.step === 1 || lists.isKnown(one));
	const absences = counted.map((one) => [absenceKey(one), lists.listsWithout(one)] as const);
	const open = spared.map((one) => [absenceKey(one), asSpared(lists, one)] as const);
	const refusals = refused.map((email): [string, number] => [
		identifierKey(email),
		lists.listsRefused(email),
	]);
	return {
		...lists.memory,
		seenAt: receivedAt,
		countedAt: lists.step === 1 ? readAt : lists.memory.countedAt,
		missing: new Map<string, MissedLists>([...absences, ...open]),
		refused: new Map(refusals.filter(([, count]) => count > 0)),
		shortLists: 0,
		stuck: new Map(stuck.map((one) => [absenceKey(one), lists.stuckSince(one) ?? receivedAt])),
	};
}

function asSpared(lists: ListCounter, subscriber: CurrentSubscriber): MissedLists {
	const hasCounted = lists.hasPrevious && lists.before(subscriber) !== 'notCounted';
	return hasCounted ? 0 : 'notCounted';
}
