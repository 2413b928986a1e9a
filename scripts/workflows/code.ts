import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a Code node, kept in a file of its own so that it can be formatted and tested. */
export function codeOf(name: string): string {
	return readFileSync(join(__dirname, 'code', `${name}.js`), 'utf8').trimEnd();
}
