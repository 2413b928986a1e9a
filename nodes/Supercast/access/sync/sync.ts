/** A run of Sync, as a function of the list, the subscribers, the settings and what is remembered. */

import type { SupercastClient } from '../../api/client';
import { readSubscribers } from '../../subscriber/listing';
import type { AppliedDecision } from '../apply';
import { match } from '../people';
import { movesEmail, opensFeed } from '../rules';
import type { SyncSettings } from '../settings';
import { listedSubscriber } from '../subscribers';
import { AllowanceAccount } from '../allowOnce';
import { incompletenessOf, type ListArrival, type MemberList } from './list';
import { afterUncounted, changesLately, isNextList, type SyncMemory } from './memory';
import { NewMembers } from './newMembers';
import { performAll, uuidsOf, type PerformTools } from './perform';
import { planSync, type SyncPlan } from './plan';
import type { SyncRun } from './run';
import { statusesOf } from './statuses';

/** What a run works with. */
export interface SyncTools extends Pick<PerformTools, 'forEach' | 'isStopped' | 'listBeganAt'> {
	client: SupercastClient;
	/** In milliseconds since 1970. */
	now: () => number;
	/** Lets n8n do other work between two computations. */
	rest: () => Promise<void>;
	/** Remembers this immediately, because a run may end early. */
	keep: (memory: SyncMemory) => void;
}

/** What a run is given. */
export interface SyncInput {
	list: MemberList;
	arrival: ListArrival;
	settings: SyncSettings;
	memory: SyncMemory;
	/** Whether someone runs the workflow by hand. */
	isByHand: boolean;
}

/**
 * Makes Supercast match a list of members, unless it is a dry run or the list is wrong.
 * @throws ServiceError if it fails before the first change, or if the execution was stopped.
 */
export async function synchronize(input: SyncInput, tools: SyncTools): Promise<SyncRun> {
	// Runs take hours if there are many new members.
	const stopKeeping = tools.client.channel.ledger.keepSince(tools.listBeganAt);
	return await runOnce(input, tools).finally(stopKeeping);
}

async function runOnce(input: SyncInput, tools: SyncTools): Promise<SyncRun> {
	const { list, arrival, settings, memory, isByHand } = input;
	const { client, now, rest } = tools;
	const incomplete = incompletenessOf(list, settings, arrival, now());
	const fetched = await readSubscribers(client, listedSubscriber);
	const subscribersReadAt = now();
	await rest();
	const subscribers = fetched.taken;
	const matched = match(list.records, subscribers);
	await rest();
	const { readingBeganAt } = arrival;
	const facts = { settings, memory, now: now(), readingBeganAt, isByHand };
	const plan = planSync(list, matched, incomplete, facts);
	await rest();
	const isCounted = incomplete.length === 0 && plan.wrong === undefined;
	const before = isCounted ? afterCounted(memory, plan, readingBeganAt) : undefined;
	const changes = new ChangeCounter(before ?? uncounted(input, plan), settings, now);
	tools.keep(changes.memory);
	const known = { subscribersReadAt, newMembers: new NewMembers(client, fetched) };
	const perform = { ...tools, ...known, settings, listedUuids: uuidsOf(subscribers) };
	const note = (outcome: AppliedDecision): void => {
		if (changes.note(outcome)) tools.keep(changes.memory);
	};
	const isReal = !settings.dryRun && plan.wrong === undefined;
	const outcomes = isReal ? await performAll(plan.decisions, { ...perform, note }) : plan.decisions;
	await rest();
	return {
		...{ settings, list, incomplete, ...matched, subscribers, plan, outcomes },
		areAllSubscribers: fetched.isComplete,
		statuses: statusesOf(matched.people, list.records),
		hasMemory: memory.countedAt !== undefined,
		uselessAllowances: changes.account.over,
		endedAt: now(),
		next: changes.memory,
	};
}

/** The memory after a list that counts. */
function afterCounted(memory: SyncMemory, plan: SyncPlan, readingBeganAt: number): SyncMemory {
	const countedAt = isNextList(memory, readingBeganAt) ? readingBeganAt : memory.countedAt;
	return { ...memory, countedAt, missing: plan.missing, known: plan.known, incomplete: 0 };
}

/** The memory after a list that is incomplete or wrong. */
function uncounted({ list, memory }: SyncInput, plan: SyncPlan): SyncMemory {
	const after = afterUncounted(memory, list.records);
	return plan.wrong === undefined ? { ...after, incomplete: memory.incomplete + 1 } : after;
}

/** Counts what a run changes, beside what is remembered. */
class ChangeCounter {
	readonly account: AllowanceAccount;
	private closed = 0;
	private counted = 0;

	/** When the run last changed something, because 24 hours begin then. */
	private at: number;

	/** @param now In milliseconds since 1970. */
	constructor(
		private readonly base: SyncMemory,
		{ allowances }: SyncSettings,
		private readonly now: () => number,
	) {
		this.at = now();
		this.account = new AllowanceAccount(allowances, base.used, this.at);
	}

	/** Notes a feed that has closed, opened, or got another email. Returns whether that counts. */
	note(outcome: AppliedDecision): boolean {
		const { action, error } = outcome;
		if (error !== undefined) return false;
		this.at = this.now();
		const isAllowed = opensFeed(outcome) && this.account.take('open');
		if (action === 'closed') this.closed += 1;
		if (action !== 'closed' && !movesEmail(outcome)) return isAllowed;
		if (!this.account.take('close')) this.counted += 1;
		return true;
	}

	get memory(): SyncMemory {
		const { at, closed, counted, account } = this;
		const own = closed + counted > 0 ? [{ at, closed, counted }] : [];
		const changes = [...changesLately(this.base, at), ...own];
		return { ...this.base, changes, used: account.remembered };
	}
}
