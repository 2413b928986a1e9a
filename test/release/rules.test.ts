import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

import { SupercastApi } from '../../credentials/SupercastApi.credentials';
import { SupercastOAuth2Api } from '../../credentials/SupercastOAuth2Api.credentials';
import { root } from '../harness/system/paths';
import { Supercast } from '../../nodes/Supercast/Supercast.node.js';
import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node.js';

describe('the pipelines', () => {
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
	const texts = readdirSync(folder).map(
		(file) => [file, readFileSync(join(folder, file), 'utf8')] as const,
	);
	const pipelines = texts.map(([file, text]) => [file, parse(text) as Pipeline] as const);

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

	it('identifies itself to npm only in the job that publishes, which runs no code of this repository', () => {
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
});

describe('coming rules', () => {
	/**
	 * Rules for community nodes that are in n8n's repository (docs/rules/ of
	 * @n8n/eslint-plugin-community-nodes), but not yet in the plugin on npm. docs/verification.md
	 * says which of them the package does not meet, and why.
	 */
	const read = (file: string) => readFileSync(join(root, file), 'utf8');
	const folder = 'nodes/Supercast';
	/** Credentials that contain their test. */
	const TESTED = [new SupercastApi(), new SupercastOAuth2Api()]
		.filter(({ test }: ICredentialType) => test !== undefined)
		.map(({ name }) => name);
	const descriptions = [new Supercast().description, new SupercastTrigger().description];

	/** All fields of a node, those in collections and the modes of locators included. */
	function fieldsOf(properties: unknown[]): INodeProperties[] {
		return (properties as INodeProperties[]).flatMap((field) => {
			const { options = [], modes = [] } = field as { options?: unknown[]; modes?: unknown[] };
			return [field, ...fieldsOf(options), ...fieldsOf(modes)];
		});
	}

	describe.each(descriptions.map((description) => [description.name, description] as const))(
		'%s',
		(name, { properties, credentials = [], icon }: INodeTypeDescription) => {
			const codex = JSON.parse(
				read(`${folder}/${name[0]!.toUpperCase()}${name.slice(1)}.node.json`),
			) as { categories: string[]; subcategories?: unknown };

			it('hint-max-length: hints have at most 120 characters', () => {
				const hints = fieldsOf(properties).flatMap(({ hint = '' }) => hint);
				expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
			});

			it('no-asterisk-in-option-names: an asterisk would read like formatting', () => {
				const names = fieldsOf(properties).map(({ name }) => name);
				expect(names.filter((field) => field.includes('*'))).toEqual([]);
			});

			it('credential-test-required: each credential names its test', () => {
				const untested = credentials.filter(
					({ name: type, testedBy }) => testedBy === undefined && !TESTED.includes(type),
				);
				expect(untested).toEqual([]);
			});

			it('open-ended-node-fields: no optional JSON field outside of collections', () => {
				const open = properties.filter(
					({ type, required }) => type === 'json' && required !== true,
				);
				expect(open.map((field) => field.name)).toEqual([]);
			});

			it('no-codex-subcategories, valid-node-categories: one of the categories of n8n', () => {
				expect(codex.subcategories).toBeUndefined();
				expect(codex.categories).toEqual(['Marketing & Content']);
			});

			it('icon-contrast: icons are visible in both themes, by the ratio of WCAG for pictures', () => {
				const { light, dark } = icon as { light: string; dark: string };
				expect(contrast(light, '#ffffff')).toBeGreaterThan(3);
				expect(contrast(dark, '#2b2b2b')).toBeGreaterThan(3);
			});
		},
	);

	it('builderHint: each node names the other one as related, by a type that exists', () => {
		const types = descriptions.map(({ name }) => `n8n-nodes-supercast.${name}`);
		const related = descriptions.map(({ builderHint }) =>
			builderHint!.relatedNodes!.map(({ nodeType }) => nodeType),
		);
		expect(related[0]).toContain(types[1]);
		expect(related[1]).toContain(types[0]);
		for (const type of related.flat()) {
			expect([...types, expect.stringMatching(/^n8n-nodes-base\./)]).toContainEqual(type);
		}
	});

	/** The luminance of a color, as in WCAG 2. */
	function luminance(color: string): number {
		const [red = 0, green = 0, blue = 0] = [1, 3, 5]
			.map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
			.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	}

	/** The best contrast between a background and the largest area of an icon, its first fill. */
	function contrast(file: string, background: string): number {
		const svg = read(`${folder}/${file.replace('file:', '')}`);
		const [, fill] = /fill="(#[0-9a-f]{6})"/.exec(svg)!;
		const [low, high] = [luminance(fill!), luminance(background)].sort((a, b) => a - b);
		return (high! + 0.05) / (low! + 0.05);
	}
});

describe('the Docker image', () => {
	const root = join(__dirname, '..', '..');
	const dockerfile = readFileSync(join(root, 'tools', 'docker', 'Dockerfile'), 'utf8');
	const compose = readFileSync(join(root, 'tools', 'docker', 'compose.yml'), 'utf8');

	describe('the image', () => {
		it('is built from the n8n version of the tests, here and in the documentation', () => {
			const pinned = JSON.parse(
				readFileSync(join(root, 'test', 'harness', 'pinned-n8n', 'package.json'), 'utf8'),
			) as { dependencies: { n8n: string } };
			const { n8n } = pinned.dependencies;
			expect(dockerfile).toContain(`ARG N8N_VERSION=${n8n}\n`);
			const page = readFileSync(join(root, 'docs', 'installation.md'), 'utf8');
			expect(page).toContain(`--build-arg N8N_VERSION=${n8n} `);
			const versions = compose.match(/\$\{N8N_VERSION:-[\d.]+\}/g)!;
			expect(new Set(versions)).toEqual(new Set([`\${N8N_VERSION:-${n8n}}`]));
		});
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
			// The other rules of the linter are about style, such as the order of keys.
			const faults = messages.filter(({ rule }) => rule === 'invalid-schema');
			return faults.map(({ message }) => message).join('\n');
		}

		it('is valid by the schema of Compose', () => expect(faultsIn(compose)).toBe(''));

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
			const write = () => spawnSync('sh', [join(root, 'tools', 'docker', 'new-secrets.sh'), file]);
			expect(write().status).toBe(0);
			const written = readFileSync(file, 'utf8');
			const secrets = [...written.matchAll(/^([A-Z0-9_]+)=([0-9a-f]{48})$/gm)];
			const needed = [...compose.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name);
			expect(new Set(secrets.map(([, name]) => name))).toEqual(new Set(needed));
			expect(new Set(secrets.map(([, , secret]) => secret)).size).toBe(3);
			// An n8n that already runs must keep its key.
			expect(write().status).toBe(1);
			expect(readFileSync(file, 'utf8')).toBe(written);
			rmSync(folder, { recursive: true });
		});

		it('keeps the secrets out of git and out of the image', () => {
			const ignored = execFileSync('git', ['check-ignore', '--no-index', 'tools/docker/.env'], {
				cwd: root,
				encoding: 'utf8',
			});
			expect(ignored.trim()).toBe('tools/docker/.env');
			expect(
				readFileSync(join(root, 'tools', 'docker', 'Dockerfile.dockerignore'), 'utf8'),
			).toMatch(/^\*\*\/\.env$/m);
		});
	});
});
