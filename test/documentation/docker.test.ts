import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const dockerfile = readFileSync(join(root, 'docker', 'Dockerfile'), 'utf8');
const script = join(root, 'docker', 'with-supercast.sh');

describe('the image', () => {
	it('copies only files that exist', () => {
		const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )*(.*) \S+$/gm)];
		const sources = copied.flatMap(([, files]) => files!.split(' '));
		expect(sources).toContain('package-lock.json');
		for (const file of sources) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
	});

	it('is built from the n8n version of the tests, here and in the documentation', () => {
		const pinned = JSON.parse(
			readFileSync(join(root, 'harness', 'pinned-n8n', 'package.json'), 'utf8'),
		) as { dependencies: { n8n: string } };
		const { n8n } = pinned.dependencies;
		expect(dockerfile).toContain(`ARG N8N_VERSION=${n8n}\n`);
		const page = readFileSync(join(root, 'docs', 'installation.md'), 'utf8');
		expect(page).toContain(`--build-arg N8N_VERSION=${n8n} `);
	});
});

describe('the start of a container', () => {
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'supercast-image-'));
	});

	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	/** Packs a stand-in for the package of an image. */
	function image(version: string): void {
		const source = join(folder, 'source');
		mkdirSync(source, { recursive: true });
		const manifest = { name: 'n8n-nodes-supercast', version };
		writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
		const pack = ['pack', '--silent', '--pack-destination', folder];
		const file = execFileSync('npm', pack, { cwd: source, encoding: 'utf8' }).trim();
		execFileSync('mv', [join(folder, file), join(folder, 'package.tgz')]);
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
	}, 60_000);
});
