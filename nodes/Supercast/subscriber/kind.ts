import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { identifierKey } from '../api/identity';
import { asRecord, textOf } from '../api/json';
import { isState, shownState, subscriptionNotOpen } from '../api/states';
import { recordKind, typedMode } from '../operations/kinds';
import { sinceFilter, type ListFilter } from '../operations/filters';
import {
	choiceField,
	choices,
	multiChoiceField,
	personFields,
	switchField,
	textField,
} from '../operations/properties';
import { isOpenState, stateRow, STATES } from './states';
import { isTimeZone, listTimeZones } from './timeZones';
import { customerIdentifier } from './customerId';
import { proveMissing } from './listing';

export const subscribers = recordKind('Subscriber', {
	isPerson: true,
	hasAccess: true,
	simplify: simplifySubscriber,
	isComplete: showsAccess,
	warnOfNew: warnOfClosed,
	proveMissing,
	locatorText:
		'The subscriber to work with. Choose from the list, or enter an email, UUID or customer ID.',
	mode: {
		property: typedMode('customerId', 'By Customer ID', 'customer ID', 'cus_9s6XKzkNRiz8i3', {
			hint: 'The ID in your membership system. To find the person, the node reads the complete list, usually once every few minutes.',
		}),
		identify: customerIdentifier,
	},
});

const { email, firstName, lastName } = personFields(subscribers.singular);

/** The time zones that the editor offers. They come from the server's Node.js (IANA database). */
const zones = listTimeZones();

/** Field names: Supercast API reference, the subscriber object. */
export const subscriberFields = {
	main: email,
	others: [
		textField('customerId', 'Customer ID', {
			example: 'cus_9s6XKzkNRiz8i3',
			description:
				"The person's ID in your membership system. You can use it to find this subscriber later, even if their email has changed.",
		}),
		firstName,
		switchField('ignoreUsageAlerts', 'Ignore Usage Alerts', {
			description: 'Whether to turn off usage alerts for this subscriber',
		}),
		lastName,
		choiceField('timeZone', 'Time Zone', {
			default: 'America/New_York',
			description: 'The time zone of the subscriber (only on "All in" plans of Supercast)',
			options: zones.map((value) => ({ name: value.replaceAll('_', ' '), value })),
		}),
	],
	wireNames: {
		email: 'email',
		customerId: 'customer_id',
		firstName: 'first_name',
		ignoreUsageAlerts: 'ignore_usage_alerts',
		lastName: 'last_name',
		timeZone: 'time_zone',
	},
	example: '{ "plan_id": 42 }',
	convert: { time_zone: readTimeZone },
	deciding: ['email', 'customer_id', 'plan_id', 'state', 'uuid'],
};

/** Reads a time zone. Supercast's names are not documented. Throws InputError. */
function readTimeZone(typed: unknown): string {
	const zone = textOf(typed).trim();
	if (isTimeZone(zone)) return zone;
	throw new InputError(
		`'Time Zone' is not a time zone: "${zone}"`,
		'Choose one from the list, or enter a name such as Europe/Berlin.',
	);
}

/**
 * Keeps the ten fields that an automation needs. A record without subscriptions has the deprecated
 * list `feed_url` (Supercast API reference, the subscriber object).
 */
export function simplifySubscriber(record: IDataObject): IDataObject & { feed_urls: string[] } {
	const { subscriptions, feed_url: older } = record;
	const urls = [subscriptions].flat().map((one: unknown) => asRecord(one).feed_url);
	const shown = urls.filter((url) => typeof url === 'string');
	return {
		email: record.email,
		state: record.state,
		uuid: record.uuid,
		first_name: record.first_name,
		last_name: record.last_name,
		customer_id: record.customer_id,
		plan_name: record.plan_name,
		feed_urls: shown.length > 0 ? shown : [older].flat().filter((url) => typeof url === 'string'),
		created_at: record.created_at,
		updated_at: record.updated_at,
	};
}

/** Whether a record shows if its feeds are open, and their addresses if they are. */
export function showsAccess(record: IDataObject): boolean {
	const state = textOf(record.state);
	return state !== '' && (!isOpenState(state) || hasFeedAddress(record));
}

function hasFeedAddress(record: IDataObject): boolean {
	return simplifySubscriber(record).feed_urls.length > 0;
}

/** A warning about someone who should have access. Undefined if a feed is open. */
export function warnOfClosed(record: IDataObject): string | undefined {
	const state = shownState(record.state);
	if (isOpenState(state)) {
		return hasFeedAddress(record)
			? warnOfPartlyClosed(subscriptionNotOpen(record))
			: 'Supercast shows no feed address for this subscriber. Get the subscriber again later.';
	}
	const shown = state === '' ? 'no state' : `the state "${state}", which the node does not know`;
	return (
		stateRow(state)?.closed ??
		`Supercast shows ${shown}, so the feeds may be closed. Check this subscriber in Supercast.`
	);
}

/** A warning if one of several feeds is not open. */
export function warnOfPartlyClosed(state: string | undefined): string | undefined {
	return state === undefined
		? undefined
		: `${closedFeedText(state)}. Check this subscriber in Supercast.`;
}

/** Says in which state one of several feeds is. */
export function closedFeedText(state: string): string {
	const known = stateRow(state) === undefined ? ', which the node does not know' : '';
	return `Supercast shows a feed of this subscriber in the state "${state}"${known}`;
}

/** The states to choose from. */
export const STATE_CHOICES = choices(
	Object.fromEntries(Object.entries(STATES).map(([state, { text }]) => [state, text])),
);

/** Builds a filter such as Email Contains from `Email`. Ignores case. */
function containsFilter(
	label: string,
	what: string,
	example: string,
	...fields: string[]
): ListFilter {
	return {
		property: textField(`${label.toLowerCase()}Contains`, `${label} Contains`, {
			example,
			description: `Return only subscribers whose ${what} contains this text`,
		}),
		matches: (record, wanted) => {
			const text = fields.map((field) => textOf(record[field])).join(' ');
			return identifierKey(text).includes(identifierKey(wanted));
		},
	};
}

export const subscriberFilters: ListFilter[] = [
	sinceFilter('Created', 'subscribers created'),
	{
		field: 'customer_id',
		property: textField('customerId', 'Customer ID', {
			example: 'cus_9s6XKzkNRiz8i3',
			description:
				'Return only subscribers with this customer ID, which comes from your membership system',
		}),
	},
	containsFilter('Email', 'email', '@example.com', 'email'),
	containsFilter('Name', 'full name', 'Smith', 'first_name', 'last_name'),
	{
		field: 'plan_id',
		property: textField('planId', 'Plan ID', {
			example: '42',
			description: 'Return only subscribers on the Supercast plan with this ID',
		}),
	},
	{
		matches: ({ state }, wanted) => isState(state, wanted),
		property: multiChoiceField('state', 'State', {
			description:
				'Return only subscribers in one of these states. If you choose none, it returns all.',
			options: STATE_CHOICES,
		}),
	},
	sinceFilter('Updated', 'subscribers changed'),
];
