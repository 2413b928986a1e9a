import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../demo/lib/paths';
import type { Cleanup } from './cleanup';

/** A folder for one run of a part of the tests. */
export function emptyFolder(name: string, cleanup: Cleanup): string {
	return folderIn(join(root, '.cache', 'e2e'), name, cleanup);
}

/**
 * Makes an empty folder that is removed at the end, and removes what runs have left that were killed
 * outright.
 */
export function folderIn(parent: string, name: string, cleanup: Cleanup): string {
	mkdirSync(parent, { recursive: true });
	for (const entry of readdirSync(parent)) {
		const pid = entry.startsWith(`${name}-`) ? entry.slice(name.length + 1) : '';
		if (/^\d+$/.test(pid) && !isRunning(Number(pid))) remove(join(parent, entry));
	}
	const folder = join(parent, `${name}-${process.pid}`);
	remove(folder);
	mkdirSync(folder);
	cleanup.add(() => remove(folder));
	return folder;
}

function remove(folder: string): void {
	rmSync(folder, { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
