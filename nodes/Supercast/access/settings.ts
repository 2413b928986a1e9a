import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { identifierKey } from '../api/identity';
import { asRecord, textOf, timeOf } from '../api/json';
import { readFields } from '../operations/fields';
import { isBlank, isEmail, requireEmail } from '../operations/texts';
import type { ItemParameters } from '../operations/types';
import { isOn, requireChoice, requireNumber } from '../operations/validation';
import { subscriberFields } from '../subscriber/kind';
import { requireCustomerId } from '../subscriber/missingId';
import { NOBODY, type CurrentSubscriber, type DesiredMember } from './match';
import { sync } from './parameters';

/** What the rules of Sync and Set Access depend on. */
export interface RuleSettings {
	/** Whether subscribers without a customer ID get the one on the list. */
	addCustomerIds: boolean;
	/** Whose feeds may be closed. */
	close: 'all' | 'none' | 'withCustomerId';
	closeWithPlan: boolean;
	/**
	 * Only feeds of subscribers whose customer ID begins with one of these texts may be closed.
	 * Without any, all may.
	 */
	customerIdPrefix: readonly string[];
	/** If set, feeds of subscribers with a customer ID for which it returns true stay open. */
	isOfMissingPart?: (customerId: string) => boolean;
	/** If set, feeds of subscribers with a customer ID for which it returns false stay open. */
	isOwnId?: (customerId: string) => boolean;
	/** In milliseconds since 1970. Feeds of subscribers created or changed later stay open. */
	newAfter?: number;
	/** Emails and domains such as `@example.com`, in the form of `nameKey`. */
	neverClose: ReadonlySet<string>;
	reactivate: boolean;
	/**
	 * Whether this value was written before. If Supercast shows another one, it does not take it over.
	 */
	wasWritten?: (subscriber: CurrentSubscriber, field: string, value: unknown) => boolean;
	/** Whether a new customer ID replaces the old one while the feed is open. */
	replaceCustomerId: boolean;
}

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
	/** Whether the items have the IDs of their records. */
	hasRecordIds: boolean;
	/** The time of a list that opened feeds by mistake, in milliseconds since 1970. */
	wrongList?: number;
	/** How many records the membership system says it has. */
	recordsExpected?: number;
	/** How many the workflow has read. Only in workflows from before Record ID. */
	recordsRead?: number;
}

/** Whether a customer ID begins with one of these prefixes. Without any, every ID does. */
export function hasPrefix(customerId: string, prefixes: readonly string[]): boolean {
	return prefixes.length === 0 || prefixes.some((prefix) => customerId.startsWith(prefix));
}

/** How many of these people the setting 'Max Close (%)' allows. */
export function allowedBy(percent: number, people: number): number {
	return Math.floor((people * percent) / 100);
}

/** The lowest value of 'Max Close (%)' that allows this many of these people. */
export function percentFor(count: number, people: number): number {
	// Dividing last, because 22 / 40 * 100 is more than 55.
	return Math.min(100, Math.ceil((count * 100) / people));
}

/** Parameters that must be the same for all items. */
const SETTINGS = ['resource', 'operation', 'dryRun', 'close', 'maxClosePercent', 'options'];

/** The option that differs between items. */
export const RECORD_ID = 'recordId';

/** The values of the parameters that must be the same for all items, for a comparison. */
export function settingsKey(item: ItemParameters): string {
	const values = SETTINGS.map((name) => item.parameter(name));
	return JSON.stringify([...values.slice(0, -1), { ...asRecord(values.at(-1)), [RECORD_ID]: '' }]);
}

/** Options that apply only if they are added. The editor's default is only a suggestion. */
const LIMITS = ['maxClose', 'maxOpen', 'wrongList'];

/** Options that may be empty, because not every membership system says how many records it has. */
const COUNTS = ['recordsRead', 'recordsExpected'];

/** Settings whose expressions may read whole lists, so that reading them for each item takes long. */
export const READ_ONCE = COUNTS.map((name) => `options.${name}`);

const INTEGERS = ['maxClose', 'maxOpen', ...COUNTS, 'closeAfter'];

/**
 * Reads the settings. Throws InputError for an invalid one: an expression without a result must not
 * mean "off", "no limit" or "everyone".
 */
export function readSettings(item: ItemParameters): SyncSettings {
	const given = item.collection('options');
	const hasRecordIds = Object.hasOwn(given, RECORD_ID);
	const values: Record<string, unknown> = {
		hasRecordIds,
		replaceCustomerId: false,
		neverClose: new Set(),
		customerIdPrefix: [],
	};
	for (const one of sync.properties) {
		if (SETTINGS.includes(one.name)) values[one.name] = readSetting(one, item.parameter(one.name));
	}
	const unused = hasRecordIds ? [RECORD_ID, 'recordsRead'] : [RECORD_ID];
	for (const one of sync.options.filter(({ name }) => !unused.includes(name))) {
		if (isGiven(one, given)) values[one.name] = readSetting(one, given[one.name]);
		else if (![...COUNTS, ...LIMITS].includes(one.name)) values[one.name] ??= one.default;
	}
	const settings = values as unknown as SyncSettings;
	refuseCounts(settings);
	return settings;
}

function isGiven({ name }: INodeProperties, given: IDataObject): boolean {
	return Object.hasOwn(given, name) && !(COUNTS.includes(name) && isBlank(given[name]));
}

const IF_EXPRESSION = 'If you use an expression, check its result.';
const CORRECT = `Correct it. ${IF_EXPRESSION}`;

function readSetting(property: INodeProperties, value: unknown): unknown {
	const { displayName: label, type } = property;
	const text = textOf(value).trim();
	if (type === 'boolean') return isOn(/^(true|false)$/i.test(text) ? text : 'nothing', label);
	if (type === 'options') return requireChoice(value, property);
	if (type === 'number') return readNumber(property, value);
	if (property.name === 'wrongList') return readTime(text, label);
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

function readTime(text: string, label: string): number {
	const time = timeOf(text);
	if (!Number.isNaN(time)) return time;
	throw new InputError(
		`'${label}' is not a time`,
		'Copy it from the message of Sync, for example 2026-01-31 09:00 UTC.',
	);
}

function readNumber(
	{ name, displayName: label, typeOptions: range = {} }: INodeProperties,
	value: unknown,
): number {
	const number = requireNumber(value, label, range, CORRECT);
	if (!INTEGERS.includes(name) || Number.isInteger(number)) return number;
	throw new InputError(`'${label}' is not a whole number`, CORRECT);
}

/** Throws InputError if the counts of records prove nothing, because one is missing or 0. */
function refuseCounts({ hasRecordIds, recordsRead, recordsExpected }: SyncSettings): void {
	const isGiven = recordsRead !== undefined || recordsExpected !== undefined;
	if (!isGiven) return;
	// With Record ID, Sync counts the records itself. A list with members has at least one record.
	const read = hasRecordIds ? 1 : recordsRead;
	if (read && recordsExpected) return;
	const [label, count] = read
		? ['Expected Number of Records', recordsExpected]
		: ['Records Read', read];
	const isMissing = label === 'Records Read' && count === undefined;
	throw new InputError(
		`'${isMissing ? 'Record ID' : label}' is ${count === undefined ? 'empty' : '0'}, so Sync cannot know whether the list is complete`,
		"Check its expression. If your membership system does not say how many records it has, remove 'Expected Number of Records'.",
	);
}

/** The emails and domains, in the form in which emails are compared. */
function readNeverClose(entries: readonly string[]): ReadonlySet<string> {
	const wrong = entries.find((entry) => !isEmail(entry.startsWith('@') ? `a${entry}` : entry));
	if (wrong === undefined) return new Set(entries.map(identifierKey));
	throw new InputError(
		`'Never Close' contains "${wrong}", which is neither an email address nor a domain`,
		'Enter addresses such as ann@example.com and domains such as @example.com, separated by commas.',
	);
}

/** Fields that come from other parameters, so Other Fields must not contain them. */
const OWN_FIELDS = ['email', 'customer_id', 'state', 'uuid'];

/** Reads a person, whose email and customer ID may be empty. Throws InputError for invalid values. */
export function readPerson(item: ItemParameters, operation: string): DesiredMember {
	const id = item.parameter('customerId');
	const customerIds = isBlank(id) ? [] : [requireCustomerId(id)];
	const typed = item.parameter('email');
	const who = customerIds.length === 0 ? '' : ` (customer ID ${customerIds[0]})`;
	const email = isBlank(typed) ? '' : requireEmail(typed, 'Email', who);
	const emailKey = identifierKey(email);
	const fields = readFields(item, { ...subscriberFields, main: undefined });
	const own = OWN_FIELDS.find((name) => name in fields);
	if (own === undefined) return { ...NOBODY, items: [], email, emailKey, customerIds, fields };
	throw new InputError(
		`'Other Fields (JSON)' contains "${own}", which ${operation} sets from its own parameters`,
		`Remove "${own}" from 'Other Fields (JSON)'.`,
	);
}
