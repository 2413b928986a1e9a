import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import type { Instance } from '../../harness/n8n/server';

/** Node 20 has no SQLite, but n8n's own Node does. */
const SCRIPT = `
	const { DatabaseSync } = require('node:sqlite');
	const [, file, sql, ...values] = process.argv;
	console.log(JSON.stringify(new DatabaseSync(file).prepare(sql).all(...values)));
`;

/** Runs a statement in n8n's database. Changes need an n8n that is not running. */
export function queryDatabase<Row>(
	{ install, userFolder }: Pick<Instance, 'install' | 'userFolder'>,
	sql: string,
	...values: string[]
): Row[] {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const options = { encoding: 'utf8', maxBuffer: 1e9 } as const;
	const { stdout, stderr, status } = spawnSync(
		install.node,
		['--eval', SCRIPT, file, sql, ...values],
		options,
	);
	if (status !== 0) throw new Error(stderr);
	return JSON.parse(stdout) as Row[];
}
