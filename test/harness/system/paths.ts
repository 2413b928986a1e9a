import { join, resolve } from 'node:path';

/** The root of the repository. */
export const root = resolve(__dirname, '..', '..', '..');
/** The folder whose lockfile pins Node and n8n. */
export const pinnedN8nFolder = join(root, 'test', 'harness', 'pinned-n8n');
/** Everything that remains after a run. Git ignores it, and you can delete it. */
export const cacheFolder = join(root, '.cache', 'harness');
