import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { isSameName } from '../api/identity';
import { textOf } from '../api/json';
import { findRecord } from '../api/records';
import { takeTurn, type PersonEvent } from '../api/turn';
import { EXPRESSION_HINT, hasNoResult } from '../operations/texts';
import type { ItemParameters, Operation } from '../operations/types';
import { isOn, requireChoice } from '../operations/validation';
import { findByCustomerId, findListed, nameOf } from '../subscriber/customerId';
import { simplifySubscriber, subscribers as kind } from '../subscriber/kind';
import { feedSubject, findByEmail, lookUp, readInState } from '../subscriber/requests';
import { adviceOn, type WantedAccess } from './advice';
import { apply, nameAfter, outcomeOf, type AppliedDecision } from './apply';
import {
	match,
	currentSubscriber,
	namesOfSubscriber,
	NOBODY,
	NO_SUBSCRIBER,
	type CurrentSubscriber,
	type DesiredMember,
} from './match';
import {
	changesOf,
	decideClosed,
	decideOpen,
	type AccessAction,
	type AccessDecision,
} from './rules';
import type { RuleSettings } from './whyOpen';
import { accessChoice, setAccessDescription } from './parameters';
import { otherOpenFeeds } from './secondFeed';
import { readPerson } from './settings';

export const setAccess: Operation = {
	...setAccessDescription,
	prepare: (item) => {
		const chosen = requireChoice(item.parameter('access'), accessChoice);
		const access: WantedAccess = chosen === 'open' ? 'open' : 'close';
		const member = readPerson(item, 'Set Access');
		const names = [member.email, ...member.customerIds].filter((name) => name !== '');
		const [subject] = names;
		if (subject === undefined) throw nobodyNamed(item);
		const decide = decider(access, member, settingsOf(item));
		return {
			record: names,
			changes: { named: member },
			run: async (client, addHint, place) => {
				const event: PersonEvent<CurrentSubscriber[], AppliedDecision> = {
					named: member,
					subject: lookUp(subject),
					find: async () => {
						const found = await findPerson(client, member, access);
						return { found, names: found.map(namesOfSubscriber), areAll: true };
					},
					work: async (found) => {
						// With several records, nobody is created or closed, so `fresh` is the only record.
						const applied = await apply(client, decide(found), (fresh) => decide([fresh]));
						return await withKnowledge(client, applied);
					},
					outcome: outcomeOf,
				};
				const decision = await takeTurn(client, event, place);
				const others =
					access === 'close' ? await otherOpenFeeds(client, decision) : decision.others;
				const told = others.length === 0 ? decision : { ...decision, others };
				const output = accessOutput(access, told);
				if (output.attention !== null) addHint?.(textOf(output.attention));
				if (item.isTool) delete output.feed_urls;
				return [output];
			},
		};
	},
};

/** How much the clocks of n8n and Supercast may differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** The membership system names this one person, so most of Sync's protective rules do not apply. */
function settingsOf(item: ItemParameters): RuleSettings {
	return {
		addCustomerIds: true,
		close: 'all',
		closeWithPlan: isOn(item.collection('options').closeWithPlan, 'Close With Plan'),
		customerIdPrefix: [],
		neverClose: new Set(),
		// Someone who has changed since an earlier execution may have paid again.
		newAfter: item.firstTriedAt === undefined ? undefined : item.firstTriedAt - CLOCKS_DIFFER_MS,
		reactivate: true,
		replaceCustomerId: true,
	};
}

/** Decides about a person, given the records that may be theirs. */
function decider(
	access: WantedAccess,
	member: DesiredMember,
	settings: RuleSettings,
): (subscribers: CurrentSubscriber[]) => AccessDecision {
	return (subscribers) => {
		const [person = { member, others: [] }] = match([member], subscribers);
		return access === 'open' ? decideOpen(person, settings) : decideClosed(person, settings);
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

const FIND: Record<WantedAccess, typeof findByEmail> = {
	close: findByEmail,
	// If the email exists with other capitals, Supercast refuses the create request. The node then
	// looks for the existing subscriber.
	open: async (client, email) => await findRecord(client, lookUp(email)),
};

/**
 * Supercast cannot look up customer IDs. So the node searches the list for the ID, unless the
 * subscriber with the email has it.
 */
async function findPerson(
	client: SupercastClient,
	member: DesiredMember,
	access: WantedAccess,
): Promise<CurrentSubscriber[]> {
	const { email } = member;
	const named = email === '' ? undefined : await FIND[access](client, email);
	if (named !== undefined) client.customerIds.findsEmails = true;
	const found = await withHolders(client, member, access, named);
	if (email === '' || found.some((one) => isSameName(one.email, email))) return found;
	const listed = await findListed(client, email, kind);
	return listed === undefined ? found : [currentSubscriber(listed), ...found];
}

/** Adds those who have the customer ID to the one who has the email. */
async function withHolders(
	client: SupercastClient,
	{ customerIds: [customerId] }: DesiredMember,
	access: WantedAccess,
	named: IDataObject | undefined,
): Promise<CurrentSubscriber[]> {
	const current = named === undefined ? [] : [currentSubscriber(named)];
	if (customerId === undefined || current[0]?.customerId === customerId) return current;
	const seen = current.map(({ fields }) => fields);
	// "There is nothing to do" must be true.
	const mustProve = access === 'close' && current.length === 0;
	const options = { seen, mustProve };
	for (const { name, record } of await findByCustomerId(client, customerId, kind, options)) {
		if (current.some((one) => nameOf(one) === name)) continue;
		const latest = record ?? (await findRecord(client, lookUp(name)));
		if (latest !== undefined) current.push(currentSubscriber(latest));
	}
	return current;
}

/** Adds what the output says about the subscriber, and how sure that is. */
async function withKnowledge(
	client: SupercastClient,
	applied: AppliedDecision,
): Promise<AppliedDecision> {
	return {
		...applied,
		shown: await shownAfter(client, applied),
		listAgeMs: client.customerIds.ageMs,
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
	const { customerIds: register } = client;
	if (action !== 'created' || register.hasReading) return false;
	if (register.findsEmails === undefined) {
		const find = { ...lookUp(textOf(shown.email)), mayBeHidden: true };
		const found = await findRecord(client, find).catch(() => shown);
		register.findsEmails = found !== undefined;
	}
	return !register.findsEmails;
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

function accessOutput(access: WantedAccess, decision: AppliedDecision): IDataObject {
	const { action, member = NOBODY, subscriber = NO_SUBSCRIBER, shown = {}, write } = decision;
	return {
		access,
		action,
		email: firstOf(write.email, subscriber.email, member.email),
		state: firstOf(STATE_AFTER[action], subscriber.state),
		previousState: action === 'created' ? null : firstOf(subscriber.state),
		uuid: firstOf(shown.uuid, subscriber.uuid),
		customer_id: firstOf(write.customer_id, subscriber.customerId),
		...adviceOn(access, decision, shown),
		changes: changesOf(decision),
		...feedsOf(action, shown),
	};
}

/** The private addresses of feeds that were just opened. */
function feedsOf(action: AccessAction, shown: IDataObject): IDataObject {
	const isOpened = action === 'created' || action === 'reopened';
	return isOpened ? { feed_urls: simplifySubscriber(shown).feed_urls } : {};
}

/** The state that Supercast has shown after feeds were closed or reopened. */
const STATE_AFTER: Partial<Record<AccessAction, string>> = {
	closed: 'deactivated',
	reopened: 'available',
};

/** The first text that is not empty. */
function firstOf(...values: unknown[]): string | null {
	return values.map(textOf).find((text) => text !== '') ?? null;
}
