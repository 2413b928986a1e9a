import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { EXPRESSION_HINT } from '../api/identity';
import { textOf } from '../api/json';
import { findRecord } from '../api/records';
import { choice, choiceField, textField } from '../operations/properties';
import type { Operation } from '../operations/types';
import { isOn, requireChoice } from '../operations/validation';
import { findByCustomerId, noteCustomerId } from '../subscriber/customerId';
import { lookUp } from '../subscriber/requests';
import { simplifySubscriber, subscriberFields, subscribers as kind } from '../subscriber/kind';
import { carryOut, nameOf, type Carried } from './carryOut';
import { readPerson } from './members';
import { identify, knownSubscriber, type Known, type Member } from './people';
import { decideClosed, decideOpen, type AccessDecision, type RuleSettings } from './rules';
import { closeWithPlan, otherFields } from './settings';
import { adviceOn, changesOf } from './wording';

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
			"The person's ID in your membership system. To find a person by ID, the node reads the whole list of subscribers once for all items.",
	}),
	otherFields,
];

/** Gives one person the access that a membership system reports. */
export const setAccess: Operation = {
	name: 'Set Access',
	action: 'Set access of subscriber',
	description:
		"Give or end one person's access immediately, as your membership system reports it. Open creates the subscriber or reopens their feeds. Close closes their feeds.",
	properties,
	options: [closeWithPlan],
	prepare: (item) => {
		const access = requireChoice(item.parameter('access'), accessChoice);
		const member = readPerson(item, 'Set Access');
		const names = [member.email, ...member.customerIds].filter((name) => name !== '');
		if (names.length === 0) {
			throw new InputError(
				"'Email' and 'Customer ID' are both empty",
				`Fill in at least one of them. ${EXPRESSION_HINT}`,
			);
		}
		const wanted: Wanted = {
			access: access as Wanted['access'],
			member,
			settings: {
				...SETTINGS,
				closeWithPlan: isOn(item.collection('options').closeWithPlan, 'Close With Plan'),
			},
			isTool: item.isTool === true,
		};
		return {
			record: names,
			run: async (client, addHint) => {
				const find = lookUp(names[0]!);
				const output = await client.inTurn(find, async () => await run(client, wanted));
				if (output.attention !== null) addHint?.(textOf(output.attention));
				return [output];
			},
		};
	},
};

/** The membership system has asked for this one person, so no other rule protects them. */
const SETTINGS: Omit<RuleSettings, 'closeWithPlan'> = {
	close: 'all',
	customerIdPrefix: '',
	graceHours: 0,
	neverClose: new Set(),
	reactivate: true,
	replaceCustomerId: true,
};

interface Wanted {
	access: 'close' | 'open';
	member: Member;
	settings: RuleSettings;
	isTool: boolean;
}

async function run(client: SupercastClient, wanted: Wanted): Promise<IDataObject> {
	const { access, member, settings } = wanted;
	const found = await findPerson(client, member);
	const decideOn = (subscribers: Known[]): AccessDecision => {
		const [person] = identify([member], subscribers);
		return access === 'open'
			? decideOpen(person!, settings)[0]!
			: decideClosed(person!, settings, 0);
	};
	const decide = (fresh: Known): AccessDecision =>
		decideOn([fresh, ...found.filter((one) => nameOf(one) !== nameOf(fresh))]);
	const carrying = { client, known: knownSubscriber, decide };
	const carried = await carryOut(decideOn(found), carrying);
	const { subscriber } = carried.decision;
	for (const id of subscriber === undefined ? [] : member.customerIds) {
		noteCustomerId(client, id, subscriber!);
	}
	return await outputOf(client, carried, wanted);
}

/**
 * Finds the subscribers with the person's email or customer ID. Supercast looks up emails only, so
 * a customer ID is looked up in the list, unless the subscriber with the email has it.
 */
async function findPerson(
	client: SupercastClient,
	{ email, customerIds: [customerId] }: Member,
): Promise<Known[]> {
	const named = email === '' ? undefined : await findRecord(client, lookUp(email));
	const known = named === undefined ? [] : [knownSubscriber(named)];
	if (customerId === undefined || known[0]?.customerId === customerId) return known;
	const paths = await findByCustomerId(client, customerId, kind);
	const others = paths.filter((path) => known[0] === undefined || path !== nameOf(known[0]));
	for (const path of others) {
		const record = await findRecord(client, lookUp(path));
		if (record !== undefined) known.push(knownSubscriber(record));
	}
	return known.filter((one, index) => index === 0 || one.customerId === customerId);
}

async function outputOf(
	client: SupercastClient,
	{ decision, record }: Carried,
	{ access, member, isTool }: Wanted,
): Promise<IDataObject> {
	const { action, subscriber, write } = decision;
	const isOpened = action === 'created' || action === 'reopened';
	const email = textOf(write.email) || subscriber?.email || member.email;
	// Supercast may respond without the record, and the response to the fields shows the old state.
	const needsRecord = action === 'reopened' || (action === 'created' && record === undefined);
	const find = { ...lookUp(subscriber?.uuid || email), mayBeHidden: true };
	const shown = needsRecord ? await findRecord(client, find) : record;
	const state = action === 'closed' ? 'deactivated' : subscriber?.state;
	const advice = adviceOn(access, decision);
	const output: IDataObject = {
		access,
		action,
		email: email || null,
		state: (isOpened ? 'available' : state) || null,
		previousState: action === 'created' ? null : subscriber?.state || null,
		uuid: textOf(shown?.uuid) || subscriber?.uuid || null,
		customer_id: textOf(write.customer_id) || subscriber?.customerId || null,
		reason: advice[0] ?? null,
		attention: advice.join(' ') || null,
		changes: changesOf(decision),
	};
	if (isOpened && !isTool) output.feed_urls = simplifySubscriber(shown ?? {}).feed_urls;
	return output;
}
