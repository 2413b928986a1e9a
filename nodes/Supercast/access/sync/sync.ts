import { match, type DesiredMember } from '../match';
import { carryOut, nothingDone, type PlannedRun, type SyncTools } from './carryOut';
import { countCannotClose } from './leaving';
import { missingPartOf } from './list/missingPart';
import { readSubscriberList, type SubscriberSnapshot } from './list/snapshot';
import type { ListOfMembers } from './list/members';
import { wrongNames } from './list/identifiers';
import { shortListOf } from './list/completeList';
import { ListCounter } from './memory/absences';
import { askedIdentifiers } from './memory/entries';
import { recognized } from './memory/known';
import { nextMemory } from './memory/next';
import { vanishedIn } from './memory/systems';
import { newlyNotTaken } from './memory/written';
import { planSync } from './plan';
import type { SyncRecord } from './record';
import { statusesOf } from './statuses';

/** So many items nodes of n8n return by default, for example Data Table. */
const USUAL_PAGE = 50;

/**
 * Makes Supercast match a list of members, unless it is a dry run or the plan is refused.
 * @throws ServiceError if it fails before the first change, or if the execution was stopped.
 */
export async function synchronize(list: ListOfMembers, tools: SyncTools): Promise<SyncRecord> {
	// Runs take hours if there are many new members.
	const stopKeeping = tools.client.channel.ledger.keepSince(tools.cameAt);
	return await runOnce(list, tools).finally(stopKeeping);
}

async function runOnce(list: ListOfMembers, tools: SyncTools): Promise<SyncRecord> {
	const { settings, rest } = tools;
	const run = await planned(list, tools);
	const { snapshot, memory, lists, plan, people, short } = run;
	await rest();
	const isReal = !settings.dryRun && plan.refusal === undefined;
	const done = isReal ? await carryOut(run, tools) : nothingDone(plan);
	const { outcomes, areSomeUnlisted } = done;
	await rest();
	return {
		settings,
		rows: list.rows,
		damaged: list.damaged,
		isFullPage: list.length === USUAL_PAGE && plan.missing.length > 0,
		vanished: vanishedIn(list, snapshot, memory, settings),
		counts: list.counts,
		statuses: statusesOf(people),
		snapshot,
		plan,
		outcomes,
		endedAt: tools.now(),
		short,
		missingPart: missingPartOf(outcomes, plan.rules),
		areSomeUnlisted,
		hasForgotten: lists.hasForgotten,
		notTaken: newlyNotTaken(memory.written, outcomes),
		cannotClose: countCannotClose(outcomes, plan.rules),
		next: isReal ? nextMemory(run, done, tools) : undefined,
	};
}

/** Reads the subscribers and what is remembered, and decides what the list asks for. */
async function planned(list: ListOfMembers, tools: SyncTools): Promise<PlannedRun> {
	const { settings, rest } = tools;
	const short = shortListOf(settings, list.counts, tools.memory.shortLists);
	const snapshot = await readSubscriberList(tools, short !== undefined);
	await rest();
	const subscribers = snapshot.list.taken;
	const people = match(membersIn(list, snapshot, tools), subscribers);
	const memory = (await tools.recall?.(askedIdentifiers(people))) ?? tools.memory;
	const lists = new ListCounter(memory, tools);
	const isDoubtful = list.damaged.length > 0 && list.damaged.length !== memory.damaged;
	if (isDoubtful) snapshot.noClosingReason ??= 'damaged';
	await rest();
	const { noClosingReason } = snapshot;
	const channel = recognized(memory.known, subscribers);
	const facts = { now: snapshot.time, lists, noClosingReason, channel };
	const plan = planSync(people, subscribers, settings, facts);
	return { list, snapshot, memory, lists, people, plan, short };
}

/** The members, without those whose names turn out to be wrong. Then, the list closes no feeds. */
function membersIn(
	{ members }: ListOfMembers,
	snapshot: SubscriberSnapshot,
	{ reject }: SyncTools,
): readonly DesiredMember[] {
	const wrong = wrongNames(members, snapshot.list.taken);
	if (wrong.length === 0) return members;
	wrong.forEach(reject);
	snapshot.noClosingReason ??= 'badItems';
	const items = new Set(wrong.map(({ item }) => item));
	return members.filter((member) => !member.items.some((item) => items.has(item)));
}
