'use strict';
/**
 * Runs all checks of the source, as many at a time as there are cores, and the slow ones first.
 * Prints what each found, and how long it took. The caches compare the content of files, so they
 * are never out of date. Type checks have no cache, because their results depend on other files.
 *
 * Usage: node tools/lint/lint.js
 */
const { spawn } = require('node:child_process');
const { availableParallelism } = require('node:os');
const { delimiter, join } = require('node:path');

const root = join(__dirname, '..', '..');

const checks = {
	'types and rules': ['node', 'tools/lint/checkCode.js'],
	formatting: [
		...['prettier', '--check', '.', '--log-level', 'warn'],
		...['--ignore-path', '.gitignore', '--ignore-path', 'tools/lint/prettierignore'],
		...['--cache', '--cache-strategy', 'content', '--cache-location', '.cache/lint/prettier.json'],
	],
	words: ['tsx', 'tools/lint/prose/lint.ts'],
	spelling: [
		...['cspell', 'lint', '--config', 'tools/lint/cspell.json'],
		...['--no-progress', '--no-summary'],
	],
};

const waiting = Object.entries(checks);

// The checks create many short-lived objects. More room for them makes the checks faster.
const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`;

/** Runs one check to its end, and returns whether it passed. */
function run([name, [command, ...args]]) {
	const began = performance.now();
	// The commands are in the folder of npm's binaries, on all systems.
	const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
	const child = spawn(command, args, {
		cwd: root,
		env: { ...process.env, PATH, NODE_OPTIONS },
		shell: process.platform === 'win32',
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
	return new Promise((resolve) => {
		child.on('close', (code) => {
			const seconds = ((performance.now() - began) / 1000).toFixed(1);
			const verdict = code === 0 ? 'passed' : 'FAILED';
			process.stdout.write(`${output}${name}: ${verdict} after ${seconds} s\n`);
			resolve(code === 0);
		});
	});
}

/** Takes one check after the other, until none is left. */
async function work(results) {
	for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
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
