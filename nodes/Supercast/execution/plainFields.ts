/** Expressions whose value Sync can know without n8n's engine, which takes 0.35 ms for each. */

import type { IDataObject } from 'n8n-workflow';

/** What an expression can name that is the same for all items. */
const SAME_FOR_ALL = ['$execution', '$vars', '$workflow'];

/** One step of a path, such as `.name`, `?.name` or `['A name']`. */
const PATH_STEP = String.raw`(?:\??\.)[A-Za-z_]\w*|(?:\?\.)?\[(?:'[^'\\]*'|"[^"\\]*")\]`;

const STEPS = new RegExp(PATH_STEP, 'g');

/**
 * A text with one expression that names a field, such as `shop-{{ $json.customer['the ID'] }}`, or
 * with one that names a field of each entry of a list: `{{ $json.items.map((one) => one.price.id) }}`.
 */
const PLAIN = new RegExp(
	String.raw`^=([^{}]*)\{\{\s*\$json((?:${PATH_STEP})+?)(?:\??\.map\(\(?(\w+)\)?\s*=>\s*(\w+)((?:${PATH_STEP})*)\))?\s*\}\}([^{}]*)$`,
);

/** An expression that is plain. */
interface PlainExpression {
	before: string;
	path: readonly string[];
	/** For each entry of a list. */
	ofEntries?: readonly string[];
	after: string;
}

/** The value of a plain expression. `undefined` in it is what n8n returns for a missing field. */
export interface PlainValue {
	value: unknown;
}

/** n8n marks an expression with an equals sign at the start of the text. */
export function hasExpression(typed: unknown): boolean {
	return JSON.stringify(typed ?? null).includes('"=');
}

/** Whether a parameter's expressions name nothing that differs between items. */
export function isSameForAll(typed: unknown): boolean {
	if (!hasExpression(typed)) return true;
	const named = JSON.stringify(typed).match(/\$\w*/g) ?? [];
	return named.length > 0 && named.every((name) => SAME_FOR_ALL.includes(name));
}

/** Reads plain expressions, each of which it parses once. */
export class PlainExpressions {
	private readonly parsed = new Map<string, PlainExpression | undefined>();

	/** The value of an expression. Undefined if it is not plain, or if n8n must decide. */
	valueOf(typed: unknown, json: IDataObject): PlainValue | undefined {
		if (typeof typed !== 'string' || !typed.startsWith('=')) return undefined;
		if (!this.parsed.has(typed)) this.parsed.set(typed, parse(typed));
		const expression = this.parsed.get(typed);
		return expression && evaluate(expression, json);
	}
}

function parse(typed: string): PlainExpression | undefined {
	const [form, before = '', path = '', entry, used, ofEntry = '', after = ''] =
		PLAIN.exec(typed) ?? [];
	if (form === undefined || entry !== used) return undefined;
	const [steps, ofEntries] = [stepsOf(path), stepsOf(ofEntry)];
	// n8n refuses names such as "constructor", even if an item has such a field.
	if ([...steps, ...ofEntries].some((one) => one in Object.prototype)) return undefined;
	return { before, path: steps, ofEntries: entry === undefined ? undefined : ofEntries, after };
}

function stepsOf(path: string): string[] {
	return (path.match(STEPS) ?? []).map((step) => step.replace(/^\??\.?\[?['"]?|['"]?\]?$/g, ''));
}

function evaluate(expression: PlainExpression, json: IDataObject): PlainValue | undefined {
	const { path, ofEntries, before, after } = expression;
	const found = follow(json, path);
	if (found === undefined) return undefined;
	const isText = `${before}${after}` !== '';
	if (ofEntries !== undefined) return isText ? undefined : eachOf(found.value, ofEntries);
	const { value } = found;
	if (!isText) return { value: value ?? undefined };
	const isObject = typeof value === 'object' && value !== null;
	// n8n writes nothing for what is missing.
	return isObject ? undefined : { value: `${before}${asText(value)}${after}` };
}

function asText(value: unknown): string {
	const isShown = ['boolean', 'number', 'string'].includes(typeof value) && !Number.isNaN(value);
	return isShown ? String(value) : '';
}

function eachOf(list: unknown, path: readonly string[]): PlainValue | undefined {
	if (!Array.isArray(list)) return undefined;
	const found = list.map((entry: unknown) => follow(entry, path));
	return found.includes(undefined) ? undefined : { value: found.map((one) => one?.value) };
}

/** Undefined if the path does not lead to the last step, because n8n then decides what that means. */
function follow(start: unknown, path: readonly string[]): PlainValue | undefined {
	let value = start;
	for (const name of path) {
		if (typeof value !== 'object' || value === null) return undefined;
		const isOwn = Object.hasOwn(value, name);
		// A name such as "first" means something to n8n.
		if (!isOwn && name in value) return undefined;
		value = isOwn ? (value as IDataObject)[name] : undefined;
	}
	return { value };
}
