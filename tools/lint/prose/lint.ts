/**
 * Checks how the project's texts read: pages, workflow notes, and what the editor shows of the
 * nodes. Also checks the comments of all source code, and the names of the tests.
 *
 * Usage: tsx tools/lint/prose/lint.ts [file ...]
 */
import { execFileSync } from 'node:child_process';

import { root } from '../../../test/harness/system/paths';
import { lintProse, type ProseFinding } from './linter';
import { proseTextsOf } from './texts';

async function main(): Promise<void> {
	const named = process.argv.slice(2);
	const findings: ProseFinding[] = [];
	for (const file of named.length > 0 ? named : filesOfTheProject()) {
		const texts = proseTextsOf(root, file);
		for (const kind of new Set(texts.map((text) => text.kind))) {
			findings.push(...(await lintProse(...texts.filter((text) => text.kind === kind))));
		}
	}
	for (const { file, line, message } of findings) {
		process.stdout.write(`${file}:${line}  ${message}\n`);
	}
	process.exit(findings.length > 0 ? 1 : 0);
}

/** The paths of all files that git knows or would add. */
function filesOfTheProject(): string[] {
	const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
	return execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).trim().split('\n');
}

void main();
