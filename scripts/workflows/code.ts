import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The code of a Code node. It has its own file, so that it can be formatted and tested. */
export function codeOf(name: string): string {
	return readFileSync(join(__dirname, 'code', `${name}.js`), 'utf8').trimEnd();
}
