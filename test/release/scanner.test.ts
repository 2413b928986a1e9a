import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { root } from '../../harness/system/paths';

const MANIFEST = {
	name: 'n8n-nodes-example',
	version: '0.1.0',
	description: 'n8n nodes for Example, in which this test hides what a scan must find',
	license: 'MIT',
	author: { name: 'Jane', email: 'jane@example.com' },
	keywords: ['n8n-community-node-package'],
	files: ['dist'],
	peerDependencies: { 'n8n-workflow': '*' },
	n8n: { n8nNodesApiVersion: 1, nodes: ['dist/nodes/Example.node.js'] },
};

/** A package with these files beside its package.json, scanned. */
function scan(files: Record<string, string>) {
	const folder = mkdtempSync(join(tmpdir(), 'supercast-scanned-'));
	const all = { 'package.json': JSON.stringify(MANIFEST), ...files };
	for (const [file, content] of Object.entries(all)) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), content);
	}
	try {
		const script = join(root, 'scripts', 'scan-package.mjs');
		const { status, stdout } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
		return { status, stdout };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The source and the packed file, with the same content. */
const both = (content: string) => ({ 'nodes/a.ts': content, 'dist/nodes/b.js': content });

it('finds faults in the source and in the packed files, even where a comment hides them', () => {
	const { status, stdout } = scan(both('// eslint-disable-next-line\nconsole.log(1);\n'));
	expect(status).toBe(1);
	expect(stdout).toMatch(/^source: .*a\.ts\n.*no-console.*^package: .*b\.js\n.*no-console/ms);
});

it('passes a package in which neither half has a fault', () => {
	const stdout = 'source: clean\npackage: clean\n';
	expect(scan(both('export const one = 1;\n'))).toEqual({ status: 0, stdout });
});
