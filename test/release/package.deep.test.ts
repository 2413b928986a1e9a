import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { root } from '../harness/system/paths';

/** A folder with these files. */
function writeFiles(files: Record<string, string>): string {
	const folder = mkdtempSync(join(tmpdir(), 'supercast-scanned-'));
	for (const [file, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), content);
	}
	return folder;
}

describe("n8n's own tools", () => {
	const MANIFEST = {
		name: 'n8n-nodes-example',
		version: '0.1.0',
		description: 'n8n nodes for Example, in which this test hides what a scan must find',
		license: 'MIT',
		homepage: 'https://example.com',
		author: { name: 'Jane', email: 'jane@example.com' },
		keywords: ['n8n-community-node-package'],
		files: ['dist'],
		peerDependencies: { 'n8n-workflow': '*' },
		n8n: { n8nNodesApiVersion: 1, nodes: ['dist/nodes/Example.node.js'] },
	};

	/** What a script says about a package with these files beside its package.json. */
	function check(name: string, files: Record<string, string>) {
		const folder = writeFiles({ 'package.json': JSON.stringify(MANIFEST), ...files });
		try {
			const script = join(root, 'tools', 'release', name);
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

	// `npm run check-package` shows that both pass a package without faults, the real one.
	it('the scanner finds faults in both halves, even where a comment hides them', () => {
		const faulty = both('// eslint-disable-next-line\nconsole.log(1);\n');
		const { status, stdout } = check('scan-package.mjs', faulty);
		expect(status).toBe(1);
		expect(stdout).toMatch(/^source: .*a\.ts\n.*no-console.*^package: .*b\.js\n.*no-console/ms);
	});

	it('"n8n-node lint" may not even warn', () => {
		const { status, stdout } = check('lint-package.mjs', {
			'package.json': JSON.stringify({ ...MANIFEST, homepage: undefined }),
		});
		expect(status).toBe(1);
		expect(stdout).toMatch(/require-homepage.*0 errors, 1 warning.*not clean/s);
	});
});

describe('the files of the package', () => {
	const WHOLE = {
		'CHANGELOG.md': '',
		LICENSE: '',
		'README.md': '',
		'index.js': '',
		'dist/nodes/Example.node.js': 'require("n8n-workflow");',
		'dist/nodes/Example.node.json': '{}',
		'tools/release/check-package.js': readFileSync(
			join(root, 'tools', 'release', 'check-package.js'),
			'utf8',
		),
	};

	function check(more: Record<string, string>, manifest: object = {}) {
		const n8n = { nodes: ['dist/nodes/Example.node.js'], credentials: [] };
		const base = { name: 'n8n-nodes-example', version: '0.1.0', license: 'MIT', scripts: {}, n8n };
		const own = {
			...{ keywords: ['n8n-community-node-package'], peerDependencies: { 'n8n-workflow': '*' } },
			...{ files: ['dist', 'CHANGELOG.md'], ...manifest },
		};
		const packed = JSON.stringify({ ...base, ...own });
		const folder = writeFiles({ 'package.json': packed, ...WHOLE, ...more });
		const script = join(folder, 'tools', 'release', 'check-package.js');
		const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
		rmSync(folder, { recursive: true, force: true });
		return [status, stderr.trim()];
	}

	it('are as expected', () => expect(check({})).toEqual([0, '']));

	it.each([
		[
			'a file that does not belong there',
			{ 'dist/notes.txt': '' },
			{},
			/^dist\/notes\.txt does not/,
		],
		[
			'a file beside dist',
			{},
			{ files: ['dist', '*.md', 'index.js'] },
			/the package holds .*index\.js/,
		],
		[
			'code that needs another package',
			{ 'dist/nodes/b.js': 'require("lodash")' },
			{},
			/requires lodash$/,
		],
		['a dependency', {}, { dependencies: { lodash: '1' } }, /runtime dependencies/],
		['a script that npm runs', {}, { scripts: { postinstall: 'x' } }, /script "postinstall"/],
	])('are refused with %s', (_name, files, manifest, message) => {
		expect(check(files, manifest)).toEqual([1, expect.stringMatching(message)]);
	});
});

describe('the start of a container', () => {
	const script = join(root, 'tools', 'docker', 'with-supercast.sh');
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'supercast-image-'));
	});

	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	/** Packs a stand-in for the package in the image. */
	function image(version: string): void {
		mkdirSync(join(folder, 'package'), { recursive: true });
		const manifest = { name: 'n8n-nodes-supercast', version };
		writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify(manifest));
		execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
	}

	/** Starts a container on the same volume, and returns the output of its command. */
	function start(...command: string[]): string {
		const env = {
			...process.env,
			HOME: join(folder, 'home'),
			N8N_USER_FOLDER: '',
			SUPERCAST_PACKAGE: join(folder, 'package.tgz'),
		};
		const printed = execFileSync('sh', [script, ...command], { env, encoding: 'utf8' });
		return printed.trim().split('\n').at(-1)!;
	}

	function installedVersion(): string {
		const nodes = join(folder, 'home', '.n8n', 'nodes', 'node_modules');
		const manifest = readFileSync(join(nodes, 'n8n-nodes-supercast', 'package.json'), 'utf8');
		return (JSON.parse(manifest) as { version: string }).version;
	}

	it('installs the package where n8n looks, then runs its command; a newer image replaces it', () => {
		image('1.0.0');
		expect(start('echo', 'worker', '--concurrency=5')).toBe('worker --concurrency=5');
		expect(installedVersion()).toBe('1.0.0');
		image('1.1.0');
		expect(start('echo', 'start')).toBe('start');
		expect(installedVersion()).toBe('1.1.0');
	});
});
