import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root } from '../../harness/system/paths';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something new.\n';

const MANIFEST = {
	name: 'n8n-nodes-example',
	version: '0.1.0',
	author: { name: 'Jane', email: 'jane@example.com' },
	repository: { type: 'git', url: 'git+https://github.com/example/n8n-nodes-example.git' },
};

/** Stands in for the checks, which take minutes: notes them, and fails the one that is to fail. */
const NPM = `#!/bin/sh
[ "$1" = run ] || exec "$REAL_NPM" "$@"
echo "$*" >>"$HOME/ran"
[ "$2" != "$FAILING" ]
`;
const CHECKS = 'run test -- --ci\nrun lint\nrun build\nrun check-package\n';

const realNpm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();
let template: string;
let folder: string;
let clone: string;

const run = (program: string, parameters: string[], cwd: string) =>
	execFileSync(program, parameters, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
const git = (...parameters: string[]) => run('git', parameters, clone);
const inOrigin = (...parameters: string[]) => run('git', parameters, join(folder, 'origin.git'));
const text = (file: string) => readFileSync(join(clone, file), 'utf8');
const write = (file: string, content: string) => writeFileSync(join(clone, file), content);

function commit(message: string): void {
	git('add', '--all');
	git('commit', '--quiet', '--message', message);
}

/** A repository with one commit, whose origin is a bare repository beside it. */
beforeAll(() => {
	template = folder = mkdtempSync(join(tmpdir(), 'supercast-release-'));
	clone = join(folder, 'clone');
	mkdirSync(join(clone, 'scripts'), { recursive: true });
	writeFileSync(join(folder, 'npm'), NPM, { mode: 0o755 });
	run(
		'git',
		['init', '--quiet', '--template=', '--bare', '--initial-branch=main', 'origin.git'],
		folder,
	);
	git('init', '--quiet', '--template=', '--initial-branch=main');
	git('config', 'user.name', 'Jane');
	git('config', 'user.email', 'jane@example.com');
	for (const script of ['release.mjs', 'check-release.js']) {
		cpSync(join(root, 'scripts', script), join(clone, 'scripts', script));
	}
	write('CHANGELOG.md', CHANGELOG);
	write('package.json', JSON.stringify(MANIFEST));
	const { name, version } = MANIFEST;
	const packages = { '': { name, version } };
	write('package-lock.json', JSON.stringify({ name, version, lockfileVersion: 3, packages }));
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

/** Releases, where the check `failing` fails. */
function release(parameters: string[], failing = '') {
	const env = {
		...process.env,
		FAILING: failing,
		GITHUB_REPOSITORY: '',
		HOME: folder,
		PATH: `${folder}:${process.env.PATH}`,
		REAL_NPM: realNpm,
	};
	const script = join(clone, 'scripts', 'release.mjs');
	return spawnSync(process.execPath, [script, ...parameters], { env, encoding: 'utf8' });
}

const checksThatRan = () => {
	const file = join(folder, 'ran');
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** What a refused release must leave as it was: the clone, its files and tags, and origin. */
const state = () => [
	text('.git/HEAD'),
	git('for-each-ref', 'refs/heads', 'refs/tags'),
	git('status', '--porcelain'),
	inOrigin('for-each-ref'),
	text('CHANGELOG.md'),
	text('package.json'),
];

it('releases a version: checks, changelog, version, commit, tag and push', () => {
	const days = [new Date().toISOString().slice(0, 10)];
	const { status, stdout } = release(['minor']);
	expect([status, stdout]).toEqual([0, expect.stringContaining('v0.2.0 is tagged and pushed')]);
	days.push(new Date().toISOString().slice(0, 10));

	expect(checksThatRan()).toBe(CHECKS);
	const changelogs = days.map((day) => CHANGELOG.replace('ed]\n', `ed]\n\n## [0.2.0] - ${day}\n`));
	expect(changelogs).toContain(text('CHANGELOG.md'));
	expect(JSON.parse(text('package.json'))).toEqual({ ...MANIFEST, version: '0.2.0' });
	const versions = { version: '0.2.0', packages: { '': { version: '0.2.0' } } };
	expect(JSON.parse(text('package-lock.json'))).toMatchObject(versions);
	expect(git('status', '--porcelain')).toBe('');
	expect(git('log', '-1', '--format=%s')).toBe('Version 0.2.0');
	expect(inOrigin('rev-parse', 'main')).toBe(git('rev-parse', 'HEAD'));
	expect(inOrigin('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
	expect(inOrigin('cat-file', '-t', 'v0.2.0')).toBe('tag');
});

it('releases twice, and leaves the older entries alone', () => {
	expect(release(['minor']).status).toBe(0);
	write('CHANGELOG.md', text('CHANGELOG.md').replace('ed]\n', 'ed]\n\n### Fixed\n\n- A fault.\n'));
	commit('Fix a fault');
	expect(release(['patch']).status).toBe(0);
	expect(text('CHANGELOG.md')).toMatch(
		/^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.1\] - \S+\n\n### Fixed\n\n- A fault\.\n\n## \[0\.2\.0\] - \S+\n\n### Added\n\n- Something new\.\n$/,
	);
	expect(inOrigin('tag')).toBe('v0.2.0\nv0.2.1');
});

it.each([
	['patch', 'v0.1.1'],
	['major', 'v1.0.0'],
])('checks everything on a dry run of a %s version, and changes nothing', (step, tag) => {
	const before = state();
	const { status, stdout } = release([step, '--dry-run']);
	expect([status, stdout]).toEqual([0, expect.stringContaining(`${tag} can be released`)]);
	expect(checksThatRan()).toBe(CHECKS);
	expect(state()).toEqual(before);
});

describe('refuses, before the checks,', () => {
	/** A commit on origin that the clone does not have. */
	function otherCommit(): void {
		run('git', ['clone', '--quiet', 'origin.git', 'other'], folder);
		const other = join(folder, 'other');
		const who = ['-c', 'user.name=Joe', '-c', 'user.email=joe@example.com'];
		run('git', [...who, 'commit', '--quiet', '--allow-empty', '--message', 'Another'], other);
		run('git', ['push', '--quiet', 'origin', 'main'], other);
	}

	const obstacles: Array<[string, RegExp, () => void]> = [
		[
			'a changed file',
			/Commit or stash.*\n M package\.json/,
			() => write('package.json', JSON.stringify({ ...MANIFEST, private: true })),
		],
		['a new file', /Commit or stash.*\n\?\? new\.txt/, () => write('new.txt', '')],
		[
			'another branch',
			/on "topic".*git switch main/,
			() => git('switch', '--quiet', '--create', 'topic'),
		],
		['no branch', /on "".*git switch main/, () => git('switch', '--quiet', '--detach')],
		['a tag here', /v0\.2\.0 already exists/, () => git('tag', 'v0.2.0')],
		['a tag on origin', /v0\.2\.0 already exists/, () => inOrigin('tag', 'v0.2.0', 'main')],
		['commits on origin', /origin has 1 commits.*git pull --rebase/, otherCommit],
		['no origin', /"git fetch .*" failed/, () => git('remote', 'remove', 'origin')],
		[
			'nothing under Unreleased',
			/no entry under "Unreleased"/,
			() => {
				write(
					'CHANGELOG.md',
					'# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n',
				);
				commit('Empty');
			},
		],
		[
			'no heading Unreleased',
			/no entry under "Unreleased"/,
			() => {
				write('CHANGELOG.md', '# Changelog\n\n- Something.\n');
				commit('Broken');
			},
		],
	];

	it.each(obstacles)('%s', (_name, message, obstruct) => {
		obstruct();
		const before = state();
		const { status, stdout, stderr } = release(['minor']);
		expect({ status, stdout, stderr }).toEqual({
			status: 1,
			stdout: '',
			stderr: expect.stringMatching(message),
		});
		expect(checksThatRan()).toBe('');
		expect(state()).toEqual(before);
	});

	it.each([[[]], [['0.2.0']], [['minor', '--force']]])('a call with %j', (parameters) => {
		expect(release(parameters)).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(/^Usage/),
		});
	});
});

describe('changes nothing', () => {
	function expectNothingReleased(message: RegExp, failing = ''): void {
		const before = state();
		const { status, stderr } = release(['minor'], failing);
		expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
		expect(state()).toEqual(before);
	}

	it.each(['test', 'check-package'])('when "npm run %s" fails', (name) => {
		expectNothingReleased(new RegExp(`"npm run ${name}.*" failed`), name);
	});

	it('when the author has no real address', () => {
		const author = { name: 'Jane', email: 'jane@nowhere.example' };
		write('package.json', JSON.stringify({ ...MANIFEST, author }));
		commit('Author');
		expectNothingReleased(/jane@nowhere\.example, which nobody reads/);
	});

	it('when origin refuses the push', () => {
		const hooks = join(folder, 'origin.git', 'hooks');
		mkdirSync(hooks);
		writeFileSync(join(hooks, 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
		expectNothingReleased(/"git push .*" failed.*pre-receive hook declined/s);
	});
});
