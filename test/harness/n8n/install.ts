import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder, pinnedN8nFolder, root } from '../system/paths';
import { Problem } from '../system/problem';
import { run } from '../system/processes';
import { step } from '../system/progress';
import { currentPlatform, nodePackage } from './platform';

/** An installed n8n, and the Node that runs it. */
export interface N8nInstall {
	version: string;
	/** The Node binary. */
	node: string;
	/** The script of the `n8n` command. */
	cli: string;
	/** A PATH that starts with the folder of that Node. */
	path: string;
}

const logFile = join(cacheFolder, 'install.log');

/**
 * Names a folder that pins a different version of n8n than the demo's. The version tests set this
 * variable.
 */
export const folderVariable = 'SUPERCAST_N8N_FOLDER';

const INSTALLING = 'Installing Node and n8n (1 to 3 minutes, once)';
const BUILDING = "Building n8n's database module (about a minute, once)";

/** The steps of `ensureN8n`. Those that are done already are missing. */
export function installSteps(folder = chosenFolder()): string[] {
	return [
		...(isInstalled(folder) ? [] : [INSTALLING]),
		...(existsSync(builtStamp(folder)) ? [] : [BUILDING]),
	];
}

function chosenFolder(): string {
	return process.env[folderVariable] ?? pinnedN8nFolder;
}

/** Whether the lockfile is that of the last installation, as tools/install-missing.js notes it. */
function isInstalled(folder: string): boolean {
	const stamp = join(folder, 'node_modules', '.installed-lockfile');
	const lockfile = readFileSync(lockfileOf(folder));
	const wanted = createHash('sha256').update(lockfile).digest('hex');
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/** The demo's n8n is pinned with pnpm's lockfile, and older ones with npm's. */
function lockfileOf(folder: string): string {
	const ofPnpm = join(folder, 'pnpm-lock.yaml');
	return existsSync(ofPnpm) ? ofPnpm : join(folder, 'package-lock.json');
}

function builtStamp(folder: string): string {
	return join(folder, 'node_modules', 'sqlite3', '.built');
}

/**
 * Installs the pinned Node and n8n if they are missing or older than the lockfile.
 * @param folder The folder with the package.json and lockfile that pin them.
 * @throws Problem if n8n does not run on the platform, or a part can't be installed.
 */
export async function ensureN8n(folder = chosenFolder()): Promise<N8nInstall> {
	const modules = join(folder, 'node_modules');
	const nodeFolder = join(modules, nodePackage(currentPlatform()));
	await ensurePackages(folder);
	const node = join(nodeFolder, 'bin', 'node');
	if (!existsSync(node)) {
		throw new Problem(`npm did not install ${node}: are optional dependencies switched off?`);
	}
	const path = [join(nodeFolder, 'bin'), process.env.PATH].join(delimiter);
	await ensureSqlite(folder, nodeFolder, path);
	const manifest = readFileSync(join(modules, 'n8n', 'package.json'), 'utf8');
	const { version } = JSON.parse(manifest) as { version: string };
	return { version, node, cli: join(modules, 'n8n', 'bin', 'n8n'), path };
}

async function ensurePackages(folder: string): Promise<void> {
	rmSync(logFile, { force: true });
	if (isInstalled(folder)) return;
	const script = join(root, 'tools', 'install-missing.js');
	const install = async () => await run(process.execPath, [script, folder], { logFile });
	await step(INSTALLING, install, installedPart);
}

/** How far pnpm is, in its own words, such as "resolved 2107, reused 0, downloaded 900, added 812". */
function installedPart(): string | undefined {
	return existsSync(logFile)
		? readFileSync(logFile, 'utf8').match(/.*^Progress: ([^\n]*)/ms)?.[1]
		: undefined;
}

/** Builds the only native module that does not contain its binary for the platform. */
async function ensureSqlite(folder: string, nodeFolder: string, path: string): Promise<void> {
	const sqliteStamp = builtStamp(folder);
	if (existsSync(sqliteStamp)) return;
	// With less optimization, the compiler needs a third less time.
	const flags = { CFLAGS: '-O1', CXXFLAGS: '-O1' };
	const env = { ...process.env, ...flags, PATH: path, npm_config_nodedir: nodeFolder };
	await step(BUILDING, async () => {
		try {
			await run('npm', ['run', 'install'], {
				cwd: join(folder, 'node_modules', 'sqlite3'),
				env,
				logFile,
			});
			await run('node', ['--eval', "require('sqlite3')"], { cwd: folder, env, logFile });
		} catch {
			throw new Problem(
				`n8n's database module could not be built: it takes Python 3, make and a C++ compiler (Debian: apt install python3 make g++; macOS: xcode-select --install). See ${logFile}`,
			);
		}
	});
	writeFileSync(sqliteStamp, '');
}
