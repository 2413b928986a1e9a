import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import { textOf } from '../api/json';
import { additionalFields, readFields } from '../operations/fields';
import { choice, choiceField, numberField, switchField, textField } from '../operations/properties';
import { isBlank, isEmail, requireEmail, requireId } from '../operations/texts';
import type { ItemParameters, OperationDescription } from '../operations/types';
import { isOn, requireChoice, requireNumber } from '../operations/validation';
import { subscriberFields } from '../subscriber/kind';
import type { DesiredMember } from './match';
import type { RuleSettings } from './rules';

/** The default of Max Close (%). If the limit is higher, a run says so. */
export const USUAL_PERCENT = 5;

/** The other fields of a person, without those that have a parameter. */
export const otherFields = additionalFields({
	...subscriberFields,
	others: subscriberFields.others.filter(({ name }) => name !== 'customerId'),
});

/** The option that decides whether a Supercast plan keeps a feed open. */
export const closeWithPlan = switchField('closeWithPlan', 'Close With Plan', {
	description:
		'Whether to also close and reopen the feeds of subscribers who have a Supercast plan. Supercast bills them, and closing a feed may not stop their payments.',
});

const typeOptions = { minValue: 0 };

const properties: INodeProperties[] = [
	switchField('dryRun', 'Dry Run', {
		default: true,
		description:
			'Whether to only show what would change. Sync changes nothing in Supercast until you turn this off.',
	}),
	{
		...subscriberFields.main,
		required: true,
		default: '={{ $json.email }}',
		description:
			'The email address of the member. All input items together form the list of members. If the item has a customer ID, the email may be empty.',
	},
	textField('customerId', 'Customer ID', {
		example: 'cus_1234',
		description:
			'The ID of the member in your membership system. Sync uses it to recognize a member whose email has changed, and to close only the feeds of your members. See the option Add Customer IDs.',
	}),
	otherFields,
	choiceField('close', 'Close', {
		default: 'withCustomerId',
		description: "Which unlisted subscribers' feeds Sync may close",
		options: [
			choice(
				'withCustomerId',
				'Subscribers With a Customer ID',
				'Only people who were added from outside Supercast',
			),
			choice(
				'all',
				'All Subscribers',
				'Includes people without a customer ID, for example people whom you added by hand',
			),
			choice('none', 'None', 'Open feeds and update subscribers, but close no feeds'),
		],
	}),
	numberField('maxClosePercent', 'Max Close (%)', {
		default: USUAL_PERCENT,
		typeOptions: { minValue: 0, maxValue: 100 },
		description:
			'The most feeds to close in one run, as a percentage of the open feeds that Sync may close. If more subscribers are newly missing, Sync stops and changes nothing. It may always close one feed, unless a limit is 0.',
	}),
];

const options: INodeProperties[] = [
	switchField('addCustomerIds', 'Add Customer IDs', {
		default: true,
		description:
			'Whether to add the customer ID on the list to subscribers who have none. By default, Sync closes no feed of a subscriber without an ID. While a feed is open, Sync never replaces an ID. It adds none to people whom Supercast bills.',
	}),
	numberField('closeAfter', 'Close After', {
		default: 2,
		typeOptions: { minValue: 1 },
		description:
			'Sync closes the feeds of subscribers who are missing from this many lists in a row. The lists must be at least one minute apart. With 1, Sync closes feeds immediately.',
	}),
	closeWithPlan,
	textField('customerIdPrefix', 'Customer ID Prefix', {
		example: 'patreon_',
		description:
			'Close only the feeds of subscribers whose customer ID begins with this text. Every customer ID on the list must begin with it. For members of several systems, enter several prefixes, separated by commas. If several Syncs share a channel, use different prefixes.',
	}),
	numberField('graceHours', 'Grace Hours', {
		default: 24,
		typeOptions,
		description:
			'How many hours to keep the feeds of new or changed subscribers open, even if they are not listed. They may have joined after the list was created.',
	}),
	numberField('maxClose', 'Max Close', {
		default: 10,
		typeOptions,
		description:
			'Maximum number of feeds to close in one run. If more subscribers are newly missing, Sync changes nothing. Without this option, there is no such limit.',
	}),
	numberField('maxOpen', 'Max Open', {
		default: 100,
		typeOptions,
		description:
			'Maximum number of subscribers to create or reopen in one run. If there are more, Sync changes nothing. Without this option, there is no such limit.',
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
			choice('all', 'All', 'One item for each person, including those who do not change'),
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

export interface SyncSettings extends RuleSettings {
	/** How many lists in a row a subscriber must be missing from. */
	closeAfter: number;
	dryRun: boolean;
	graceHours: number;
	maxClosePercent: number;
	maxClose?: number;
	/** For creations and reopenings together. */
	maxOpen?: number;
	output: 'all' | 'changes' | 'changesAndSummary' | 'summary';
}

/** Parameters that must be the same for all items. */
export const SETTINGS = ['resource', 'operation', 'options', 'dryRun', 'close', 'maxClosePercent'];

/** Options that set a limit only if they are added. The editor's default is only a suggestion. */
const LIMITS = ['maxClose', 'maxOpen'];

const WHOLE_NUMBERS = [...LIMITS, 'closeAfter'];

/**
 * Reads the settings. Throws InputError for an invalid one: an expression without a result must not
 * mean "off", "no limit" or "everyone".
 */
export function readSettings(item: ItemParameters): SyncSettings {
	const given = item.collection('options');
	const values: Record<string, unknown> = {
		replaceCustomerId: false,
		neverClose: new Set(),
		customerIdPrefix: [],
	};
	for (const one of properties) {
		if (SETTINGS.includes(one.name)) values[one.name] = read(one, item.parameter(one.name));
	}
	for (const one of options) {
		if (Object.hasOwn(given, one.name)) values[one.name] = read(one, given[one.name]);
		else if (!LIMITS.includes(one.name)) values[one.name] ??= one.default;
	}
	return values as unknown as SyncSettings;
}

const IF_EXPRESSION = 'If you use an expression, check its result.';
const CORRECT = `Correct it. ${IF_EXPRESSION}`;

function read(property: INodeProperties, value: unknown): unknown {
	const { displayName: label, type } = property;
	const text = textOf(value).trim();
	if (type === 'boolean') return isOn(/^(true|false)$/i.test(text) ? text : 'nothing', label);
	if (type === 'options') return requireChoice(value, property);
	if (type === 'number') return readNumber(property, value);
	// Only Never Close and Customer ID Prefix remain. A prefix may contain a space.
	const isNeverClose = property.name === 'neverClose';
	const separator = isNeverClose ? /[\s,;]+/ : /\s*,\s*/;
	const entries = text.split(separator).filter((entry) => entry !== '');
	if (entries.length === 0) {
		throw new InputError(
			`'${label}' is empty`,
			`Fill it in, or remove the option. ${IF_EXPRESSION}`,
		);
	}
	return isNeverClose ? readNeverClose(entries) : entries;
}

function readNumber(
	{ name, displayName: label, typeOptions: range = {} }: INodeProperties,
	value: unknown,
): number {
	const number = requireNumber(value, label, range, CORRECT);
	if (!WHOLE_NUMBERS.includes(name) || Number.isInteger(number)) return number;
	throw new InputError(`'${label}' is not a whole number`, CORRECT);
}

/** The emails and domains, in the form in which emails are compared. */
function readNeverClose(entries: readonly string[]): ReadonlySet<string> {
	const wrong = entries.find((entry) => !isEmail(entry.startsWith('@') ? `a${entry}` : entry));
	if (wrong === undefined) return new Set(entries.map(nameKey));
	throw new InputError(
		`'Never Close' contains "${wrong}", which is neither an email address nor a domain`,
		'Enter addresses such as ann@example.com and domains such as @example.com, separated by commas.',
	);
}

/** Fields that come from other parameters, so Other Fields must not contain them. */
const OWN_FIELDS = ['email', 'customer_id', 'state', 'uuid'];

/** Reads a person, whose email and customer ID may be empty. Throws InputError for invalid values. */
export function readPerson(item: ItemParameters, operation: string): DesiredMember {
	const typed = item.parameter('email');
	const email = isBlank(typed) ? '' : requireEmail(typed, 'Email');
	const id = item.parameter('customerId');
	const customerIds = isBlank(id) ? [] : [requireId(id, 'Customer ID')];
	const fields = readFields(item, { ...subscriberFields, main: undefined });
	const own = OWN_FIELDS.find((name) => name in fields);
	if (own === undefined) return { items: [], email, customerIds, fields };
	throw new InputError(
		`'Other Fields (JSON)' contains "${own}", which ${operation} sets from its own parameters`,
		`Remove "${own}" from 'Other Fields (JSON)'.`,
	);
}
