import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { pinnedN8nFolder, root } from '../harness/system/paths';
import { run } from '../harness/system/processes';
import { step } from '../harness/system/progress';
import { ensureN8n } from '../harness/n8n/install';

/** Everything that the version tests leave behind. Git ignores it, and it is safe to delete. */
export const versionsFolder = join(root, '.cache', 'versions');

/** A version of n8n, given by the folder that pins it. */
export interface Version {
	/** Its name in the table. */
	name: string;
	/** Its package.json and lockfile say what to install. */
	pinned: string;
	/** Whether that is the whole server, and not only the engine. */
	isWhole: boolean;
}

/** A version that is ready to be tested. */
export interface Prepared {
	/** The folder of its packages. */
	folder: string;
	/** The Node binary for it. */
	node: string;
}

const beside = (name: string): string => join(__dirname, name);

/** From the oldest that the package supports to the newest, which is the demo's. */
export function allVersions(): Version[] {
	const older = ['n8n-1.85.4', 'n8n-1.123.81', 'n8n-core-2.20.6', 'n8n-2.39.10'].map(beside);
	return [...older, pinnedN8nFolder].map((pinned) => {
		const { n8n, ...others } = dependenciesOf(pinned);
		return { pinned, isWhole: n8n !== undefined, name: n8n ?? `${others['n8n-core']} (n8n-core)` };
	});
}

/**
 * Installs a version. The demo's stays in its place, and others go to the cache.
 */
export async function prepare({ pinned, isWhole, name }: Version): Promise<Prepared> {
	const folder = pinned === pinnedN8nFolder ? pinned : copyOf(pinned);
	if (isWhole) return { folder, node: (await ensureN8n(folder)).node };
	const script = join(root, 'tools', 'install-missing.js');
	const logFile = join(versionsFolder, 'install.log');
	await step(`Checking the installed ${name}`, async () => {
		await run(process.execPath, [script, folder], { logFile });
	});
	return { folder, node: process.execPath };
}

function copyOf(pinned: string): string {
	const folder = join(versionsFolder, basename(pinned));
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
		cpSync(join(pinned, file), join(folder, file));
	}
	return folder;
}

function dependenciesOf(folder: string): Record<string, string | undefined> {
	const text = readFileSync(join(folder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies;
}
