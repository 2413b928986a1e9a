import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../harness/system/paths';
import { layOut } from './layout';
import { plans } from './plans';

/**
 * Writes the files in `workflows/` that are made here; with `--check`, says which are out of date.
 *
 * Usage: tsx scripts/workflows/build.ts [--check]
 */
async function main(): Promise<void> {
	const check = process.argv.includes('--check');
	const stale: string[] = [];
	for (const plan of plans) {
		const file = join(root, 'workflows', `${plan.file}.json`);
		const config = await resolveConfig(file);
		const text = await format(JSON.stringify(layOut(plan)), { ...config, filepath: file });
		if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
		stale.push(plan.file);
		if (!check) writeFileSync(file, text);
	}
	if (check && stale.length > 0) throw new Error(`Out of date: ${stale.join(', ')}`);
	process.stdout.write(check ? 'All up to date\n' : `Written: ${stale.join(', ') || 'nothing'}\n`);
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
