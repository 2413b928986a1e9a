/** Fields that decide nothing: what is wrong with them is told, and prevents nothing. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import { cleaned } from './validation';

/** Gets a sentence without a period about a field that was left out or cleaned, for people. */
export type TellLeftOut = (sentence: string) => void;

/** Tells nobody. */
export const ignore: TellLeftOut = () => undefined;

/** Reads a value. Returns undefined if it is invalid, and its field decides nothing. */
export function readOrTell<T>(
	{ deciding }: { deciding?: readonly string[] },
	key: string,
	tell: TellLeftOut,
	read: () => T,
): T | undefined {
	if (deciding === undefined || deciding.includes(key)) return read();
	try {
		return read();
	} catch (error) {
		tell(`${(error as Error).message}, so it was left out`);
		return undefined;
	}
}

/** Tells if a value has lost characters that are not text. */
export function tellCleaned(
	label: string,
	typed: unknown,
	given: IDataObject[string],
	tell: TellLeftOut,
): void {
	const [before, after] = [typed, given].map((one) => JSON.stringify(one));
	if (before === after || JSON.stringify(cleaned(typed)) !== after) return;
	const shown = (textOf(given) || after).slice(0, 100);
	tell(`'${label}' contained invisible characters, and was read as "${shown}"`);
}
