/** Carries out what a list asks for, person by person. */

import { identifierOf, keysOf } from '../../api/identity';
import { runInQueue } from '../../api/queue';
import { runConcurrently } from '../../operations/concurrently';
import { groupBy } from '../../operations/groupBy';
import { readSubscriberAgain } from '../../subscriber/findPerson';
import { lookUp } from '../../subscriber/listing';
import { apply, outcomeOf, type AppliedDecision, type Decide } from '../apply';
import {
	keep,
	decideListed,
	type AccessAction,
	type Decision,
	type SubscriberDecision,
} from '../rules';
import {
	completed,
	currentSubscriber,
	namesOfSubscriber,
	NO_SUBSCRIBER,
	type CurrentSubscriber,
} from '../subscribers';
import { closeMissing } from './closing';
import { withFeedUrls } from './newMembers';
import { isUnmatched, mayBeListed } from './plan';
import type { PerformTools } from './run';

/**
 * Feeds open before others close, so that a run that ends early leaves feeds open. Other changes
 * come last, because they affect nobody's access.
 */
const PHASES = ['created', 'reopened', 'closed', 'updated'] as const satisfies AccessAction[];

/**
 * Carries out decisions in an order that leaves feeds open if the run ends early. A failure for one
 * person affects only those who may be the same person.
 * @returns What became of the decisions, in their order.
 * @throws The error that ended the run, if the execution was stopped.
 */
export async function performAll(
	decisions: readonly Decision[],
	tools: PerformTools,
): Promise<AppliedDecision[]> {
	const outcomes = new Map<Decision, AppliedDecision>();
	let hasUnmatched = decisions.some(isUnmatched);
	const work = async (decision: Decision): Promise<void> => {
		const outcome = mayBeListed(decision, hasUnmatched)
			? keep(decision, 'mayBeListed')
			: await performInQueue(decision, tools).catch((error: unknown): AppliedDecision => {
					if (tools.client.signal?.aborted === true || !(error instanceof Error)) throw error;
					return { ...decision, error };
				});
		outcomes.set(decision, outcome);
		hasUnmatched ||= isUnmatched(outcome) || hasFailedToCreate(outcome);
		tools.note(outcome);
	};
	const phases = groupBy(decisions, ({ action }) => action);
	for (const phase of PHASES) {
		const ofPhase = phases.get(phase) ?? [];
		const each = async (some: readonly Decision[]): Promise<void> => {
			const failure = await runConcurrently(some, tools.parallelRequests, work);
			if (failure !== undefined) throw failure.error;
		};
		await (phase === 'created' ? tools.newMembers.inParts(ofPhase, each) : each(ofPhase));
	}
	return decisions.map((one) => outcomes.get(one) ?? one);
}

function hasFailedToCreate({ action, error }: AppliedDecision): boolean {
	return action === 'created' && error !== undefined;
}

/** Carries out a decision in the person's turn, and does not undo what events decide meanwhile. */
async function performInQueue(decision: Decision, tools: PerformTools): Promise<AppliedDecision> {
	const { person, subscriber = NO_SUBSCRIBER } = decision;
	const { client, listBeganAt } = tools;
	const names = { email: person?.email, customerIds: person?.customerIds };
	const known = namesOfSubscriber(subscriber);
	const keys = [names, known].flatMap(keysOf);
	return await runInQueue(client, {
		named: names,
		subject: lookUp(person?.email || subscriber.email || subscriber.uuid),
		find: async () => await Promise.resolve({ found: undefined, names: [known], areAll: true }),
		work: async () =>
			client.channel.ledger.hasDecidedSince(keys, listBeganAt)
				? keep(decision, 'decidedSince')
				: await performOne(decision, tools),
		outcome: outcomeOf,
		isEvent: false,
	});
}

async function performOne(decision: Decision, tools: PerformTools): Promise<AppliedDecision> {
	const { client, settings, listedUuids } = tools;
	if (decision.action === 'closed') return await closeMissing(decision, tools);
	const { person, subscriber } = decision;
	if (person === undefined) return decision;
	const decide: Decide = (fresh) => {
		// Supercast's list shows this subscriber with other names, which the next list sorts out.
		const isOther = subscriber === undefined && listedUuids.has(fresh.uuid);
		const latest = completed(fresh, subscriber);
		return isOther
			? keep({ person, subscriber: fresh }, 'changedSince')
			: decideListed(person, settings, latest);
	};
	if (decision.action === 'updated') return await apply(client, decision, decide);
	const opened =
		decision.action === 'reopened'
			? reopenListed(decision, decide, tools)
			: createListed(decision, decide, tools);
	return await withFeedUrls(await opened, client);
}

/** Reads the record first, because someone else may have changed it since the list was read. */
async function reopenListed(
	decision: SubscriberDecision,
	decide: Decide,
	{ client }: PerformTools,
): Promise<AppliedDecision> {
	const name = identifierOf(decision.subscriber);
	const found = await readSubscriberAgain(client, name);
	if (found === undefined) return keep(decision, 'goneSince');
	const latest = decide(currentSubscriber(found));
	// The limit has left the email as it is.
	return await apply(
		client,
		decision.reason === 'overLimit' ? withOldEmail(latest) : latest,
		decide,
	);
}

function withOldEmail(decision: Decision): Decision {
	const write = { ...decision.write };
	delete write.email;
	return { ...decision, write };
}

/** Looks for the record first, because someone else may have created it since the list was read. */
async function createListed(
	decision: Decision,
	decide: Decide,
	{ client, newMembers }: PerformTools,
): Promise<AppliedDecision> {
	const found = await newMembers.find(decision.person?.email ?? '');
	if (found !== undefined) return await apply(client, decide(currentSubscriber(found)), decide);
	const outcome = await apply(client, decision, decide);
	if (outcome.action === 'created') newMembers.noteCreated();
	return outcome;
}

/** The subscribers on a list, by what never changes. */
export function uuidsOf(subscribers: readonly CurrentSubscriber[]): ReadonlySet<string> {
	return new Set(subscribers.map(({ uuid }) => uuid).filter((uuid) => uuid !== ''));
}
