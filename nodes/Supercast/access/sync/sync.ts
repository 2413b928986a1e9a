import type { AppliedDecision } from '../apply';
import { match, type DesiredMember } from '../match';
import type { SyncSettings } from '../settings';
import { countCannotClose } from './leaving';
import { missingPartOf } from './list/missingPart';
import { readSubscriberList, type Reading, type ReadingTools } from './list/reading';
import type { ListOfMembers } from './list/members';
import { wrongNames, type WrongName } from './list/names';
import { shortListOf, type ShortList } from './list/wholeList';
import { ListCounter, type ListMemory } from './memory/absences';
import { askedNames, type AskedNames } from './memory/marks';
import { laterSystems, vanishedSystems } from './memory/systems';
import { knownAfter, openedAfter, recognized } from './memory/known';
import { newlyHeld, writtenIn } from './memory/written';
import { NewMembers } from './newMembers';
import { performAll } from './perform';
import { planSync, type SyncPlan } from './plan';
import type { SyncRecord } from './record';
import { statusesOf } from './statuses';

/** So many items nodes of n8n return by default, for example Data Table. */
const USUAL_PAGE = 50;

export interface SyncTools extends ReadingTools {
	settings: SyncSettings;
	/** When the workflow began to read the list from its source, according to `now`. */
	readAt: number;
	/** The moment of `readAt`, on the clock of the client's decisions. */
	cameAt: number;
	/** What earlier runs of this node remembered. */
	memory: ListMemory;
	/** Looks up names that are remembered elsewhere. Without it, `memory` has all names. */
	recall?: (names: AskedNames) => Promise<ListMemory>;
	/** Works on several things at a time. Stops at the first error. */
	forEach: <T>(things: readonly T[], work: (thing: T) => Promise<void>) => Promise<void>;
	/** Lets n8n do other work between two computations. */
	rest: () => Promise<void>;
	isStopped: () => boolean;
	/** Takes an item that names nobody. Throws, unless the node continues without it. */
	reject: (wrong: WrongName) => void;
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
	const { settings, rest } = tools;
	const short = shortListOf(settings, list.counts, tools.memory.shortLists);
	const reading = await readSubscriberList(tools, short !== undefined);
	await rest();
	const subscribers = reading.list.taken;
	const people = match(membersIn(list, reading, tools), subscribers);
	const memory = (await tools.recall?.(askedNames(people))) ?? tools.memory;
	const lists = new ListCounter(memory, tools);
	const isDoubtful = list.damaged.length > 0 && list.damaged.length !== memory.damaged;
	if (isDoubtful) reading.noClosingReason ??= 'damaged';
	await rest();
	const { noClosingReason } = reading;
	const channel = recognized(memory.known, subscribers);
	const facts = { now: reading.time, lists, noClosingReason, channel };
	const plan = planSync(people, subscribers, settings, facts);
	await rest();
	const isReal = !settings.dryRun && plan.refusal === undefined;
	const run = { list, reading, memory, lists, plan, short };
	const done = isReal ? await perform(run, tools) : nothingDone(plan);
	await rest();
	const { outcomes, areSomeUnlisted, next } = done;
	const { damaged, length } = list;
	return {
		settings,
		rows: list.rows,
		damaged,
		isFullPage: length === USUAL_PAGE && plan.missing.length > 0,
		vanished: vanishedIn(list, reading, memory, settings),
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

/** The systems that earlier lists had. With 'Customer ID Prefix', the settings name them. */
function vanishedIn(
	list: ListOfMembers,
	reading: Reading,
	{ systems = [] }: ListMemory,
	{ customerIdPrefix }: SyncSettings,
): string[] {
	if (customerIdPrefix.length > 0) return [];
	return vanishedSystems(systems, idsOn(list), openIds(reading));
}

function idsOn({ members }: ListOfMembers): string[] {
	return members.flatMap(({ customerIds }) => customerIds);
}

function openIds({ list }: Reading): string[] {
	const open = list.taken.filter(({ state }) => state === 'available');
	return open.map(({ customerId }) => customerId);
}

/** The members, without those whose names turn out to be wrong. Then, the list closes no feeds. */
function membersIn(
	{ members }: ListOfMembers,
	reading: Reading,
	{ reject }: SyncTools,
): readonly DesiredMember[] {
	const wrong = wrongNames(members, reading.list.taken);
	if (wrong.length === 0) return members;
	wrong.forEach(reject);
	reading.noClosingReason ??= 'badItems';
	const items = new Set(wrong.map(({ item }) => item));
	return members.filter((member) => !member.items.some((item) => items.has(item)));
}

/** What a real run works with. */
interface PlannedRun {
	list: ListOfMembers;
	reading: Reading;
	/** What is remembered of the lists before. */
	memory: ListMemory;
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
	{ list, reading, memory, lists, plan, short }: PlannedRun,
	tools: SyncTools,
): Promise<Done> {
	const { client, receivedAt } = tools;
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
		damaged: list.damaged.length,
		systems: laterSystems(memory.systems ?? [], idsOn(list), openIds(reading)),
		people: plan.wanted,
		known: isTrusted ? knownAfter(subscribers.taken) : memory.known,
		opened: openedAfter(memory.opened, outcomes, {
			at: receivedAt,
			maxClosings: plan.maxClosings,
		}),
	};
	return { outcomes, areSomeUnlisted, next };
}
