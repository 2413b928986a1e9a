import { execFileSync, spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const dockerfile = readFileSync(join(root, 'docker', 'Dockerfile'), 'utf8');
const compose = readFileSync(join(root, 'docker', 'compose.yml'), 'utf8');
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
		const versions = compose.match(/\$\{N8N_VERSION:-[\d.]+\}/g)!;
		expect(new Set(versions)).toEqual(new Set([`\${N8N_VERSION:-${n8n}}`]));
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

describe('compose.yml', () => {
	/** Where a text breaks the schema of Compose. */
	function faultsIn(text: string): string {
		const folder = mkdtempSync(join(tmpdir(), 'supercast-compose-'));
		writeFileSync(join(folder, 'compose.yml'), text);
		const linter = join(root, 'node_modules', 'dclint', 'bin', 'dclint.cjs');
		const { stdout } = spawnSync(process.execPath, [linter, '--formatter', 'json', folder], {
			encoding: 'utf8',
		});
		rmSync(folder, { recursive: true });
		const [{ messages }] = JSON.parse(stdout) as [{ messages: Array<Record<string, string>> }];
		// The other rules of the linter are about the order of keys and the like.
		const faults = messages.filter(({ rule }) => rule === 'invalid-schema');
		return faults.map(({ message }) => message).join('\n');
	}

	it('is valid by the schema of Compose', () => expect(faultsIn(compose)).toBe(''));

	it('would be found to be invalid', () => {
		const broken = compose.replace('    command: worker\n', '    commands: worker\n');
		expect(broken).not.toBe(compose);
		expect(faultsIn(broken)).toMatch(/worker.*additional properties/);
	});

	/** The names of environment variables in the sources of n8n-core and n8n's configuration. */
	function variablesOfN8n(): Set<string> {
		const folders = ['@n8n/config', 'n8n-core'].map((name) =>
			join(root, 'node_modules', name, 'dist'),
		);
		const names = new Set<string>();
		for (const folder of folders) {
			for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
				if (!/config.*\.js$|^index\.js$/.test(file)) continue;
				const text = readFileSync(join(folder, file), 'utf8');
				for (const [, name] of text.matchAll(/'([A-Z][A-Z0-9_]+)'/g)) names.add(name!);
			}
		}
		return names;
	}

	/** Variables that other packages read, and where they were found. */
	const elsewhere: Record<string, string> = {
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'n8n 2.41.3, modules/community-packages',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'n8n 2.41.3, offload-manual-executions.rule.js',
		N8N_RUNNERS_TASK_BROKER_URI: 'n8n 2.41.3, task-runners/task-runner-process-py.js',
		POSTGRES_DB: 'the image of PostgreSQL',
		POSTGRES_USER: 'the image of PostgreSQL',
		POSTGRES_PASSWORD: 'the image of PostgreSQL',
	};

	it('sets only variables that exist', () => {
		const known = variablesOfN8n();
		expect(known.has('DB_TYPE')).toBe(true);
		const set = [...compose.matchAll(/^ +([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!);
		expect(set.length).toBeGreaterThan(15);
		const unknown = set.filter((name) => name !== 'N8N_VERSION' && !known.has(name));
		expect(new Set(unknown)).toEqual(new Set(Object.keys(elsewhere)));
	});

	it('starts as it is, after a script has written the secrets that it needs', () => {
		const folder = mkdtempSync(join(tmpdir(), 'supercast-secrets-'));
		const file = join(folder, '.env');
		const write = () => spawnSync('sh', [join(root, 'docker', 'new-secrets.sh'), file]);
		expect(write().status).toBe(0);
		const written = readFileSync(file, 'utf8');
		const secrets = [...written.matchAll(/^([A-Z0-9_]+)=([0-9a-f]{48})$/gm)];
		const needed = [...compose.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name);
		expect(new Set(secrets.map(([, name]) => name))).toEqual(new Set(needed));
		expect(new Set(secrets.map(([, , secret]) => secret)).size).toBe(3);
		// The key of an n8n that runs already must not be lost.
		expect(write().status).toBe(1);
		expect(readFileSync(file, 'utf8')).toBe(written);
		rmSync(folder, { recursive: true });
	});

	it('keeps the secrets out of git and out of the image', () => {
		const ignored = execFileSync('git', ['check-ignore', '--no-index', 'docker/.env'], {
			cwd: root,
			encoding: 'utf8',
		});
		expect(ignored.trim()).toBe('docker/.env');
		expect(readFileSync(join(root, 'docker', 'Dockerfile.dockerignore'), 'utf8')).toMatch(
			/^\*\*\/\.env$/m,
		);
	});
});
