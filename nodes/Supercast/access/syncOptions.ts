import type { INodeProperties } from 'n8n-workflow';

import { fieldCollection } from '../operations/fields';
import type { OperationDescription } from '../operations/types';
import {
	emailProperty,
	subscriberExample,
	subscriberFields,
} from '../subscriber/kind';
import { USUAL_PERCENT } from './syncPlan';

/** The other fields of a person, without those that have a parameter. */
export const personFields = fieldCollection(
	'Additional Fields',
	'additionalFields',
	subscriberFields.filter(({ name }) => name !== 'customerId'),
	{ example: subscriberExample },
);

/** Whether Supercast's own billing protects a feed. */
export const closeWithPlan: INodeProperties = {
	displayName: 'Close With Plan',
	name: 'closeWithPlan',
	type: 'boolean',
	default: false,
	description:
		'Whether to also close the feeds of subscribers who have a Supercast plan. Supercast bills them, and closing a feed may not stop their payments.',
};

/** The parameters, with the safety settings first. */
const properties: INodeProperties[] = [
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description:
			'Whether to only show what would change. Sync changes nothing in Supercast until you turn this off.',
	},
	{
		...emailProperty,
		default: '={{ $json.email }}',
		description:
			'The email address of the member. All input items together form the list of members. With a customer ID, it may be empty.',
	},
	{
		displayName: 'Customer ID',
		name: 'customerId',
		type: 'string',
		placeholder: 'e.g. cus_1234',
		default: '',
		description:
			'The ID of the member in your own system. Sync uses it to recognize a member whose email has changed. It stores the ID only when it creates a subscriber or reopens their feeds.',
	},
	personFields,
	{
		displayName: 'Close',
		name: 'close',
		type: 'options',
		default: 'withCustomerId',
		description: 'Which subscribers may have their feeds closed if they are not on the list',
		options: [
			{
				name: 'Subscribers With a Customer ID',
				value: 'withCustomerId',
				description: 'Only people who were added from outside Supercast',
			},
			{
				name: 'All Subscribers',
				value: 'all',
				description:
					'Includes people without a customer ID, for example people whom you added by hand',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Open feeds and update subscribers, but close no feeds',
			},
		],
	},
	{
		displayName: 'Max Close (%)',
		name: 'maxClosePercent',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: USUAL_PERCENT,
		description:
			'The most feeds to close in one run, as a percentage of the open feeds that Sync may close. If more feeds would close, Sync stops and changes nothing. One feed is always allowed, unless this is 0.',
	},
];

const options: INodeProperties[] = [
	closeWithPlan,
	{
		displayName: 'Customer ID Prefix',
		name: 'customerIdPrefix',
		type: 'string',
		placeholder: 'e.g. patreon_',
		default: '',
		description:
			'Close only the feeds of subscribers whose customer ID begins with this text. Every customer ID on the list must begin with it. If several Syncs share a channel, use a different prefix for each source of members.',
	},
	{
		displayName: 'Grace Hours',
		name: 'graceHours',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 24,
		description:
			'How many hours to keep the feeds of new or changed subscribers open, even if they are not listed. They may have joined after the list was created.',
	},
	{
		displayName: 'Max Close',
		name: 'maxClose',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		description:
			'Maximum number of feeds to close in one run. If more feeds would close, Sync changes nothing. Without this option, there is no such limit.',
	},
	{
		displayName: 'Max Open',
		name: 'maxOpen',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 100,
		description:
			'Maximum number of subscribers to create or reopen in one run. If there are more, Sync changes nothing. Without this option, there is no such limit.',
	},
	{
		displayName: 'Never Close',
		name: 'neverClose',
		type: 'string',
		placeholder: 'e.g. host@example.com, @example.org',
		default: '',
		description:
			'Email addresses and domains of people whose feeds Sync never closes, separated by commas',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'changes',
		description: 'Which items to return',
		options: [
			{
				name: 'All',
				value: 'all',
				description: 'One item for each person, including those who do not change',
			},
			{
				name: 'Changes',
				value: 'changes',
				description: 'One item for each change and each conflict',
			},
			{
				name: 'Changes and Summary',
				value: 'changesAndSummary',
				description: 'The items of Changes, and then the item of Summary',
			},
			{
				name: 'Summary',
				value: 'summary',
				description: 'One item with the counts, for a message or a report',
			},
		],
	},
	{
		displayName: 'Reactivate',
		name: 'reactivate',
		type: 'boolean',
		default: true,
		description:
			'Whether to reopen the feeds of deactivated subscribers who are on the list. Suspended feeds stay closed.',
	},
];

/** Makes the subscribers match the list of members in the input items. */
export const sync: OperationDescription = {
	name: 'Sync',
	action: 'Sync subscribers with a list of members',
	description:
		'Match subscribers to a list. Dry Run is on by default. Sync opens feeds for the members on the list, and closes the feeds of those who left.',
	properties,
	options,
};
