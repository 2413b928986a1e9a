/** A run of Sync, as a function of the list, the subscribers, the settings and what is remembered. */

import { paced } from '../../operations/steps';
import { readSubscribers } from '../../subscriber/listing';
import type { AppliedDecision } from '../apply';
import { match } from '../people';
import { movesEmail, opensFeed } from '../rules';
import type { SyncSettings } from '../settings';
import { listedSubscriber } from '../subscribers';
import { AllowanceAccount } from '../allowOnce';
import { incompletenessOf, type MemberList } from './list';
import { afterUncounted, changesLately, isNextList, type SyncMemory } from './memory';
import { NewMembers } from './newMembers';
import { performAll, uuidsOf } from './perform';
import { planSync, type PlanFacts, type SyncPlan } from './plan';
import type { SyncInput, SyncRun, SyncTools } from './run';
import { statusesOf } from './statuses';

/**
 * Makes Supercast match a list of members, unless it is a dry run or the list is wrong.
 * @throws ServiceError if it fails before the first change, or if the execution was stopped.
 */
export async function synchronize(
	input: SyncInput,
	memory: SyncMemory,
	tools: SyncTools,
): Promise<SyncRun> {
	const { ledger } = tools.client.channel;
	const listBeganAt = ledger.now() - (tools.clock.date() - input.arrival.readingBeganAt);
	// Runs take hours if there are many new members.
	const stopKeeping = ledger.keepSince(listBeganAt);
	return await runOnce(input, memory, tools, listBeganAt).finally(stopKeeping);
}

async function runOnce(
	{ list, arrival, settings, isByHand }: SyncInput,
	memory: SyncMemory,
	tools: SyncTools,
	listBeganAt: number,
): Promise<SyncRun> {
	const { client, clock } = tools;
	const { readingBeganAt } = arrival;
	const incomplete = incompletenessOf(list, settings, arrival, clock.date());
	const fetched = await readSubscribers(client, listedSubscriber);
	const subscribersReadAt = clock.date();
	const subscribers = fetched.taken;
	const matched = await paced(match(list.records, subscribers), clock);
	const facts = { settings, memory, now: clock.date(), readingBeganAt, isByHand };
	const plan = await paced(planSync(list, matched, incomplete, facts), clock);
	const before = memoryAfter(list, incomplete.length === 0, plan, facts);
	const changes = new ChangeCounter(before, settings, tools);
	const note = (outcome: AppliedDecision): void => changes.note(outcome);
	const known = { settings, listBeganAt, subscribersReadAt, listedUuids: uuidsOf(subscribers) };
	const newMembers = new NewMembers(client, fetched);
	const isReal = !settings.dryRun && plan.wrong === undefined;
	const outcomes = isReal
		? await performAll(plan.decisions, { ...tools, ...known, newMembers, note })
		: plan.decisions;
	const statuses = await paced(statusesOf(matched.people, list.records), clock);
	return {
		...{ settings, list, incomplete, ...matched, statuses, subscribers, plan, outcomes },
		areAllSubscribers: fetched.isComplete,
		remembersNothing: !isByHand && memory.countedAt === undefined,
		uselessAllowances: changes.account.over,
		endedAt: clock.date(),
		next: changes.memory,
	};
}

/** The memory after a list. One that is incomplete or wrong does not count. */
function memoryAfter(
	list: MemberList,
	isComplete: boolean,
	plan: SyncPlan,
	{ memory, readingBeganAt }: PlanFacts,
): SyncMemory {
	if (isComplete && plan.wrong === undefined) {
		const countedAt = isNextList(memory, readingBeganAt) ? readingBeganAt : memory.countedAt;
		return { ...memory, countedAt, missing: plan.missing, known: plan.known, incomplete: 0 };
	}
	const after = afterUncounted(memory, list.records);
	return plan.wrong === undefined ? { ...after, incomplete: memory.incomplete + 1 } : after;
}

/** Counts what a run changes, and remembers it. */
class ChangeCounter {
	readonly account: AllowanceAccount;
	private closed = 0;
	private counted = 0;

	/** When the run last changed something, because 24 hours begin then. */
	private at: number;

	constructor(
		private readonly base: SyncMemory,
		{ allowances }: SyncSettings,
		private readonly tools: SyncTools,
	) {
		this.at = tools.clock.date();
		this.account = new AllowanceAccount(allowances, base.used, this.at);
		tools.keep(this.memory);
	}

	/** Notes a feed that has closed, opened, or got another email. */
	note(outcome: AppliedDecision): void {
		const { action, error } = outcome;
		if (error !== undefined) return;
		this.at = this.tools.clock.date();
		const isAllowed = opensFeed(outcome) && this.account.take('open');
		const isCounted = action === 'closed' || movesEmail(outcome);
		if (action === 'closed') this.closed += 1;
		if (isCounted && !this.account.take('close')) this.counted += 1;
		if (isCounted || isAllowed) this.tools.keep(this.memory);
	}

	get memory(): SyncMemory {
		const { at, closed, counted, account } = this;
		const own = closed + counted > 0 ? [{ at, closed, counted }] : [];
		const changes = [...changesLately(this.base, at), ...own];
		return { ...this.base, changes, used: account.remembered };
	}
}
