import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../harness/system/paths';
import { casesPage } from './cases';
import { layOut } from './layout';
import { plans } from './plans';

/**
 * Writes the generated workflow files and `cases.md`. With `--check`, writes nothing, and fails if
 * files are out of date. The error names these files.
 *
 * Usage: tsx scripts/workflows/build.ts [--check]
 */
async function main(): Promise<void> {
	const check = process.argv.includes('--check');
	const stale: string[] = [];
	const texts = Object.fromEntries(
		plans.map((plan) => [`${plan.file}.json`, JSON.stringify(layOut(plan))]),
	);
	for (const [name, source] of Object.entries({ ...texts, 'cases.md': casesPage() })) {
		const file = join(root, 'workflows', name);
		const config = await resolveConfig(file);
		const text = await format(source, { ...config, filepath: file });
		if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
		stale.push(name);
		if (!check) writeFileSync(file, text);
	}
	if (check && stale.length > 0) throw new Error(`Out of date: ${stale.join(', ')}`);
	process.stdout.write(check ? 'All up to date\n' : `Written: ${stale.join(', ') || 'nothing'}\n`);
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
