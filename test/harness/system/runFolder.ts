import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'n8n-nodes-supercast';

/**
 * Creates an empty folder for one run, and deletes the folders of runs that were killed. The
 * folder is outside the repository. Inside the repository, an installed package would find the
 * repository's n8n-workflow instead of the one in the n8n that loads the package.
 * @param name What runs, as a part of the folder's name.
 */
export function runFolder(name: string): string {
	const place = tmpdir();
	for (const entry of readdirSync(place)) {
		const pid = new RegExp(`^${PREFIX}-${name}-(\\d+)-`).exec(entry)?.[1];
		if (pid !== undefined && !isRunning(Number(pid))) remove(join(place, entry));
	}
	return mkdtempSync(join(place, `${PREFIX}-${name}-${process.pid}-`));
}

function remove(folder: string): void {
	try {
		rmSync(folder, { recursive: true, force: true });
	} catch {
		// It belongs to another user of this machine.
	}
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
