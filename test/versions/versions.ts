import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { demoFolder, root } from '../../demo/lib/paths';
import { ensureN8n, type N8nInstall } from '../../demo/n8n/install';

/** Everything that the tests of versions leave behind; git-ignored, and safe to delete. */
export const versionsFolder = join(root, '.cache', 'versions');

/**
 * The folders that pin the versions that are tested whole, from the oldest to the newest. The first
 * is the oldest that the package supports, and the demo has the newest that installs.
 */
export const pins = ['n8n-1.85.4', 'n8n-1.123.81', 'n8n-2.20.12']
	.map((name) => join(__dirname, name))
	.concat(demoFolder);

/** A version that is ready to be tested. */
export interface Prepared {
	folder: string;
	install: N8nInstall;
}

/** Installs a version, the demo's where it is and any other in the cache. */
export async function prepare(pinned: string): Promise<Prepared> {
	const folder = pinned === demoFolder ? pinned : copyOf(pinned);
	return { folder, install: await ensureN8n(folder) };
}

function copyOf(pinned: string): string {
	const folder = join(versionsFolder, basename(pinned));
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
		cpSync(join(pinned, file), join(folder, file));
	}
	return folder;
}
