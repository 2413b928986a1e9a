'use strict';
/**
 * Installs the packages of a folder if they are missing or older than its lockfile. So every
 * command works on a fresh clone. Plain JavaScript with only Node, since it runs before anything is
 * installed.
 *
 * Usage: node tools/install-missing.js [folder]
 */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, lstatSync, readFileSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const folder = resolve(process.argv[2] ?? join(__dirname, '..'));
const lockfile = join(folder, 'package-lock.json');
const stamp = join(folder, 'node_modules', '.installed-lockfile');
const wanted = createHash('sha256').update(readFileSync(lockfile)).digest('hex');

if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) process.exit(0);
// A linked node_modules belongs to another checkout, and npm would replace it for both.
if (lstatSync(join(folder, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
	process.exit(0);
}

process.stderr.write('Installing packages (about a minute on the first run) ...\n');
// Skips install scripts. None of these packages needs one, and one of them refuses npm.
const npm = spawnSync(
	'npm',
	['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
	{
		cwd: folder,
		// npm's output goes to stderr, since the sandbox's stdout carries only one JSON line.
		stdio: ['ignore', 2, 2],
		shell: process.platform === 'win32',
	},
);
if (npm.status !== 0) {
	process.stderr.write(`npm ci failed in ${folder}: see its message above.\n`);
	process.exit(npm.status ?? 1);
}
writeFileSync(stamp, wanted);
