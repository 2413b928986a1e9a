'use strict';
/**
 * Installs the packages of a folder when they are missing or older than its lockfile, so that every
 * command works on a fresh clone. Plain JavaScript on Node alone: it runs before anything is there.
 *
 * Usage: node scripts/install-missing.js [folder]
 */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const folder = resolve(process.argv[2] ?? join(__dirname, '..'));
const lockfile = join(folder, 'package-lock.json');
const stamp = join(folder, 'node_modules', '.installed-lockfile');
const wanted = createHash('sha256').update(readFileSync(lockfile)).digest('hex');

if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) process.exit(0);

process.stderr.write('Installing packages (about a minute on the first run) ...\n');
// Install scripts are left out: none of these packages needs one, and one of them refuses npm.
const npm = spawnSync(
	'npm',
	['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
	{
		cwd: folder,
		// What npm prints goes to stderr: the sandbox's stdout carries one JSON line and nothing else.
		stdio: ['ignore', 2, 2],
		shell: process.platform === 'win32',
	},
);
if (npm.status !== 0) {
	process.stderr.write(`npm ci failed in ${folder}: see its message above.\n`);
	process.exit(npm.status ?? 1);
}
writeFileSync(stamp, wanted);
