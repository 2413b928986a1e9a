/** Reads the settings of Sync and Set Access. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { identifierKey } from '../api/identity';
import { asRecord, textOf } from '../api/json';
import { isBlank, isEmail } from '../operations/texts';
import type { ItemParameters } from '../operations/types';
import { isOn, requireChoice, requireNumber, takesZone } from '../operations/validation';
import { isByStatus, type JudgeRules } from './judge/judge';
import { readProductNames, type ProductNames } from './judge/products';
import { WordLists } from './judge/words';
import { sync } from './parameters';
import { readAllowances, type Allowance } from './allowOnce';

/** What the rules about people who should have access depend on. */
export interface OpenSettings {
	closeWithPlan: boolean;
	/** The prefixes of customer IDs. Without any, an ID may begin with anything. */
	prefixes: readonly string[];
	/**
	 * What stands before the email in the customer ID of people for whom the list has none. Undefined
	 * if nothing closes by customer ID.
	 */
	ownPrefix?: string;
}

/** What decides which feeds are a Sync's own. */
export interface CloseSettings extends OpenSettings {
	close: 'all' | 'none' | 'prefix' | 'withCustomerId';
	/** Emails and domains such as `@example.com`, as emails are compared. */
	neverClose: ReadonlySet<string>;
}

/** How records are judged, except by the time of the run. */
export type WordSettings = Pick<JudgeRules, 'productWords' | 'words' | 'zone'> & {
	/** Undefined if the user gives none. */
	productNames?: ProductNames;
};

export interface SyncSettings extends CloseSettings, WordSettings {
	dryRun: boolean;
	/** How many lists in a row must lack a person. */
	closeAfter: number;
	maxClosePercent: number;
	maxOpenPercent: number;
	allowances: readonly Allowance[];
	output: 'changes' | 'summary';
	/** Whether the items have the IDs of their records. */
	hasRecordIds: boolean;
	/** How many records there should be. A text says why nobody knows. Undefined if nobody asks. */
	recordsExpected?: number | string;
}

/** Options that may differ between items. */
const OF_ITEM = ['product', 'accessUntil', 'recordId'];

/** Options whose expressions may read whole lists, so that they are read once. */
const ONCE = ['recordsExpected', 'productNames'];

/** The same, as parameters. */
export const READ_ONCE = ONCE.map((name) => `options.${name}`);

const STATUS_WORDS = ['openFor', 'keepFor', 'closeFor'];

/** Parameters that must be the same for all items, besides the options. */
const SETTINGS = [
	'resource',
	'operation',
	'dryRun',
	'close',
	'customerIdPrefix',
	'maxClosePercent',
];

/** The values of the settings that must be the same for all items, for a comparison. */
export function settingsKey(item: ItemParameters): string {
	const given = Object.entries(asRecord(item.parameter('options')));
	const options = given.filter(([name]) => ![...OF_ITEM, ...ONCE].includes(name));
	const values = [...SETTINGS, ...STATUS_WORDS].map((name) => item.parameter(name, ''));
	return JSON.stringify([values, options]);
}

/**
 * Reads the settings of Sync. An expression without a result must not mean "off", "no limit" or
 * "everyone".
 * @throws InputError
 */
export function readSyncSettings(item: ItemParameters): SyncSettings {
	const given = item.collection('options');
	const setting = (name: string): unknown => {
		const property = [...sync.properties, ...sync.options].find((one) => one.name === name);
		if (property === undefined) throw new Error(`Sync has no setting ${name}`);
		const isOption = sync.options.includes(property);
		if (isOption && !Object.hasOwn(given, name)) return property.default;
		return readSetting(property, isOption ? given[name] : item.parameter(name, ''));
	};
	const close = setting('close') as SyncSettings['close'];
	const prefixes = readPrefixes(item.parameter('customerIdPrefix', ''));
	const closesById = close === 'prefix' || close === 'withCustomerId';
	return {
		...readWordSettings(item),
		...{ close, prefixes, ownPrefix: closesById ? (prefixes[0] ?? '') : undefined },
		dryRun: setting('dryRun') as boolean,
		closeAfter: setting('closeAfter') as number,
		closeWithPlan: setting('closeWithPlan') as boolean,
		maxClosePercent: setting('maxClosePercent') as number,
		maxOpenPercent: setting('maxOpenPercent') as number,
		output: setting('output') as SyncSettings['output'],
		allowances: readAllowances(textOf(given.allowOnce)),
		neverClose: readNeverClose(given.neverClose),
		hasRecordIds: Object.hasOwn(given, 'recordId'),
		recordsExpected: readExpected(given),
	};
}

/** Reads how the records of both operations are judged. Throws InputError. */
export function readWordSettings(item: ItemParameters): WordSettings {
	const options = item.collection('options');
	const { products, otherProducts } = options;
	const words = new WordLists({
		openFor: item.parameter('openFor', ''),
		keepFor: item.parameter('keepFor', ''),
		closeFor: item.parameter('closeFor', ''),
	});
	const productWords = new WordLists({ products, otherProducts });
	refuseDoubled([...words.doubled, ...productWords.doubled]);
	if (isByStatus(item.parameter('access')) && words.isEmpty) {
		throw new InputError(
			"'Open For', 'Keep For' and 'Close For' are all empty",
			"Enter the statuses of your membership system there, or choose another value in 'Access'.",
		);
	}
	const zone = zoneOf(item.timezone);
	if (!Object.hasOwn(options, 'productNames')) return { words, productWords, zone };
	return { words, productWords, productNames: readProductNames(options.productNames), zone };
}

/** By the time zones of workflows. Finding out takes half a millisecond, and each item asks. */
const zonesOfWorkflows = new Map<string, string>();

/** The zone itself, or UTC if there is no such zone. */
function zoneOf(timezone: string): string {
	const zone = zonesOfWorkflows.get(timezone) ?? (takesZone(timezone) ? timezone : 'UTC');
	zonesOfWorkflows.set(timezone, zone);
	return zone;
}

const LABELS: Record<string, string> = {
	openFor: 'Open For',
	keepFor: 'Keep For',
	closeFor: 'Close For',
	products: 'Products That Count',
	otherProducts: 'Other Products',
};

function refuseDoubled(doubled: ReadonlyArray<{ word: string; lists: [string, string] }>): void {
	const [first] = doubled;
	if (first === undefined) return;
	const [one, other] = first.lists.map((name) => LABELS[name] ?? name);
	throw new InputError(
		`'${one}' and '${other}' both have the word "${first.word}"`,
		'Remove the word from one of the two. A comma separates words, unless the whole line is the word.',
	);
}

const IF_EXPRESSION = 'If you use an expression, check its result.';

function readSetting(property: INodeProperties, value: unknown): unknown {
	const { displayName: label, type, typeOptions: range = {} } = property;
	if (isBlank(value) && type !== 'number') {
		throw new InputError(`'${label}' is empty`, `Correct it. ${IF_EXPRESSION}`);
	}
	if (type === 'boolean') return isOn(value, label);
	if (type === 'options') return requireChoice(value, property);
	const number = requireNumber(value, label, range, `Correct it. ${IF_EXPRESSION}`);
	if (property.name !== 'closeAfter' || Number.isInteger(number)) return number;
	throw new InputError(`'${label}' is not a whole number`, `Correct it. ${IF_EXPRESSION}`);
}

/** Reads the prefixes of customer IDs. */
export function readPrefixes(typed: unknown): string[] {
	return entriesOf(typed).map((prefix) => prefix.normalize('NFC'));
}

function entriesOf(typed: unknown): string[] {
	const texts = [typed].flat().map(textOf);
	const parts = texts.flatMap((text) => text.split(/[,\r\n]+/));
	return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The emails and domains, as emails are compared. Throws InputError. */
function readNeverClose(typed: unknown): ReadonlySet<string> {
	const entries = entriesOf(typed);
	const wrong = entries.find((entry) => {
		const address = entry.startsWith('@') ? `a${entry}` : entry;
		return !isEmail(address) || address.includes('*');
	});
	if (wrong === undefined) return new Set(entries.map(identifierKey));
	throw new InputError(
		`'Never Close' contains "${wrong}", which is neither an email address nor a domain`,
		'Enter addresses such as ann@example.com and domains such as @example.com, separated by commas.',
	);
}

/** Undefined if nobody asks for it. A text that is no number says why nobody knows. */
function readExpected(given: IDataObject): number | string | undefined {
	if (!Object.hasOwn(given, 'recordsExpected')) return undefined;
	const text = textOf(given.recordsExpected).trim();
	const number = text === '' ? Number.NaN : Number(text);
	return Number.isFinite(number) && number >= 0 ? number : text;
}
