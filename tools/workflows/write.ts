import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../test/harness/system/paths';
import type { Workflow } from '../../test/harness/n8n/setup';
import { normalize } from '../../test/harness/workflows/normalize';

/**
 * Copies workflows that were exported from n8n to `workflows/`. Each replaces the file with the
 * same name.
 *
 * Usage: tsx tools/workflows/write.ts FILE...
 */
async function main(): Promise<void> {
	for (const file of process.argv.slice(2)) {
		const workflow = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
		const target = join(root, 'workflows', basename(file));
		const before = JSON.parse(readFileSync(target, 'utf8')) as Workflow;
		// Prettier keeps line breaks between properties, so that changes stay small.
		const text = JSON.stringify(normalize(workflow, before.id), null, 2);
		const config = await resolveConfig(target);
		writeFileSync(target, await format(text, { ...config, filepath: target }));
		process.stdout.write(`Written: ${target}\n`);
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
