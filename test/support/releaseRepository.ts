import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
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

import { root } from '../harness/system/paths';

export const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something new.\n';

export const MANIFEST = {
	name: 'n8n-nodes-example',
	version: '0.1.0',
	author: { name: 'Jane', email: 'jane@example.com' },
	repository: { type: 'git', url: 'git+https://github.com/example/n8n-nodes-example.git' },
};

/** Replaces the checks, which take minutes. It records each check, and lets `FAILING` fail. */
const NPM = `#!/bin/sh
[ "$1" = run ] || exec "$REAL_NPM" "$@"
echo "$*" >>"$HOME/ran"
[ "$2" != "$FAILING" ]
`;
export const CHECKS = 'run test -- --ci\nrun lint\nrun build\nrun check-package\n';

const realNpm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();
let template: string;
export let folder: string;
let clone: string;

export const runProgram = (program: string, parameters: string[], cwd: string) =>
	execFileSync(program, parameters, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
export const git = (...parameters: string[]) => runProgram('git', parameters, clone);
export const inOrigin = (...parameters: string[]) =>
	runProgram('git', parameters, join(folder, 'origin.git'));
export const contentOf = (file: string) => readFileSync(join(clone, file), 'utf8');
export const writeFile = (file: string, content: string) =>
	writeFileSync(join(clone, file), content);

export function commit(message: string): void {
	git('add', '--all');
	git('commit', '--quiet', '--message', message);
}

/** A repository with one commit, whose origin is a bare repository beside it. */
beforeAll(() => {
	template = folder = mkdtempSync(join(tmpdir(), 'supercast-release-'));
	clone = join(folder, 'clone');
	mkdirSync(join(clone, 'tools', 'release'), { recursive: true });
	writeFileSync(join(folder, 'npm'), NPM, { mode: 0o755 });
	runProgram(
		'git',
		['init', '--quiet', '--template=', '--bare', '--initial-branch=main', 'origin.git'],
		folder,
	);
	git('init', '--quiet', '--template=', '--initial-branch=main');
	git('config', 'user.name', 'Jane');
	git('config', 'user.email', 'jane@example.com');
	for (const script of ['release.mjs', 'check-release.js', 'publishing.js']) {
		const parts = ['tools', 'release', script];
		cpSync(join(root, ...parts), join(clone, ...parts));
	}
	writeFile('CHANGELOG.md', CHANGELOG);
	writeFile('package.json', JSON.stringify(MANIFEST));
	const { name, version } = MANIFEST;
	const packages = { '': { name, version } };
	writeFile('package-lock.json', JSON.stringify({ name, version, lockfileVersion: 3, packages }));
	commit('First');
	git('remote', 'add', 'origin', '../origin.git');
	git('push', '--quiet', 'origin', 'main');
});

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'supercast-release-'));
	clone = join(folder, 'clone');
	cpSync(template, folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** Runs a release in which the check `failing` fails. */
export function release(parameters: string[], failing = '') {
	const env = {
		...process.env,
		FAILING: failing,
		GITHUB_REPOSITORY: '',
		HOME: folder,
		PATH: `${folder}:${process.env.PATH}`,
		REAL_NPM: realNpm,
	};
	const script = join(clone, 'tools', 'release', 'release.mjs');
	return spawnSync(process.execPath, [script, ...parameters], { env, encoding: 'utf8' });
}

export const checksThatRan = () => {
	const file = join(folder, 'ran');
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** The branches and tags of a repository, read without a process, which would take longer. */
function refsOf(repository: string): string[] {
	return ['heads', 'tags'].flatMap((kind) => {
		const refs = join(repository, 'refs', kind);
		const names = existsSync(refs) ? readdirSync(refs) : [];
		return names.map((name) => `${kind}/${name} ${readFileSync(join(refs, name), 'utf8')}`);
	});
}

/** What a refused release must leave as it was: the clone, its files and tags, and origin. */
export const state = () => [
	contentOf('.git/HEAD'),
	refsOf(join(clone, '.git')),
	git('status', '--porcelain'),
	refsOf(join(folder, 'origin.git')),
	contentOf('CHANGELOG.md'),
	contentOf('package.json'),
];
