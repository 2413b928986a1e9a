import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

import { root } from '../../harness/system/paths';

interface Step {
	uses?: string;
	run?: string;
}

interface Pipeline {
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{
			uses?: string;
			needs?: string[] | string;
			permissions?: Record<string, string>;
			steps?: Step[];
		}
	>;
}

const folder = join(root, '.github', 'workflows');
const pipelines = readdirSync(folder).map(
	(file) => [file, parse(readFileSync(join(folder, file), 'utf8')) as Pipeline] as const,
);

describe.each(pipelines)('%s', (_file, { permissions, jobs }) => {
	const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

	it('uses actions by commit, and runs no program that no lockfile pins', () => {
		const actions = steps.flatMap(({ uses }) => uses ?? []);
		expect(actions.filter((uses) => !/@[\da-f]{40}$/.test(uses))).toEqual([]);
		const commands = steps.flatMap(({ run }) => run ?? []);
		expect(commands.filter((run) => /npx (?!--no-install)/.test(run))).toEqual([]);
	});

	it('may only read, except in jobs that say otherwise', () => {
		expect(permissions).toEqual({ contents: 'read' });
	});
});

it('identifies itself to npm only in the job that publishes, which runs nothing of this repository', () => {
	const { jobs } = Object.fromEntries(pipelines)['release.yml']!;
	const granted = Object.entries(jobs).flatMap(([name, job]) =>
		Object.entries(job.permissions ?? {}).map(([right, level]) => `${name}: ${right} ${level}`),
	);
	expect(granted).toEqual(['publish: id-token write', 'attach: contents write']);
	const { needs, steps = [] } = jobs.publish!;
	expect(needs).toEqual(['build', 'nightly']);
	expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout'))).toEqual([]);
	expect(steps.flatMap(({ run }) => run ?? []).join('\n')).not.toMatch(/npm (run|ci|test)/);
});

describe('the scanner of the package', () => {
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
			const { status, stdout } = spawnSync(process.execPath, [script, folder], {
				encoding: 'utf8',
			});
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
});
