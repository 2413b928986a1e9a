import { InputError } from '../api/errors/errors';
import { isEmail } from '../api/identity';
import { textOf } from '../api/json';
import type { ItemParameters } from '../operations/types';
import { isOn, requireChoices } from '../operations/validation';
import type { CloseScope, RuleSettings } from './rules';

const OUTPUTS = ['changes', 'changesAndSummary', 'all', 'summary'] as const;

/** The settings of Sync, after they have been read and checked. */
export interface SyncSettings extends RuleSettings {
	dryRun: boolean;
	/** The maximum number of closings, in percent of the open feeds that Sync may close. */
	maxClosePercent: number;
	/** The maximum number of closings; undefined for no limit. */
	maxClose?: number;
	/** The maximum number of creations and reopenings together; undefined for no limit. */
	maxOpen?: number;
	output: (typeof OUTPUTS)[number];
}

/**
 * Reads and checks the settings. An expression without a result must not mean "off", "no limit" or
 * "everyone".
 *
 * @throws InputError if a value is invalid.
 */
export function readSettings(item: ItemParameters): SyncSettings {
	const options = item.collection('options');
	const option = <T>(name: string, fallback: T, read: (value: unknown) => T): T =>
		Object.hasOwn(options, name) ? read(options[name]) : fallback;
	return {
		dryRun: switched('Dry Run')(item.parameter('dryRun')),
		close: oneOf('Close', ['withCustomerId', 'all', 'none'] as CloseScope[])(
			item.parameter('close'),
		),
		maxClosePercent: numberFrom('Max Close (%)', 100)(item.parameter('maxClosePercent')),
		reactivate: option('reactivate', true, switched('Reactivate')),
		closeWithPlan: option('closeWithPlan', false, switched('Close With Plan')),
		neverClose: option<ReadonlySet<string>>('neverClose', new Set(), readNeverClose),
		graceHours: option('graceHours', 24, numberFrom('Grace Hours')),
		customerIdPrefix: option('customerIdPrefix', '', filled('Customer ID Prefix')),
		output: option('output', 'changes', oneOf('Output', OUTPUTS)),
		maxClose: option<number | undefined>('maxClose', undefined, count('Max Close')),
		maxOpen: option<number | undefined>('maxOpen', undefined, count('Max Open')),
		replaceCustomerId: false,
	};
}

const IF_EXPRESSION = 'If you use an expression, check its result.';

const switched = (label: string) => (value: unknown) => {
	const text = textOf(value).trim().toLowerCase();
	return isOn(['true', 'false'].includes(text) ? text : 'nothing', label);
};

const oneOf =
	<T extends string>(label: string, values: readonly T[]) =>
	(value: unknown): T =>
		requireChoices([value], values, label)[0] as T;

const numberFrom =
	(label: string, max = Infinity) =>
	(value: unknown): number => {
		const text = textOf(value).trim();
		const number = text === '' || typeof value === 'boolean' ? NaN : Number(text);
		if (Number.isFinite(number) && number >= 0 && number <= max) return number;
		const range = max === Infinity ? 'of at least 0' : `from 0 to ${max}`;
		throw new InputError(`'${label}' must be a number ${range}`, `Correct it. ${IF_EXPRESSION}`);
	};

const count =
	(label: string) =>
	(value: unknown): number => {
		const number = numberFrom(label)(value);
		if (Number.isInteger(number)) return number;
		throw new InputError(`'${label}' is not a whole number`, `Correct it. ${IF_EXPRESSION}`);
	};

const filled =
	(label: string) =>
	(value: unknown): string => {
		const text = textOf(value).trim();
		if (text !== '') return text;
		throw new InputError(
			`'${label}' is empty`,
			`Fill it in, or remove the option. ${IF_EXPRESSION}`,
		);
	};

function readNeverClose(value: unknown): ReadonlySet<string> {
	const entries = textOf(value)
		.toLowerCase()
		.split(/[\s,;]+/)
		.filter((entry) => entry !== '');
	filled('Never Close')(entries[0]);
	const wrong = entries.find((entry) => !isEmail(entry.startsWith('@') ? `a${entry}` : entry));
	if (wrong === undefined) return new Set(entries);
	throw new InputError(
		`'Never Close' contains "${wrong}", which is neither an email address nor a domain`,
		'Enter addresses such as ann@example.com and domains such as @example.com, separated by commas.',
	);
}
