/** Expressions whose value Sync can know without n8n's engine, which takes 0.2 ms for each. */

import type { IDataObject } from 'n8n-workflow';

/** What an expression can name that is the same for all items. */
const SAME_FOR_ALL = ['$execution', '$vars', '$workflow'];

/** `{{ $json.name }}`, with nothing around it. */
const ONE_FIELD = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

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

/**
 * The value of an expression that names one field of the item. The value must be a text, a number or
 * a boolean, because n8n returns these as they are. Undefined for any other expression and any other value.
 */
export function plainFieldOf(typed: unknown, json: IDataObject): unknown {
	const name = typeof typed === 'string' ? ONE_FIELD.exec(typed)?.[1] : undefined;
	// n8n refuses to read names such as "constructor".
	if (name === undefined || name in Object.prototype || !Object.hasOwn(json, name))
		return undefined;
	return ['boolean', 'number', 'string'].includes(typeof json[name]) ? json[name] : undefined;
}
