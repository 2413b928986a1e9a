import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { EXPRESSION_HINT } from '../api/identity';
import { textOf } from '../api/json';
import { findRecord } from '../api/records';
import { choice, choiceField, textField } from '../operations/properties';
import type { ItemParameters, Operation } from '../operations/types';
import { hasNoResult, isOn, requireChoice } from '../operations/validation';
import { findByCustomerId, nameOf } from '../subscriber/customerId';
import { simplifySubscriber, subscriberFields, subscribers as kind } from '../subscriber/kind';
import { lookUp } from '../subscriber/requests';
import { apply } from './apply';
import { identify, knownSubscriber, type Known, type Member } from './people';
import { changesOf, decideClosed, decideOpen, fill, type AccessDecision } from './rules';
import { closeWithPlan, otherFields, readPerson } from './settings';

type Access = 'close' | 'open';

const accessChoice = choiceField('access', 'Access', {
	default: 'open',
	description: 'Whether this person has access, according to your membership system',
	options: [
		choice('close', 'Close', 'The person has canceled: close their private feeds'),
		choice(
			'open',
			'Open',
			'The person pays: create the subscriber, or open their private feeds again',
		),
	],
});

const properties: INodeProperties[] = [
	accessChoice,
	{
		...subscriberFields.main,
		description: 'The email of the person in your membership system',
		hint: 'Enter an email, a customer ID or both. Both are best, because emails change.',
	},
	textField('customerId', 'Customer ID', {
		example: 'cus_9s6XKzkNRiz8i3',
		description:
			"The person's ID in your membership system. To find a person by ID, the node reads the whole list of subscribers, but at most every few minutes.",
	}),
	otherFields,
];

export const setAccess: Operation = {
	name: 'Set Access',
	action: 'Set access of subscriber',
	description:
		"Give or end one person's access immediately when your membership system reports a change. Open creates the subscriber or reopens their feeds. Close closes their feeds.",
	properties,
	options: [closeWithPlan],
	prepare: (item) => {
		const access = requireChoice(item.parameter('access'), accessChoice);
		const member = readPerson(item, 'Set Access');
		const names = [member.email, ...member.customerIds].filter((name) => name !== '');
		if (names.length === 0) throw nobodyNamed(item);
		// The membership system has asked for this one person, so no other rule protects them.
		const settings = {
			addCustomerIds: true,
			close: 'all' as const,
			closeWithPlan: isOn(item.collection('options').closeWithPlan, 'Close With Plan'),
			customerIdPrefix: '',
			neverClose: new Set<string>(),
			reactivate: true,
			replaceCustomerId: true,
		};
		const decide = (subscribers: Known[]): AccessDecision => {
			const person = identify([member], subscribers)[0]!;
			return access === 'open' ? decideOpen(person, settings) : decideClosed(person, settings);
		};
		return {
			record: names,
			run: async (client, addHint) => {
				const output = await client.inTurn(lookUp(names[0]!), async () => {
					const found = await findPerson(client, member);
					// A person with several records is neither created nor closed, so nobody else counts.
					const decision = await apply(client, decide(found), (fresh) => decide([fresh]));
					return await outputOf(client, access as Access, decision);
				});
				if (output.attention !== null) addHint?.(textOf(output.attention));
				if (item.isTool) delete output.feed_urls;
				return [output];
			},
		};
	},
};

function nobodyNamed(item: ItemParameters): InputError {
	const wanted = [
		['email', 'Email'],
		['customerId', 'Customer ID'],
	] as const;
	const [, label] = wanted.find(([name]) => hasNoResult(item.parameter(name))) ?? [];
	if (label === undefined) {
		return new InputError(
			"'Email' and 'Customer ID' are both empty",
			`Fill in at least one of them. ${EXPRESSION_HINT}`,
		);
	}
	return new InputError(
		`The expression in '${label}' returned no value, so nobody is named`,
		`${EXPRESSION_HINT} n8n also returns no value if the expression itself is wrong.`,
	);
}

/**
 * Supercast looks up only emails. So the node looks for a customer ID in the list, unless the
 * subscriber with the email has it.
 */
async function findPerson(
	client: SupercastClient,
	{ email, customerIds: [customerId] }: Member,
): Promise<Known[]> {
	const named = email === '' ? undefined : await findRecord(client, lookUp(email));
	const known = named === undefined ? [] : [knownSubscriber(named)];
	if (customerId === undefined || known[0]?.customerId === customerId) return known;
	const seen = known.map(({ fields }) => fields);
	for (const { name, record } of await findByCustomerId(client, customerId, kind, seen)) {
		if (known.some((one) => nameOf(one) === name)) continue;
		const latest = record ?? (await findRecord(client, lookUp(name)));
		if (latest !== undefined) known.push(knownSubscriber(latest));
	}
	return known;
}

async function outputOf(
	client: SupercastClient,
	access: Access,
	decision: AccessDecision,
): Promise<IDataObject> {
	const { action, member, subscriber, write } = decision;
	const isOpened = action === 'created' || action === 'reopened';
	const email = textOf(write.email) || subscriber?.email || member?.email;
	// Supercast may respond without the record, and the response to the fields shows the old state.
	const needsRecord = action === 'reopened' || (action === 'created' && subscriber === undefined);
	const find = { ...lookUp(subscriber?.uuid || email!), mayBeHidden: true };
	const shown = needsRecord ? await findRecord(client, find) : subscriber?.fields;
	const state = action === 'closed' ? 'deactivated' : subscriber?.state;
	return {
		access,
		action,
		email: email || null,
		state: (isOpened ? 'available' : state) || null,
		previousState: action === 'created' ? null : subscriber?.state || null,
		uuid: textOf(shown?.uuid) || subscriber?.uuid || null,
		customer_id: textOf(write.customer_id) || subscriber?.customerId || null,
		...adviceOn(access, decision),
		changes: changesOf(decision),
		...(isOpened && { feed_urls: simplifySubscriber(shown ?? {}).feed_urls }),
	};
}

const TWO_PEOPLE =
	'Check these subscribers in Supercast. Correct the wrong email or customer ID there, and close any feed that is not needed.';
const CHECK = 'Check this subscriber in Supercast.';
const NOBODY =
	'but Supercast has no such subscriber. If this person listens under another email, deactivate that subscriber in Supercast. Otherwise, there is nothing to do.';

/** By reason or by state. The first sentence continues the sentence about the person. */
const ADVICE: Record<Access, Record<string, string | undefined>> = {
	open: {
		noEmail:
			'but Supercast has no subscriber with this customer ID. Pass on their email too, or add them in Supercast.',
		suspended:
			'but their feed is suspended. Find out why, for example a shared feed. Then activate it in Supercast.',
		charge_failure:
			'but their payment to Supercast failed. Supercast also bills this person. Check the payment in Supercast.',
		pending: `but they have not completed their checkout at Supercast. ${CHECK}`,
		state: `but Supercast shows the state "{state}". ${CHECK}`,
		planClosed:
			'but they have a plan at Supercast and their feed is closed. Check the plan in Supercast, and decide which membership continues. Then activate the feed there.',
		severalSubscribers: `but several subscribers have this email or customer ID. ${TWO_PEOPLE}`,
		otherEmail: `but another subscriber has the same customer ID: {other}. ${TWO_PEOPLE}`,
	},
	close: {
		noSubscriber: NOBODY,
		goneSince: NOBODY,
		plan: 'but they have a plan at Supercast, so their feed stays open. If the plan has ended too, deactivate this subscriber in Supercast.',
		otherId:
			'but this subscriber has the customer ID {customerId}, so their feed stays open. If no other membership pays for this feed, deactivate this subscriber in Supercast.',
		severalSubscribers: `but several subscribers have this email or customer ID, so their feeds stay open. ${TWO_PEOPLE}`,
		otherEmail: `but the email and the customer ID belong to two subscribers, {email} and {other}. ${TWO_PEOPLE}`,
		state:
			'and Supercast shows the state "{state}". Deactivate this subscriber in Supercast, so that the feed does not open again.',
	},
};

/** Why Set Access left someone alone, and what to do. Null in all ordinary cases. */
function adviceOn(access: Access, decision: AccessDecision) {
	const { action, member, subscriber, others } = decision;
	const second = access === 'open' && others.length > 0 ? 'otherEmail' : '';
	const reason = action === 'kept' ? decision.reason! : second;
	const texts = ADVICE[access];
	const advice = (reason === 'state' && texts[subscriber?.state ?? '']) || texts[reason];
	if (advice === undefined) return { reason: null, attention: null };
	const names = [member?.email || subscriber?.email, ...(member?.customerIds ?? [])];
	const who = names.filter(Boolean).join(', ');
	const start = access === 'open' ? `${who} should have access` : `The access of ${who} ends`;
	const [first, ...more] = advice.split(/(?<=\.) /);
	const what = `${start}, ${fill(first!, decision)}`;
	return { reason: what, attention: [what, ...more].join(' ') };
}
