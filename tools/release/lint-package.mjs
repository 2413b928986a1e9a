/**
 * Runs `n8n-node lint`, n8n's own command, on what the package is made of. It uses the command's
 * default configuration, which is not that of this repository. The folder tools/release/n8n-node pins the
 * command with its own versions of ESLint and the rules.
 *
 * Usage: node tools/release/lint-package.mjs [folder of a package]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const source = process.argv[2] ?? root;
const tool = join(root, 'tools', 'release', 'n8n-node');
const command = join(tool, 'node_modules', '@n8n', 'node-cli');
/** What a package of n8n's starter consists of. Tests have other rules. */
const PARTS = ['package.json', 'tsconfig.json', 'index.js', 'credentials', 'nodes'];

/** Copies the package to a folder that has n8n's default configuration instead of ours. */
function copied() {
	// Inside the repository, so that the rules find n8n-workflow in its node_modules.
	const place = join(root, '.cache', 'n8n-node');
	mkdirSync(place, { recursive: true });
	const folder = mkdtempSync(join(place, 'lint-'));
	for (const part of PARTS.filter((name) => existsSync(join(source, name))))
		cpSync(join(source, part), join(folder, part), { recursive: true });
	const defaults = join(command, 'dist', 'template', 'templates', 'shared', 'default');
	cpSync(join(defaults, 'eslint.config.mjs'), join(folder, 'eslint.config.mjs'));
	symlinkSync(join(tool, 'node_modules'), join(folder, 'node_modules'), 'junction');
	return folder;
}

const install = [join(root, 'tools', 'install-missing.js'), tool];
if (spawnSync(process.execPath, install, { stdio: 'inherit' }).status !== 0) process.exit(1);
const folder = copied();
try {
	const args = [join(command, 'bin', 'n8n-node.mjs'), 'lint'];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, {
		cwd: folder,
		encoding: 'utf8',
	});
	process.stderr.write(stderr);
	// The command passes a package with warnings. Here, they count.
	const isClean = status === 0 && !/\d+ problems? \(/.test(stdout);
	console.log(isClean ? 'n8n-node lint: clean' : `${stdout}n8n-node lint: not clean`);
	if (!isClean) process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
