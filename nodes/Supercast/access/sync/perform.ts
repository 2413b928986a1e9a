import { keysOf } from '../../api/identity';
import { runInQueue } from '../../api/queue';
import { groupBy, identifierOf } from '../../subscriber/customerId';
import { subscribers as kind } from '../../subscriber/kind';
import { findSubscriber } from '../../subscriber/listing';
import { lookUp } from '../../subscriber/requests';
import { apply, outcomeOf, type AppliedDecision, type Decide } from '../apply';
import { closeMissing, type ClosingRun } from './closing';
import { hasEmail, moveRounds } from './moves';
import { withFeedUrls, type NewMembers } from './newMembers';
import {
	completed,
	currentSubscriber,
	namesOfSubscriber,
	NOBODY,
	NO_SUBSCRIBER,
	type CurrentSubscriber,
	type DesiredMember,
} from '../match';
import {
	decideOpen,
	isUnmatched,
	keep,
	type AccessAction,
	type AccessDecision,
	type SubscriberDecision,
} from '../rules';
import { REASONS } from '../reasons';
import type { SyncSettings } from '../settings';

/**
 * Emails change first, so that nobody is created twice. Feeds open before others close, so that a
 * run that ends early leaves feeds open. Other fields come last, because they affect nobody's
 * access.
 */
const PHASES = ['moved', 'created', 'reopened', 'closed', 'updated'] as const;

export interface PerformTools extends Omit<ClosingRun, 'closings' | 'hasUnmatched' | 'notCreated'> {
	settings: SyncSettings;
	newMembers: NewMembers;
	/** When the snapshot of the list of members began, on the clock of the client's decisions. */
	cameAt: number;
	/** Works on several things at a time. Stops at the first error. */
	forEach: <T>(things: readonly T[], work: (thing: T) => Promise<void>) => Promise<void>;
	isStopped: () => boolean;
}

/** What a run did. */
export interface Performed {
	/** In the order of the decisions. */
	outcomes: AppliedDecision[];
	/** The members who could not be created. */
	notCreated: DesiredMember[];
	/** The subscribers whose feeds should have closed, and could not. */
	stuck: CurrentSubscriber[];
}

/** What the changes of one run share. */
interface PerformRun extends PerformTools, ClosingRun {
	newMembers: NewMembers;
	/** So far. */
	notCreated: DesiredMember[];
	stuck: CurrentSubscriber[];
	/** The UUIDs of subscribers who are members on the list. A new member must not get their record. */
	claimed: ReadonlySet<string>;
}

/**
 * Applies decisions in an order that leaves feeds open if the run ends early. A failure for one
 * person affects only those who may be the same person.
 * @throws The error that ended the run, if the execution was stopped.
 */
export async function performAll(
	decisions: readonly AccessDecision[],
	tools: PerformTools,
): Promise<Performed> {
	const outcomes = new Map<AccessDecision, AppliedDecision>();
	const claimed = new Set<string>();
	for (const { member, subscriber } of decisions) {
		if (member && subscriber) claimed.add(subscriber.uuid);
	}
	const noted = { notCreated: [], stuck: [], hasUnmatched: false, closings: { count: 0 } };
	const run: PerformRun = { ...tools, ...noted, claimed };
	const phases = groupBy(decisions, phaseOf);
	for (const phase of PHASES) {
		const work = async (decision: AccessDecision): Promise<void> => {
			const outcome = await performInQueue(decision, run).catch((error: unknown) => {
				if (tools.isStopped() || !(error instanceof Error)) throw error;
				return { ...decision, error };
			});
			outcomes.set(decision, phase === 'closed' ? withStuck(outcome, run) : outcome);
			const { error, member } = outcome;
			if (phase === 'created' && error !== undefined && member) run.notCreated.push(member);
			// The email should have become free in this run, but that change has failed.
			run.hasUnmatched ||= isUnmatched(outcome);
		};
		const ofPhase = phases.get(phase) ?? [];
		if (phase === 'created') {
			await tools.newMembers.inParts(ofPhase, async (part) => await tools.forEach(part, work));
			continue;
		}
		for (const round of roundsOf(phase, ofPhase, run)) await tools.forEach(round, work);
	}
	const { notCreated, stuck } = run;
	return { outcomes: decisions.map((one) => outcomes.get(one) ?? one), notCreated, stuck };
}

function roundsOf(
	phase: (typeof PHASES)[number],
	decisions: AccessDecision[],
	run: PerformRun,
): Iterable<AccessDecision[]> {
	if (phase === 'moved') return moveRounds(decisions);
	return phase === 'closed' ? closingRounds(decisions, run) : [decisions];
}

/**
 * Each round has as many closings as the limit still allows, since some may fail. Feeds that could
 * not be closed before come last, so that they keep no other feed open.
 */
function* closingRounds(
	decisions: AccessDecision[],
	{ lists, closings, maxClosings }: PerformRun,
): Iterable<AccessDecision[]> {
	const since = ({ subscriber = NO_SUBSCRIBER }: AccessDecision): number =>
		lists.stuckSince(subscriber) ?? 0;
	const rest = decisions.sort((one, other) => since(one) - since(other));
	while (rest.length > 0) {
		const room = maxClosings - closings.count;
		yield rest.splice(0, room > 0 ? room : rest.length);
	}
}

/** Notes a feed that could not be closed, and since when. */
function withStuck(outcome: AppliedDecision, { lists, stuck }: PerformRun): AppliedDecision {
	const { error, reason, subscriber = NO_SUBSCRIBER } = outcome;
	const stuckSince = lists.stuckSince(subscriber);
	const isAgain = reason === 'overLimit' && stuckSince !== undefined;
	const isStuck = reason !== undefined && REASONS[reason].isStuck === true;
	if (error === undefined && !isStuck && !isAgain) return outcome;
	stuck.push(subscriber);
	return { ...outcome, stuckSince };
}

function phaseOf(decision: AccessDecision): AccessAction | 'moved' {
	const { action } = decision;
	return action !== 'created' && hasEmail(decision) ? 'moved' : action;
}

/** Applies a decision in the person's turn, and does not undo recent decisions. */
async function performInQueue(decision: AccessDecision, run: PerformRun): Promise<AppliedDecision> {
	const { member = NOBODY, subscriber = NO_SUBSCRIBER } = decision;
	const { client, cameAt } = run;
	const names = { email: member.email, customerIds: member.customerIds };
	const known = namesOfSubscriber(subscriber);
	const keys = [names, known].flatMap(keysOf);
	return await runInQueue(client, {
		named: names,
		subject: lookUp(member.email || subscriber.email || subscriber.uuid),
		find: async () => await Promise.resolve({ found: undefined, names: [known], areAll: true }),
		work: async () =>
			client.channel.ledger.hasDecidedSince(keys, cameAt)
				? keep(decision, 'decidedSince')
				: await performOne(decision, run),
		outcome: outcomeOf,
		isEvent: false,
	});
}

async function performOne(decision: AccessDecision, run: PerformRun): Promise<AppliedDecision> {
	const { client, settings, claimed } = run;
	if (decision.action === 'closed') return await closeMissing(decision, run);
	const decide: Decide = (fresh) => {
		// Another subscriber should have given up this email, but that change has failed.
		const isForOther = decision.subscriber === undefined && claimed.has(fresh.uuid);
		if (isForOther) return keep(decision, 'emailTaken');
		return decideOpen({ ...decision, subscriber: completed(fresh, decision.subscriber) }, settings);
	};
	if (decision.action === 'updated') return await apply(client, decision, decide);
	const open =
		decision.action === 'reopened'
			? reopenListed(decision, decide, run)
			: createListed(decision, decide, run);
	return await withFeedUrls(await open, run);
}

/** Reads the record first, because someone else may have changed it since the list was read. */
async function reopenListed(
	decision: SubscriberDecision,
	decide: Decide,
	{ client }: PerformTools,
): Promise<AppliedDecision> {
	const name = identifierOf(decision.subscriber);
	const found = await findSubscriber(client, name, kind, true);
	if (found === undefined) return keep(decision, 'goneSince');
	return await apply(client, decide(currentSubscriber(found)), decide);
}

/** Looks for the record first, because someone else may have created it since the list was read. */
async function createListed(
	decision: AccessDecision,
	decide: Decide,
	{ client, newMembers }: PerformTools,
): Promise<AppliedDecision> {
	const { member = NOBODY } = decision;
	const found = await newMembers.find(member.email);
	if (found !== undefined) return await apply(client, decide(currentSubscriber(found)), decide);
	const outcome = await apply(client, decision, decide);
	if (outcome.action === 'created') newMembers.noteCreated();
	return outcome;
}
