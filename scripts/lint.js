'use strict';
/**
 * Runs all checks of the source, as many at a time as there are cores, and the slow ones first.
 * Prints what each found, and how long it took. The caches are by content, so they are never wrong.
 * ESLint has none: some of its rules know the types of other files.
 *
 * Usage: node scripts/lint.js
 */
const { spawn } = require('node:child_process');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

const root = join(__dirname, '..');

const checks = [
	['eslint', '.'],
	['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', '.cache/lint/types.json'],
	[
		...['prettier', '--check', '.', '--log-level', 'warn'],
		...['--cache', '--cache-strategy', 'content', '--cache-location', '.cache/lint/prettier.json'],
	],
	['cspell', 'lint', '--no-progress', '--no-summary'],
	['tsx', 'prose/lint.ts'],
];

/** Runs one check to its end, and returns whether it passed. */
function run([command, ...args]) {
	const began = performance.now();
	// The commands are in the folder of npm's binaries, on all systems.
	const path = join(root, 'node_modules', '.bin', command);
	const child = spawn(path, args, { cwd: root, shell: process.platform === 'win32' });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
	return new Promise((resolve) => {
		child.on('close', (code) => {
			const seconds = ((performance.now() - began) / 1000).toFixed(1);
			const verdict = code === 0 ? 'passed' : 'FAILED';
			process.stdout.write(
				`${output}${[command, args[0]].join(' ')} ${verdict} after ${seconds} s\n`,
			);
			resolve(code === 0);
		});
	});
}

/** Takes one check after the other, until none is left. */
async function work(results) {
	for (let check = checks.shift(); check !== undefined; check = checks.shift()) {
		results.push(await run(check));
	}
	return results;
}

async function main() {
	const results = [];
	const workers = Array.from({ length: availableParallelism() }, () => work(results));
	await Promise.all(workers);
	process.exitCode = results.includes(false) ? 1 : 0;
}

void main();
