/** Carries out what a list asks for. */

import type { Person } from '../match';
import type { SyncSettings } from '../settings';
import type { WrongName } from './list/identifiers';
import { isTrusted, type SnapshotTools } from './list/snapshot';
import type { ListMemory } from './memory/absences';
import type { AskedIdentifiers } from './memory/entries';
import type { Done, Planned } from './memory/next';
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
export interface PlannedRun extends Planned {
	people: readonly Person[];
}

/** What a run does that changes nothing. */
export function nothingDone({ decisions }: SyncPlan): Done {
	return { outcomes: decisions, areSomeUnlisted: false, notCreated: [], stuck: [] };
}

/** Applies a plan. */
export async function carryOut(
	{ snapshot, lists, plan }: PlannedRun,
	tools: SyncTools,
): Promise<Done> {
	const known = { ...snapshot.list, isComplete: isTrusted(snapshot) };
	const newMembers = new NewMembers(tools.client, known);
	const done = await performAll(plan.decisions, {
		...tools,
		settings: plan.rules,
		lists,
		newMembers,
		maxClosings: plan.maxClosings,
		excused: plan.excused,
		subscribersReadAt: snapshot.endedAt,
	});
	return { ...done, areSomeUnlisted: newMembers.areSomeUnlisted };
}
