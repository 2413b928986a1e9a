/** Carries out what a list asks for, and says what to remember of it. */

import type { AppliedDecision } from '../apply';
import type { Person } from '../match';
import type { SyncSettings } from '../settings';
import type { ListOfMembers } from './list/members';
import type { WrongName } from './list/identifiers';
import type { SubscriberSnapshot, SnapshotTools } from './list/snapshot';
import type { ShortList } from './list/completeList';
import type { ListCounter, ListMemory } from './memory/absences';
import { knownAfter, openedAfter } from './memory/known';
import type { AskedIdentifiers } from './memory/entries';
import { laterSystems, vanishedSystems } from './memory/systems';
import { writtenIn } from './memory/written';
import { NewMembers } from './newMembers';
import { performAll } from './perform';
import type { SyncPlan } from './planned';

export interface SyncTools extends SnapshotTools {
	settings: SyncSettings;
	/** When the workflow began to read the list from its source, according to `now`. */
	readAt: number;
	/** The moment of `readAt`, on the clock of the client's decisions. */
	cameAt: number;
	/** What earlier runs of this node remembered. */
	memory: ListMemory;
	/** Looks up names that are remembered elsewhere. Without it, `memory` has all names. */
	recall?: (names: AskedIdentifiers) => Promise<ListMemory>;
	/** Works on several things at a time. Stops at the first error. */
	forEach: <T>(things: readonly T[], work: (thing: T) => Promise<void>) => Promise<void>;
	/** Lets n8n do other work between two computations. */
	rest: () => Promise<void>;
	isStopped: () => boolean;
	/** Takes an item that names nobody. Throws, unless the node continues without it. */
	reject: (wrong: WrongName) => void;
}

/** What a real run works with. */
export interface PlannedRun {
	list: ListOfMembers;
	snapshot: SubscriberSnapshot;
	/** What is remembered of the lists before. */
	memory: ListMemory;
	lists: ListCounter;
	people: readonly Person[];
	plan: SyncPlan;
	short?: ShortList;
}

/** What a run has done, or would do. */
export interface RunOutcome {
	outcomes: readonly AppliedDecision[];
	areSomeUnlisted: boolean;
	next?: ListMemory;
}

export function nothingDone({ decisions }: SyncPlan): RunOutcome {
	return { outcomes: decisions, areSomeUnlisted: false };
}

/** Applies a plan, and says what to remember. */
export async function carryOut(
	{ list, snapshot, memory, lists, plan, short }: PlannedRun,
	tools: SyncTools,
): Promise<RunOutcome> {
	const { client, receivedAt } = tools;
	const { list: subscribers, endedAt, unexpected, noClosingReason } = snapshot;
	const isTrusted = unexpected === undefined && subscribers.isComplete;
	const newMembers = new NewMembers(client, { ...subscribers, isComplete: isTrusted });
	const { outcomes, notCreated, stuck } = await performAll(plan.decisions, {
		...tools,
		settings: plan.rules,
		lists,
		newMembers,
		maxClosings: plan.maxClosings,
		excused: plan.excused,
		subscribersReadAt: endedAt,
	});
	const { areSomeUnlisted } = newMembers;
	const doesCount = noClosingReason === undefined && !areSomeUnlisted;
	const refused = notCreated.map(({ email }) => email);
	const after = doesCount
		? lists.after(plan, refused, stuck)
		: list.afterUncounted(memory, receivedAt);
	const next = {
		...after,
		shortLists: short?.inARow ?? 0,
		written: writtenIn(outcomes),
		damaged: list.damaged.length,
		systems: laterSystems(memory.systems ?? [], idsOn(list), openIds(snapshot)),
		people: plan.wanted,
		known: isTrusted ? knownAfter(subscribers.taken) : memory.known,
		opened: openedAfter(memory.opened, outcomes, {
			at: receivedAt,
			maxClosings: plan.maxClosings,
		}),
	};
	return { outcomes, areSomeUnlisted, next };
}

/** The systems that earlier lists had. With 'Customer ID Prefix', the settings name them. */
export function vanishedIn(
	list: ListOfMembers,
	snapshot: SubscriberSnapshot,
	{ systems = [] }: ListMemory,
	{ customerIdPrefix }: SyncSettings,
): string[] {
	if (customerIdPrefix.length > 0) return [];
	return vanishedSystems(systems, idsOn(list), openIds(snapshot));
}

function idsOn({ members }: ListOfMembers): string[] {
	return members.flatMap(({ customerIds }) => customerIds);
}

function openIds({ list }: SubscriberSnapshot): string[] {
	const open = list.taken.filter(({ isOpen }) => isOpen);
	return open.map(({ customerId }) => customerId);
}
