import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { cacheFolder, root } from '../system/paths';
import { Problem } from '../system/problem';
import { run } from '../system/processes';
import { step } from '../system/progress';

const folder = join(cacheFolder, 'package');
const stamp = join(folder, 'sources.sha256');
const logFile = join(cacheFolder, 'package.log');
/** The files that determine the content of the package. */
const sources = [
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'tools/tsconfig.build.json',
	'gulpfile.js',
	'index.js',
	'README.md',
	'LICENSE',
	'CHANGELOG.md',
	'credentials',
	'nodes',
];

const PACKING = 'Building and packing the package';

/** The steps of `packPackage`: none if it can reuse the last tarball. */
export function packageSteps(): string[] {
	return packed(fingerprint()) === undefined ? [PACKING] : [];
}

/**
 * Builds and packs the package as it is published. Reuses the last tarball if no input has changed.
 * @returns The path of the tarball.
 */
export async function packPackage(): Promise<string> {
	const wanted = fingerprint();
	const last = packed(wanted);
	if (last !== undefined) return last;
	return await step(PACKING, async () => {
		rmSync(folder, { recursive: true, force: true });
		rmSync(logFile, { force: true });
		mkdirSync(folder, { recursive: true });
		await run('npm', ['run', 'build'], { cwd: root, logFile });
		await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
			cwd: root,
			logFile,
		});
		const made = tarball();
		if (made === undefined) throw new Problem(`npm pack made no package. See ${logFile}`);
		writeFileSync(stamp, wanted);
		return made;
	});
}

/** Installs the packed package into a user folder of n8n, as n8n itself does. */
export async function installPackage(file: string, userFolder: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), '{ "name": "installed-nodes", "private": true }\n');
	// n8n-workflow, the only peer, comes with n8n.
	const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--offline'];
	await run('npm', ['install', ...flags, file], { cwd: nodes, logFile });
}

/** The last tarball, if it was made from these sources. */
function packed(wanted: string): string | undefined {
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted ? tarball() : undefined;
}

function tarball(): string | undefined {
	const name = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	return name === undefined ? undefined : join(folder, name);
}

function fingerprint(): string {
	const hash = createHash('sha256');
	const files = sources.flatMap((name) => filesUnder(join(root, name))).sort();
	for (const file of files) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
	return hash.digest('hex');
}

function filesUnder(path: string): string[] {
	if (!existsSync(path)) return [];
	if (!statSync(path).isDirectory()) return [path];
	return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}
