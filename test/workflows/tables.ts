import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { folder } from './files';

/** A table in `workflows/statuses.md`: the cells of its rows, without the header. */
export function tableOf(title: string): string[][] {
	const text = readFileSync(join(folder, 'statuses.md'), 'utf8');
	const section = text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
	const rows = section.split('\n').filter((line) => line.startsWith('| '));
	const cells = rows.map((row) => row.split('|').slice(1, -1));
	return cells.slice(2).map((row) => row.map((cell) => cell.trim().replaceAll('`', '')));
}
