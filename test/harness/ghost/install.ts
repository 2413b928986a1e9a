import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { currentPlatform, nodePackage } from '../n8n/platform';
import { cacheFolder, root } from '../system/paths';
import { Problem, messageOf } from '../system/problem';
import { run } from '../system/processes';
import { step } from '../system/progress';

/** An installed Ghost, and the Node that runs it. */
export interface GhostInstall {
	version: string;
	/** The folder with Ghost's `index.js`. Nothing in it changes when Ghost runs. */
	folder: string;
	/** The Node binary. */
	node: string;
	/** A PATH that starts with the folder of that Node. */
	path: string;
}

const home = join(cacheFolder, 'ghost');
const logFile = join(cacheFolder, 'ghost-install.log');
const stamp = join(home, '.installed');
/** The files that pin Ghost, its Node, and the tools that install it. */
const pins = ['package.json', 'package-lock.json', '.npmrc'];

const wanted = (): string => {
	const hash = createHash('sha256');
	for (const name of pins) hash.update(readFileSync(join(__dirname, name)));
	return hash.digest('hex');
};
const isInstalled = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted();

/** The pinned Ghost: its version, and the hash of its package. */
function pinned(): { version: string; integrity: string } {
	const manifest = readFileSync(join(__dirname, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { ghost: ReturnType<typeof pinned> }).ghost;
}

/**
 * Why Ghost can't be had on this machine, as a sentence. Undefined if it is installed, or if
 * everything is there to install it.
 */
export function whyNoGhost(): string | undefined {
	if (isInstalled()) return undefined;
	try {
		nodePackage(currentPlatform());
	} catch {
		return 'no Node for Ghost exists for this platform';
	}
	const missing = ['python3', 'make', 'g++'].find((name) => !succeeds(name, ['--version']));
	if (missing !== undefined)
		return `Ghost's database module is built with ${missing}, which is missing`;
	if (succeeds('npm', ['view', `ghost@${pinned().version}`, 'version'])) return undefined;
	return 'the npm registry does not respond, or has no such Ghost';
}

/**
 * Installs the pinned Ghost in the cache, if it is missing or older than its pin.
 * @throws Problem if a part can't be installed.
 */
export async function ensureGhost(): Promise<GhostInstall> {
	const { version } = pinned();
	const nodeFolder = join(home, 'node_modules', nodePackage(currentPlatform()));
	const path = [join(nodeFolder, 'bin'), process.env.PATH].join(delimiter);
	const folder = join(home, 'package');
	if (!isInstalled()) {
		await step('Installing Ghost (a few minutes, once)', async () => {
			rmSync(stamp, { force: true });
			rmSync(logFile, { force: true });
			await installTools();
			await unpackGhost();
			await installDependencies(folder, path);
			await buildDatabase(folder, nodeFolder, path);
			writeFileSync(stamp, wanted());
		});
	}
	return { version, folder, node: join(nodeFolder, 'bin', 'node'), path };
}

/** Installs Ghost's Node, pnpm and node-gyp. */
async function installTools(): Promise<void> {
	mkdirSync(home, { recursive: true });
	for (const name of pins) cpSync(join(__dirname, name), join(home, name));
	const script = join(root, 'tools', 'install-missing.js');
	await run(process.execPath, [script, home], { logFile });
}

/** npm can't install Ghost itself, because some of its dependencies are files inside its package. */
async function unpackGhost(): Promise<void> {
	const { version, integrity } = pinned();
	await run('npm', ['pack', `ghost@${version}`, '--silent'], { cwd: home, logFile });
	const tarball = join(home, `ghost-${version}.tgz`);
	const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64');
	if (integrity !== `sha512-${hash}`)
		throw new Problem(`${tarball} is not the Ghost that is pinned.`);
	rmSync(join(home, 'package'), { recursive: true, force: true });
	await run('tar', ['-xzf', tarball], { cwd: home, logFile });
	rmSync(tarball);
}

async function installDependencies(folder: string, path: string): Promise<void> {
	const store = join(home, 'store');
	const flags = ['--prod', '--frozen-lockfile', '--ignore-scripts', '--reporter=append-only'];
	const settings = ['--config.node-linker=hoisted', `--config.store-dir=${store}`];
	const pnpm = join(home, 'node_modules', '.bin', 'pnpm');
	const env = { ...process.env, PATH: path, XDG_CACHE_HOME: store, XDG_STATE_HOME: store };
	await run(pnpm, ['install', ...flags, ...settings], { cwd: folder, env, logFile });
	// The installed files are links to those in the store, and remain.
	rmSync(store, { recursive: true, force: true });
}

/** Builds the only native module that Ghost needs and that does not contain its binary. */
async function buildDatabase(folder: string, nodeFolder: string, path: string): Promise<void> {
	const cwd = join(folder, 'node_modules', 'better-sqlite3');
	const gyp = join(home, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
	// node-gyp prefers npm's setting, which may name the headers of another Node, to its flag.
	const args = ['rebuild', '--release'];
	const env = { ...process.env, PATH: path, npm_config_nodedir: nodeFolder };
	try {
		await run('node', [gyp, ...args], { cwd, env, logFile });
		await run('node', ['--eval', "new (require('better-sqlite3'))(':memory:')"], {
			cwd,
			env,
			logFile,
		});
	} catch (error) {
		throw new Problem(`Ghost's database module could not be built: ${messageOf(error)}`);
	}
	for (const rest of ['obj.target', '.deps']) {
		rmSync(join(cwd, 'build', 'Release', rest), { recursive: true, force: true });
	}
}

function succeeds(command: string, args: string[]): boolean {
	return spawnSync(command, args, { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
