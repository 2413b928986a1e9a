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

const source = 'nodes/helper.ts';
const packed = 'dist/nodes/helper.js';
const clean = 'export const one = 1;\n';
const faulty = '// eslint-disable-next-line\nconsole.log(1);\n';

it('finds what only the source has, even where a comment turns the rule off', () => {
	const { status, stdout } = scan({ [source]: faulty, [packed]: clean });
	expect([status, stdout]).toEqual([
		1,
		expect.stringMatching(/^source: .*helper\.ts.*no-console.*package: clean$/ms),
	]);
});

it('finds what only the packed files have', () => {
	const { status, stdout } = scan({ [source]: clean, [packed]: faulty });
	expect([status, stdout]).toEqual([
		1,
		expect.stringMatching(/^source: clean$.*^package: .*helper\.js.*no-console/ms),
	]);
});

it('passes a package in which neither half has a fault', () => {
	expect(scan({ [source]: clean, [packed]: clean })).toEqual({
		status: 0,
		stdout: 'source: clean\npackage: clean\n',
	});
});
