/**
 * Packs what `npm run build` made into n8n-nodes-supercast.tgz, the file for manual installation.
 * Its name has no version, so that the address of the newest release stays the same. Needs no git.
 */
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const answer = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--loglevel=error'], {
	cwd: root,
	encoding: 'utf8',
	shell: process.platform === 'win32',
});
const [{ filename }] = JSON.parse(answer);
const tarball = join(root, 'n8n-nodes-supercast.tgz');
renameSync(join(root, filename), tarball);
console.log(tarball);
