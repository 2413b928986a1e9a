import type { AppliedDecision } from '../apply';
import { match } from '../match';
import type { SyncSettings } from '../settings';
import { countCannotClose } from './leaving';
import { missingPartOf } from './list/missingPart';
import { readSubscriberList, type Reading, type ReadingTools } from './list/reading';
import type { ListOfMembers } from './list/members';
import { shortListOf, type ShortList } from './list/wholeList';
import { ListCounter, type ListMemory } from './memory/absences';
import { knownAfter, openedAfter, recognized } from './memory/marks';
import { newlyHeld, writtenIn } from './memory/written';
import { NewMembers } from './newMembers';
import { performAll } from './perform';
import { planSync, type SyncPlan } from './plan';
import type { SyncRecord } from './record';
import { statusesOf } from './statuses';

export interface SyncTools extends ReadingTools {
	settings: SyncSettings;
	/** When the workflow began to read the list from its source, according to `now`. */
	readAt: number;
	/** The moment of `readAt`, on the clock of the client's decisions. */
	cameAt: number;
	/** What earlier runs of this node remembered. */
	memory: ListMemory;
	/** Works on several things at a time. Stops at the first error. */
	forEach: <T>(things: readonly T[], work: (thing: T) => Promise<void>) => Promise<void>;
	/** Lets n8n do other work between two computations. */
	rest: () => Promise<void>;
	isStopped: () => boolean;
}

/**
 * Makes Supercast match a list of members, unless it is a dry run or the plan is refused.
 * @throws ServiceError if it fails before the first change, or if the execution was stopped.
 */
export async function runSync(list: ListOfMembers, tools: SyncTools): Promise<SyncRecord> {
	// Runs take hours if there are many new members.
	const stopKeeping = tools.client.channel.decisions.keepSince(tools.cameAt);
	return await runOnce(list, tools).finally(stopKeeping);
}

async function runOnce(list: ListOfMembers, tools: SyncTools): Promise<SyncRecord> {
	const { settings, memory, rest } = tools;
	const short = shortListOf(settings, list.counts, memory.shortLists);
	const reading = await readSubscriberList(tools, short !== undefined);
	const lists = new ListCounter(memory, tools);
	await rest();
	const subscribers = reading.list.taken;
	const people = match(list.members, subscribers);
	await rest();
	const { noClosingReason } = reading;
	const channel = recognized(memory.known, subscribers);
	const facts = { now: reading.time, lists, noClosingReason, channel };
	const plan = planSync(people, subscribers, settings, facts);
	await rest();
	const isReal = !settings.dryRun && plan.refusal === undefined;
	const run = { list, reading, lists, plan, short };
	const done = isReal ? await perform(run, tools) : nothingDone(plan);
	await rest();
	const { outcomes, areSomeUnlisted, next } = done;
	return {
		settings,
		rows: list.rows,
		counts: list.counts,
		statuses: statusesOf(people),
		reading,
		plan,
		outcomes,
		endedAt: tools.now(),
		short,
		missingPart: missingPartOf(outcomes, plan.rules),
		areSomeUnlisted,
		hasForgotten: lists.hasForgotten,
		held: newlyHeld(memory.written, outcomes),
		cannotClose: countCannotClose(outcomes, plan.rules),
		next,
	};
}

/** What a real run works with. */
interface PlannedRun {
	list: ListOfMembers;
	reading: Reading;
	lists: ListCounter;
	plan: SyncPlan;
	short?: ShortList;
}

/** What a run has done, or would do. */
interface Done {
	outcomes: readonly AppliedDecision[];
	areSomeUnlisted: boolean;
	next?: ListMemory;
}

function nothingDone({ decisions }: SyncPlan): Done {
	return { outcomes: decisions, areSomeUnlisted: false };
}

/** Applies a plan, and says what to remember. */
async function perform(
	{ list, reading, lists, plan, short }: PlannedRun,
	tools: SyncTools,
): Promise<Done> {
	const { client, memory, receivedAt } = tools;
	const { list: subscribers, endedAt, strangeness, noClosingReason } = reading;
	const isTrusted = strangeness === undefined && subscribers.isComplete;
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
		people: plan.wanted,
		known: isTrusted ? knownAfter(subscribers.taken) : memory.known,
		opened: openedAfter(memory.opened, outcomes, {
			at: receivedAt,
			maxClosings: plan.maxClosings,
		}),
	};
	return { outcomes, areSomeUnlisted, next };
}
