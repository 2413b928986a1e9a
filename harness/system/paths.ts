import { join, resolve } from 'node:path';

/** The checkout. */
export const root = resolve(__dirname, '..', '..');
/** The folder whose lockfile pins Node and n8n. */
export const pinnedN8nFolder = join(root, 'harness', 'pinned-n8n');
/** Everything that a run leaves behind. Git ignores it, and it is safe to delete. */
export const cacheFolder = join(root, '.cache', 'harness');
