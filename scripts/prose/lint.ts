/**
 * Checks how the project's texts read: pages, workflow notes, and what the editor shows of the nodes.
 *
 * Usage: tsx scripts/prose/lint.ts [--comments] [file ...]
 *
 * With files, only those are checked.
 * With --comments, it checks the comments and the names of the tests in TypeScript files instead.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../harness/system/paths';
import { lintProse, type ProseFinding } from './linter';
import { commentsIn, proseTextsOf, type Text } from './texts';

const CHECKED = /^(?!test\/).*\.md$|^workflows\/.*\.json$|^(nodes|credentials)\/.*(?<!\.d)\.ts$/;

async function main(): Promise<void> {
	const { named, comments } = readArguments(process.argv.slice(2));
	const files = comments ? filesLike(/\.ts$/) : filesLike(CHECKED);
	const findings: ProseFinding[] = [];
	for (const file of named.length > 0 ? named : files) {
		const texts = comments ? commentsOf(file) : proseTextsOf(root, file);
		for (const text of texts) findings.push(...(await lintProse(text)));
	}
	for (const { file, line, message } of findings) {
		process.stdout.write(`${file}:${line}  ${message}\n`);
	}
	process.exit(findings.length > 0 ? 1 : 0);
}

function readArguments(args: string[]): { named: string[]; comments: boolean } {
	const named = args.filter((argument) => argument !== '--comments');
	return { named, comments: named.length < args.length };
}

function commentsOf(file: string): Text[] {
	return commentsIn(file, readFileSync(join(root, file), 'utf8'));
}

/** All paths of that form among the files that git knows or would add. */
function filesLike(path: RegExp): string[] {
	const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
	const files = execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).trim().split('\n');
	return files.filter((file) => path.test(file));
}

void main();
