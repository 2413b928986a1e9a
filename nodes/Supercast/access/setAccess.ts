import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';
import { findRecord } from '../api/records';
import { runInQueue, type PersonEvent } from '../api/queue';
import { EXPRESSION_HINT, hasNoResult } from '../operations/texts';
import type { ItemParameters, Operation } from '../operations/types';
import { isOn } from '../operations/validation';
import { feedSubject, lookUp, readInState } from '../subscriber/requests';
import { apply, nameAfter, outcomeOf, type AppliedDecision } from './apply';
import { decider, noteNames, type PersonWanted } from './decidePerson';
import { refuseDoubtful } from './doubtfulIdentifiers';
import { findPerson } from './findPerson';
import { leave, type TellLeft } from './leave';
import { namesOfSubscriber, type CurrentSubscriber } from './match';
import type { WantedAccess } from './rules';
import type { RuleSettings } from './settings';
import { setAccessDescription } from './parameters';
import { readAccess, readStatus } from './records';
import { otherOpenFeeds } from './secondFeed';
import { readPerson } from './settings';

/** Builds the output of what was wanted and done. */
type Tell = (access: WantedAccess, decision: AppliedDecision) => IDataObject;

export const setAccess = (tell: Tell, tellLeft: TellLeft): Operation => ({
	...setAccessDescription,
	prepare: (item) => {
		const access = readAccess(item.parameter('access'));
		if (access === 'keep' || access === 'unclear') return leave(item, access, tellLeft);
		const statuses = readStatus(item.parameter('status'));
		// Whatever it wants, the record says who the person is.
		const member = { ...readPerson(item, 'Set Access'), statuses };
		const names = [member.email, ...member.customerIds].filter((name) => name !== '');
		const [subject] = names;
		if (subject === undefined) throw nobodyNamed(item);
		const wanted = { access, member, settings: settingsOf(item), firstTried: item.firstTried };
		return {
			record: names,
			changes: { named: member },
			run: async (client, addHint, place) => {
				const event = eventOf(client, subject, wanted);
				const decision = await runInQueue(client, event, place);
				const others =
					access === 'close' ? await otherOpenFeeds(client, decision) : decision.others;
				const told = others.length === 0 ? decision : { ...decision, others };
				const output = tell(access, told);
				if (output.attention !== null) addHint?.(textOf(output.attention));
				if (item.isTool) delete output.feed_urls;
				return [output];
			},
		};
	},
});

/** @param subject How errors name the person. */
function eventOf(
	client: SupercastClient,
	subject: string,
	wanted: PersonWanted,
): PersonEvent<CurrentSubscriber[], AppliedDecision> {
	const { access, member } = wanted;
	return {
		named: member,
		subject: lookUp(subject),
		find: async () => {
			const found = await findPerson(client, member, access);
			refuseDoubtful(client, member, found);
			return { found, names: found.map(namesOfSubscriber), areAll: true };
		},
		work: async (found) => {
			const decide = decider(client, wanted);
			// With several records, nobody is created or closed, so `fresh` is the only record.
			const applied = await apply(client, decide(found), (fresh) => decide([fresh]));
			noteNames(client, applied);
			return await withKnowledge(client, applied);
		},
		outcome: outcomeOf,
	};
}

/** The membership system names this one person, so most of Sync's protective rules do not apply. */
function settingsOf(item: ItemParameters): RuleSettings {
	return {
		addCustomerIds: true,
		close: 'all',
		closeWithPlan: isOn(item.collection('options').closeWithPlan, 'Close Despite Plan'),
		customerIdPrefix: [],
		neverClose: new Set(),
		reactivate: true,
		replaceCustomerId: true,
	};
}

function nobodyNamed(item: ItemParameters): InputError {
	const wanted = [
		['email', 'Email'],
		['customerId', 'Customer ID'],
	] as const;
	const label = wanted.find(([name]) => hasNoResult(item.parameter(name)))?.[1];
	if (label === undefined) {
		return new InputError(
			"'Email' and 'Customer ID' are both empty",
			`Fill in at least one of them. ${EXPRESSION_HINT}`,
		);
	}
	return new InputError(
		`The expression in '${label}' returned no value, so the person is unknown`,
		`${EXPRESSION_HINT} n8n also returns no value if the expression itself is wrong.`,
	);
}

/** Adds what the output says about the subscriber, and how sure that is. */
async function withKnowledge(
	client: SupercastClient,
	applied: AppliedDecision,
): Promise<AppliedDecision> {
	return {
		...applied,
		shown: await shownAfter(client, applied),
		listAgeMs: client.channel.customerIds.ageMs,
		mayBeSecond: await mayBeSecond(client, applied),
	};
}

/**
 * Whether Supercast may have had a subscriber with the email before, because it does not find people
 * by email. Costs one request for each process.
 */
async function mayBeSecond(
	client: SupercastClient,
	{ action, shown = {} }: AppliedDecision,
): Promise<boolean> {
	const { channel } = client;
	if (action !== 'created' || channel.customerIds.hasSnapshot) return false;
	if (channel.findsEmails === undefined) {
		const find = { ...lookUp(textOf(shown.email)), mayBeHidden: true };
		const found = await findRecord(client, find).catch(() => shown);
		channel.findsEmails = found !== undefined;
	}
	return !channel.findsEmails;
}

/**
 * The subscriber as Supercast shows them after the change. The response to a reopening may show
 * only the feed, so the node then reads the subscriber for the feed addresses.
 */
async function shownAfter(
	client: SupercastClient,
	decision: AppliedDecision,
): Promise<IDataObject | undefined> {
	if (decision.shown !== undefined || decision.action !== 'reopened') return decision.shown;
	const { subscriber, write } = decision;
	const name = nameAfter(subscriber, write);
	const subject = feedSubject(subscriber.email || name, { verb: 'opening' });
	return await readInState(client, name, 'available', subject);
}
