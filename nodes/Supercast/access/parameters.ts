/** The parameters of Sync and Set Access, as the editor shows them. */

import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../operations/fields';
import {
	choice,
	choiceField,
	noticeField,
	numberField,
	switchField,
	textField,
} from '../operations/properties';
import type { OperationDescription } from '../operations/types';
import { subscriberFields } from '../subscriber/kind';

/** The default of Max Close (%). If the limit is higher, a run says so. */
export const USUAL_PERCENT = 5;

/** The other fields of a person, without those that have a parameter. */
const memberFields = additionalFields({
	...subscriberFields,
	others: subscriberFields.others.filter(({ name }) => name !== 'customerId'),
});

/** The option that decides whether a Supercast plan keeps a feed open. */
const closeWithPlan = switchField('closeWithPlan', 'Close Despite Plan', {
	description:
		'Whether to close and reopen feeds even if the subscriber has a Supercast plan. Supercast usually bills subscribers with a plan, and closing a feed may not stop their payments.',
});

const typeOptions = { minValue: 0 };

const access = choiceField('access', 'Access', {
	default: 'open',
	description:
		'The access that your membership system gives this person. Use an expression that returns open, keep or close. Any other value changes nothing for this person.',
	options: [
		choice('close', 'Close', 'The membership has ended: close the private feeds'),
		choice(
			'keep',
			'Keep',
			'Leave open feeds open and closed feeds closed, and create no subscriber',
		),
		choice(
			'open',
			'Open',
			'The person pays: create the subscriber, or open their private feeds again',
		),
	],
});

const status = textField('status', 'Status', {
	example: 'past_due',
	description:
		'The status of the membership, exactly as your membership system names it. The status has no effect. Sync shows it, so that you see why a feed opens or closes.',
});

const syncProperties: INodeProperties[] = [
	noticeField(
		'All input items together are the list of members. Sync opens the feeds of these members, and can close feeds of subscribers who are missing from the list. Begin with a dry run, and read its output.',
		'whatSyncDoesNotice',
	),
	noticeField(
		"If the node before Sync returns no items, n8n does not run Sync, and you get no message. Turn on 'Always Output Data' in that node's settings, except in the workflows of this package.",
		'emptyListNotice',
	),
	switchField('dryRun', 'Dry Run', {
		default: true,
		description:
			'Whether to only show what Sync would change. Sync changes nothing in Supercast until you turn this off.',
	}),
	{
		...subscriberFields.main,
		required: true,
		default: '={{ $json.email }}',
		description:
			'The email address of the member. All input items together form the list. If the item has a customer ID, the email may be empty.',
	},
	textField('customerId', 'Customer ID', {
		example: 'cus_9s6XKzkNRiz8i3',
		description:
			'The ID of the member in your membership system. With it, Sync recognizes a member whose email has changed. By default, Sync closes only feeds of subscribers with an ID. See the option Add Customer IDs.',
	}),
	access,
	status,
	memberFields,
	choiceField('close', 'Close Feeds of', {
		default: 'withCustomerId',
		description: 'Whose feeds Sync may close. Missing subscribers are not on the list of members.',
		options: [
			choice(
				'withCustomerId',
				'Missing Subscribers With a Customer ID',
				'Only people who have a customer ID in Supercast, and are not on the list',
			),
			choice(
				'all',
				'All Missing Subscribers',
				'Also people without a customer ID, for example people whom you added by hand',
			),
			choice('none', 'Nobody', 'Open feeds and update subscribers, but close no feeds'),
		],
	}),
	numberField('maxClosePercent', 'Max Close (%)', {
		default: USUAL_PERCENT,
		typeOptions: { minValue: 0, maxValue: 100 },
		description:
			"If more than this percentage of the people whose feeds Sync may close are newly missing, Sync changes nothing. It may always close one feed, unless this limit or 'Max Close (Feeds)' is 0.",
	}),
];

const syncOptions: INodeProperties[] = [
	switchField('addCustomerIds', 'Add Customer IDs', {
		default: true,
		description:
			'Whether to add the customer ID from the list to subscribers without an ID. By default, Sync closes no feed of a subscriber without an ID. People whom Supercast bills get no ID.',
	}),
	numberField('closeAfter', 'Close After (Lists)', {
		default: 2,
		typeOptions: { minValue: 1 },
		description:
			'Sync closes the feeds of subscribers who are missing from this many lists in a row. The lists must be at least one minute apart. With 1, Sync closes feeds immediately.',
	}),
	closeWithPlan,
	textField('customerIdPrefix', 'Customer ID Prefix', {
		example: 'patreon-',
		description:
			'The prefix of all customer IDs on the list. Sync closes no feeds of subscribers with another prefix. Separate several prefixes with commas.',
	}),
	numberField('recordsExpected', 'Expected Number of Records', {
		typeOptions,
		description:
			'How many records the complete list should have, as your membership system reports it. If the list has fewer different records, Sync opens feeds, but closes no feeds. Use an expression, together with Record ID.',
	}),
	numberField('graceHours', 'Grace Hours', {
		default: 24,
		typeOptions,
		description:
			'For how many hours Sync does not close the feed of a new or changed subscriber. The person may have joined after the list was created.',
	}),
	numberField('maxClose', 'Max Close (Feeds)', {
		default: 10,
		typeOptions,
		description:
			"If more subscribers than this number are newly missing, Sync changes nothing. This limit applies in addition to 'Max Close (%)'. Without this option, only 'Max Close (%)' applies.",
	}),
	numberField('maxOpen', 'Max Open (Feeds)', {
		default: 100,
		typeOptions,
		description:
			'If one run would create or reopen more subscribers than this, Sync changes nothing. Without this option, the first run has no limit. Later, the limit is 250, or a quarter of the members on the previous list.',
	}),
	textField('neverClose', 'Never Close', {
		example: 'host@example.com, @example.org',
		description:
			'Email addresses and domains of people whose feeds Sync never closes, separated by commas',
	}),
	choiceField('output', 'Output', {
		default: 'changes',
		description: 'Which items to return',
		options: [
			choice('all', 'All', 'One item for each person, including members who do not change'),
			choice(
				'changes',
				'Changes',
				'One item for each change, each feed that closes soon, and each conflict',
			),
			choice(
				'changesAndSummary',
				'Changes and Summary',
				'The items of Changes, and then the item of Summary',
			),
			choice('summary', 'Summary', 'One item with the counts, and a title and text for an email'),
		],
	}),
	switchField('reactivate', 'Reactivate', {
		default: true,
		description:
			'Whether to reopen the feeds of deactivated subscribers who are on the list. Suspended feeds stay closed.',
	}),
	textField('recordId', 'Record ID', {
		example: 'sub_1234',
		description:
			"The ID of this item's record in your membership system. Use an expression. If a record comes twice, the list has probably changed while the workflow read it. Then Sync opens feeds, but closes no feeds.",
	}),
	numberField('recordsRead', 'Records Read (Deprecated)', {
		typeOptions,
		description:
			'The number of records that the workflow has read, without duplicates. Use Record ID instead. With Record ID, this option has no effect.',
	}),
	textField('wrongList', 'Wrong List', {
		example: '2026-01-31 09:00 UTC',
		description:
			'The time of an earlier, wrong list that made Sync open feeds. Copy the time from the message of Sync. Then the limits for closing do not count the feeds that this list opened.',
	}),
];

/** Makes the subscribers match the list of members in the input items. */
export const sync = {
	name: 'Sync',
	action: 'Sync subscribers with list of members',
	description:
		"Match subscribers to a list. Dry Run is on by default. Sync opens members' feeds, and can close other feeds.",
	properties: syncProperties,
	options: syncOptions,
} satisfies OperationDescription;

const setAccessProperties: INodeProperties[] = [
	access,
	{
		...subscriberFields.main,
		description: 'The email of the person in your membership system',
		hint: 'Enter an email, a customer ID or both. Both are best, because emails change.',
	},
	textField('customerId', 'Customer ID', {
		example: 'cus_9s6XKzkNRiz8i3',
		description:
			"The person's ID in your membership system. To find a person by ID, the node reads the complete list of subscribers, usually once every few minutes.",
	}),
	status,
	memberFields,
];

/** Gives or ends one person's access. */
export const setAccessDescription: OperationDescription = {
	name: 'Set Access',
	action: 'Set access of subscriber',
	description:
		"Give or end one person's access immediately when your membership system reports a change",
	properties: setAccessProperties,
	options: [closeWithPlan],
};
