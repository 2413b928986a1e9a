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

/**
 * Installs the pinned Node and n8n if they are missing or older than the lockfile.
 * @param folder The folder with the package.json and lockfile that pin them.
 * @throws Problem if n8n does not run on the platform, or a part can't be installed.
 */
export async function ensureN8n(
	folder = process.env[folderVariable] ?? pinnedN8nFolder,
): Promise<N8nInstall> {
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
	const script = join(root, 'scripts', 'install-missing.js');
	const first = !existsSync(join(folder, 'node_modules', '.installed-lockfile'));
	const label = first ? 'Installing Node and n8n (a few minutes)' : 'Checking the installed n8n';
	await step(label, async () => {
		rmSync(logFile, { force: true });
		await run(process.execPath, [script, folder], { logFile });
	});
}

/** Builds the only native module that does not contain its binary for the platform. */
async function ensureSqlite(folder: string, nodeFolder: string, path: string): Promise<void> {
	const sqliteStamp = join(folder, 'node_modules', 'sqlite3', '.built');
	if (existsSync(sqliteStamp)) return;
	// With less optimization, the compiler needs a third less time.
	const flags = { CFLAGS: '-O1', CXXFLAGS: '-O1' };
	const env = { ...process.env, ...flags, PATH: path, npm_config_nodedir: nodeFolder };
	await step("Building n8n's database module (about a minute, once)", async () => {
		try {
			await run('npm', ['rebuild', 'sqlite3'], { cwd: folder, env, logFile });
			await run('node', ['--eval', "require('sqlite3')"], { cwd: folder, env, logFile });
		} catch {
			throw new Problem(
				`n8n's database module could not be built: it takes Python 3, make and a C++ compiler (Debian: apt install python3 make g++; macOS: xcode-select --install). See ${logFile}`,
			);
		}
	});
	writeFileSync(sqliteStamp, '');
}
