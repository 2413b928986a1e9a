import { rmSync } from 'node:fs';

import { runFolder } from '../../harness/system/runFolder';
import type { Cleanup } from './cleanup';

/** An empty folder for one run of a part of the tests. It is deleted at the end. */
export function emptyFolder(name: string, cleanup: Cleanup): string {
	const folder = runFolder(name);
	cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
