/** The parameters of Sync and Set Access, as the editor shows them. */

import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../operations/fields';
import { choice, choiceField, numberField, switchField, textField } from '../operations/properties';
import type { OperationDescription } from '../operations/types';
import { subscriberFields } from '../subscriber/kind';
import { BY_STATUS } from './judge/judge';

/** The other fields of a person, without those that have a parameter. */
const memberFields = additionalFields({
	...subscriberFields,
	others: subscriberFields.others.filter(({ name }) => name !== 'customerId'),
});

const access = choiceField('access', 'Access', {
	default: 'open',
	description:
		'The access that this record gives. An expression may return open, keep, close or byStatus. Any other value changes nothing for this person, and the report names them.',
	options: [
		choice(BY_STATUS, 'By Status', 'The lists of words below say what each status means'),
		choice('close', 'Close', 'The record gives no access'),
		choice('keep', 'Keep', 'Leave the feed as it is, open or closed'),
		choice('open', 'Open', 'The person pays: open the feed'),
	],
});

const status = textField('status', 'Status', {
	example: '{{ $json.status }}',
	description:
		'The status of the record, in the word of your membership system. Drag the field here from the input.',
});

/** A text with words, shown if Access is By Status. */
function statusWords(
	name: string,
	displayName: string,
	{ example, rows, what }: { example: string; rows: number; what: string },
): INodeProperties {
	return textField(name, displayName, {
		example,
		typeOptions: { rows },
		displayOptions: { show: { access: [BY_STATUS] } },
		description: `The statuses ${what}, one a line or separated by commas. Capital letters do not matter. Use (empty) for no status, and (other) for every status in no list.`,
	});
}

const wordFields = [
	statusWords('openFor', 'Open For', { example: 'active, trialing', rows: 2, what: 'that pay' }),
	statusWords('keepFor', 'Keep For', {
		example: 'on-hold',
		rows: 2,
		what: 'for which the feed stays as it is',
	}),
	statusWords('closeFor', 'Close For', {
		example: 'canceled, unpaid',
		rows: 7,
		what: 'that give no access',
	}),
];

const customerId = textField('customerId', 'Customer ID', {
	example: 'cus_9s6XKzkNRiz8i3',
	description:
		'The ID of the person or subscription in your membership system. With it, the node recognizes a person whose email has changed.',
});

const accessUntil = textField('accessUntil', 'Access Until', {
	example: '2026-01-31',
	description:
		'The last day on which this record gives access, in the form 2026-01-31, or a time. A day lasts to its end in the time zone of the workflow. Empty means without an end.',
});

const closeWithPlan = switchField('closeWithPlan', 'Close Despite Plan', {
	description:
		'Whether to open, close and change feeds even if the subscriber has a plan at Supercast. Supercast bills people with a plan (inferred), and closing a feed may not stop their payments.',
});

const productOptions = [
	textField('otherProducts', 'Other Products', {
		example: 'Mug, T-Shirt',
		typeOptions: { rows: 2 },
		description:
			'The products that give no access, by name or ID, one a line or separated by commas. Use (empty) for no product, and (other) for every product in no list.',
	}),
	textField('product', 'Product', {
		example: '{{ $json.plan.product }}',
		description:
			'The product of this record: its ID or name, an object with id and name, or a list of these',
	}),
	textField('productNames', 'Product Names', {
		example: "{{ $('Products').all().map((one) => one.json) }}",
		description:
			'The names of products, as objects with id and name. Then you can use names instead of IDs. If you list products, one without a name here changes nothing, unless you list its ID. The node reads this expression once.',
	}),
	textField('products', 'Products That Count', {
		example: 'Private Podcast',
		typeOptions: { rows: 2 },
		description:
			'The products that give access, by name or ID, one a line or separated by commas. If this is set, any other product changes nothing until you enter it here or in Other Products.',
	}),
];

const customerIdPrefix = textField('customerIdPrefix', 'Customer ID Prefix', {
	example: 'cus_',
	description:
		'What all customer IDs on the list begin with, such as cus_ or patreon-. Sync closes no feeds of subscribers whose ID begins differently. Separate several prefixes with commas.',
});

const CLOSE_CHOICES = [
	choice('prefix', 'Customer IDs That Begin With …', 'Members of this system only, by the prefix'),
	choice(
		'withCustomerId',
		'Everyone With a Customer ID',
		'Only if nothing else, no event either, opens feeds in this channel',
	),
	choice('all', 'Everyone', 'Also people without a customer ID, such as those added by hand'),
	choice('none', 'Nobody', 'Open feeds, but close no feeds'),
];

const syncProperties: INodeProperties[] = [
	switchField('dryRun', 'Dry Run', {
		default: true,
		description:
			'Whether to only show what Sync would change. Sync changes nothing in Supercast until you turn this off.',
	}),
	access,
	status,
	...wordFields,
	{
		...subscriberFields.main,
		required: true,
		default: '={{ $json.email }}',
		description:
			'The email address of the member. All input items together are the list of members. If the item has a customer ID, the email may be empty.',
	},
	customerId,
	memberFields,
	choiceField('close', 'Close Feeds of', {
		default: 'prefix',
		description: 'Whose feeds Sync may close when two lists in a row do not have the person',
		options: CLOSE_CHOICES,
	}),
	// Not required for n8n, so that the error can say what the customer IDs on the list begin with.
	customerIdPrefix,
	numberField('maxClosePercent', 'Max Close (%)', {
		default: 10,
		typeOptions: { minValue: 0, maxValue: 100 },
		description:
			'The share of the feeds that Sync may close within 24 hours. It may always close 5 feeds, unless this is 0. Over the limit, no feed closes, and the run fails.',
	}),
];

const syncOptions: INodeProperties[] = [
	accessUntil,
	textField('allowOnce', 'Allow Once', {
		example: 'close 160 until 2026-01-31 21:00 UTC',
		description:
			'The text at the end of a message of Sync. It allows so many feeds beside the limit, once, until that time. You can leave it here, because it then means nothing any more.',
	}),
	numberField('closeAfter', 'Close After (Lists)', {
		default: 2,
		typeOptions: { minValue: 1 },
		description:
			'A feed closes when this many complete lists in a row do not have the person. The lists must be at least a minute apart. With 1, Sync closes feeds immediately.',
	}),
	closeWithPlan,
	numberField('recordsExpected', 'Expected Number of Records', {
		typeOptions: { minValue: 0 },
		description:
			'How many records the complete list should have, as your membership system reports it. If the list has fewer, Sync opens feeds, but closes no feeds. Use an expression, together with Record ID.',
	}),
	numberField('maxOpenPercent', 'Max Open (%)', {
		default: 25,
		typeOptions: { minValue: 0 },
		description:
			"If one list would open more feeds than this share of the open feeds, Sync changes nothing. It may always open 50 feeds, unless this is 0. A run by hand has no limit while none of Sync's own feeds is open.",
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
			choice(
				'changes',
				'Changes and Summary',
				'One item for each change and each person to look at, and then the summary',
			),
			choice('summary', 'Summary', 'One item with the numbers, and a title and text for an email'),
		],
	}),
	...productOptions,
	textField('recordId', 'Record ID', {
		example: '{{ $json.id }}',
		description:
			"The ID of this item's record in your membership system. If one is empty or comes twice, the list is incomplete. Then Sync opens feeds, but closes no feeds.",
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
	status,
	...wordFields,
	{
		...subscriberFields.main,
		description: 'The email of the person in your membership system',
		hint: 'Enter an email, a customer ID or both. Both are best, because emails change.',
	},
	{
		...customerId,
		description:
			'The ID of the subscription in your membership system, or of the person. With the ID of the subscription, the end of another one closes no feed. To find a person by ID, the node reads the complete list of subscribers, usually once every few minutes.',
	},
	memberFields,
];

/** Gives or ends one person's access. */
export const setAccessDescription = {
	name: 'Set Access',
	action: 'Set access of subscriber',
	description:
		"Give or end one person's access immediately when your membership system reports a change",
	properties: setAccessProperties,
	options: [
		accessUntil,
		closeWithPlan,
		customerIdPrefix,
		switchField('onlyOpen', 'Only Open', {
			description:
				'Whether a record that gives no access changes nothing. Use it where the workflow sees only some records of a person, such as new ones.',
		}),
		...productOptions,
	],
} satisfies OperationDescription;
