import { join, resolve } from 'node:path';

/** The checkout. */
export const root = resolve(__dirname, '..', '..');
/** The folder whose lockfile pins Node and n8n. */
export const harnessFolder = join(root, 'harness');
/** Everything that running leaves behind; git-ignored, and safe to delete. */
export const cacheFolder = join(root, '.cache', 'harness');
