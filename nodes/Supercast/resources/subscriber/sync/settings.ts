import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../api/errors/errors';
import { textOf } from '../../../api/json';
import type { ItemParameters } from '../../../operations/types';
import { isEmail, nameKey } from '../../../api/identity';
import type { CloseScope, OutputMode, SyncSettings } from './types';

const CLOSE_SCOPES: readonly CloseScope[] = ['withCustomerId', 'all', 'none'];
const OUTPUT_MODES: readonly OutputMode[] = ['changes', 'all', 'summary'];

/** Parameters that must be the same for all items. */
export type RawSettings = Record<'close' | 'dryRun' | 'maxClosePercent', unknown> & {
	options: IDataObject;
};

/** Gets the settings of one item, without checking them. */
export function rawSettings(item: ItemParameters): RawSettings {
	return {
		dryRun: item.parameter('dryRun'),
		close: item.parameter('close'),
		maxClosePercent: item.parameter('maxClosePercent'),
		options: item.collection('options'),
	};
}

/**
 * Reads and checks the settings. An expression without a result must not mean "off", "no limit" or
 * "everyone".
 *
 * @throws InputError if a value is invalid.
 */
export function readSettings({ options, ...raw }: RawSettings): SyncSettings {
	const given = new Map(Object.entries(options));
	const option = <T>(name: string, fallback: T, read: (value: unknown) => T): T =>
		given.has(name) ? read(given.get(name)) : fallback;
	const maxClose = option<number | undefined>('maxClose', undefined, count('Max Close'));
	const maxOpen = option<number | undefined>('maxOpen', undefined, count('Max Open'));
	return {
		dryRun: switched('Dry Run')(raw.dryRun),
		close: oneOf('Close', CLOSE_SCOPES)(raw.close),
		maxClosePercent: numberBetween('Max Close (%)', 0, 100)(raw.maxClosePercent),
		reactivate: option('reactivate', true, switched('Reactivate')),
		closeWithPlan: option('closeWithPlan', false, switched('Close With Plan')),
		neverClose: option<ReadonlySet<string>>('neverClose', new Set(), readNeverClose),
		graceHours: option('graceHours', 24, numberBetween('Grace Hours', 0, Infinity)),
		customerIdPrefix: option('customerIdPrefix', '', readPrefix),
		output: option('output', 'changes', oneOf('Output', OUTPUT_MODES)),
		...(maxClose === undefined ? {} : { maxClose }),
		...(maxOpen === undefined ? {} : { maxOpen }),
	};
}

const switched =
	(label: string) =>
	(value: unknown): boolean => {
		const text = textOf(value).trim().toLowerCase();
		if (text === 'true') return true;
		if (text === 'false') return false;
		throw new InputError(
			`'${label}' is neither true nor false`,
			`Turn it on or off. ${IF_EXPRESSION}`,
		);
	};

const IF_EXPRESSION = 'If you use an expression, check its result.';

const oneOf =
	<T extends string>(label: string, values: readonly T[]) =>
	(value: unknown): T => {
		const found = values.find((one) => one === value);
		if (found !== undefined) return found;
		throw new InputError(
			`'${label}' cannot be "${textOf(value)}"`,
			`Choose a value again. ${IF_EXPRESSION}`,
		);
	};

const numberBetween =
	(label: string, min: number, max: number) =>
	(value: unknown): number => {
		const text = textOf(value).trim();
		const number = text === '' || typeof value === 'boolean' ? NaN : Number(text);
		if (Number.isFinite(number) && number >= min && number <= max) return number;
		const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
		throw new InputError(`'${label}' must be a number ${range}`, `Correct it. ${IF_EXPRESSION}`);
	};

const count =
	(label: string) =>
	(value: unknown): number => {
		const number = numberBetween(label, 0, Infinity)(value);
		if (Number.isInteger(number)) return number;
		throw new InputError(`'${label}' is not a whole number`, `Correct it. ${IF_EXPRESSION}`);
	};

function readPrefix(value: unknown): string {
	const prefix = textOf(value).trim();
	if (prefix !== '') return prefix;
	throw new InputError(
		"'Customer ID Prefix' is empty",
		`Fill it in, or remove the option. ${IF_EXPRESSION}`,
	);
}

function readNeverClose(value: unknown): ReadonlySet<string> {
	const entries = textOf(value)
		.toLowerCase()
		.split(/[\s,;]+/);
	const named = entries.filter((entry) => entry !== '');
	if (named.length === 0) {
		throw new InputError(
			"'Never Close' is empty",
			`Fill it in, or remove the option. ${IF_EXPRESSION}`,
		);
	}
	const wrong = named.find((entry) => !isEmail(entry) && !/^@[^\s@.]+(\.[^\s@.]+)+$/.test(entry));
	if (wrong === undefined) return new Set(named.map(nameKey));
	throw new InputError(
		`'Never Close' contains "${wrong}", which is neither an email address nor a domain`,
		'Enter addresses such as ann@example.com and domains such as @example.com, separated by commas.',
	);
}
