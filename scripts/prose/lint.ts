/**
 * Checks how the project's texts read: pages, workflow notes, and what the editor shows of the nodes.
 *
 * Usage: tsx scripts/prose/lint.ts [file ...]
 *
 * With files, only those are checked, also if they are on the list of files that are not converted.
 */
import { execFileSync } from 'node:child_process';

import { root } from '../../harness/system/paths';
import { lintProse, type Finding } from './linter';
import { textsOf } from './texts';
import { unconverted } from './unconverted';

const CHECKED = /^(?!test\/).*\.md$|^workflows\/.*\.json$|^(nodes|credentials)\/.*(?<!\.d)\.ts$/;

async function main(): Promise<void> {
	const named = process.argv.slice(2);
	const findings: Finding[] = [];
	for (const file of named.length > 0 ? named : checkedFiles()) {
		for (const text of textsOf(root, file)) findings.push(...(await lintProse(text)));
	}
	for (const { file, line, message } of findings) {
		process.stdout.write(`${file}:${line}  ${message}\n`);
	}
	process.exit(findings.length > 0 ? 1 : 0);
}

/** Everything that git knows or would add, without what it ignores. */
function checkedFiles(): string[] {
	const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
	const files = execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).trim().split('\n');
	return files
		.filter((file) => CHECKED.test(file))
		.filter((file) => !unconverted.some((beginning) => file.startsWith(beginning)));
}

void main();
