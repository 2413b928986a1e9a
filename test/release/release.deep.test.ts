import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	CHANGELOG,
	CHECKS,
	MANIFEST,
	checksThatRan,
	commit,
	contentOf,
	folder,
	git,
	inOrigin,
	release,
	runProgram,
	state,
	writeFile,
} from '../support/releaseRepository';

it('releases a version: checks, changelog, version, commit, tag and push', () => {
	const days = [new Date().toISOString().slice(0, 10)];
	const { status, stdout } = release(['minor']);
	expect([status, stdout]).toEqual([0, expect.stringContaining('v0.2.0 is tagged and pushed')]);
	days.push(new Date().toISOString().slice(0, 10));

	expect(checksThatRan()).toBe(CHECKS);
	const changelogs = days.map((day) => CHANGELOG.replace('ed]\n', `ed]\n\n## [0.2.0] - ${day}\n`));
	expect(changelogs).toContain(contentOf('CHANGELOG.md'));
	expect(JSON.parse(contentOf('package.json'))).toEqual({ ...MANIFEST, version: '0.2.0' });
	const versions = { version: '0.2.0', packages: { '': { version: '0.2.0' } } };
	expect(JSON.parse(contentOf('package-lock.json'))).toMatchObject(versions);
	expect(git('status', '--porcelain')).toBe('');
	expect(git('log', '-1', '--format=%s')).toBe('Version 0.2.0');
	expect(inOrigin('rev-parse', 'main')).toBe(git('rev-parse', 'HEAD'));
	expect(inOrigin('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
	expect(inOrigin('cat-file', '-t', 'v0.2.0')).toBe('tag');
});

it('releases twice, and leaves the older entries alone', () => {
	expect(release(['minor']).status).toBe(0);
	writeFile(
		'CHANGELOG.md',
		contentOf('CHANGELOG.md').replace('ed]\n', 'ed]\n\n### Fixed\n\n- A fault.\n'),
	);
	commit('Fix a fault');
	expect(release(['patch']).status).toBe(0);
	expect(contentOf('CHANGELOG.md')).toMatch(
		/^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.1\] - \S+\n\n### Fixed\n\n- A fault\.\n\n## \[0\.2\.0\] - \S+\n\n### Added\n\n- Something new\.\n$/,
	);
	expect(inOrigin('tag')).toBe('v0.2.0\nv0.2.1');
});

it('checks everything on a dry run, and changes nothing', () => {
	const before = state();
	const { status, stdout } = release(['major', '--dry-run']);
	expect([status, stdout]).toEqual([0, expect.stringContaining('v1.0.0 can be released')]);
	expect(checksThatRan()).toBe(CHECKS);
	expect(state()).toEqual(before);
});

describe('refuses, before the checks,', () => {
	/** A commit on origin that the clone does not have. */
	function otherCommit(): void {
		runProgram('git', ['clone', '--quiet', 'origin.git', 'other'], folder);
		const other = join(folder, 'other');
		const who = ['-c', 'user.name=Joe', '-c', 'user.email=joe@example.com'];
		runProgram(
			'git',
			[...who, 'commit', '--quiet', '--allow-empty', '--message', 'Another'],
			other,
		);
		runProgram('git', ['push', '--quiet', 'origin', 'main'], other);
	}

	const obstacles: Array<[string, RegExp, () => void]> = [
		[
			'a changed file',
			/Commit or stash.*\n M package\.json/,
			() => writeFile('package.json', JSON.stringify({ ...MANIFEST, private: true })),
		],
		['a new file', /Commit or stash.*\n\?\? new\.txt/, () => writeFile('new.txt', '')],
		[
			'another branch',
			/on "topic".*git switch main/,
			() => git('switch', '--quiet', '--create', 'topic'),
		],
		['a tag here', /v0\.2\.0 already exists/, () => git('tag', 'v0.2.0')],
		['a tag on origin', /v0\.2\.0 already exists/, () => inOrigin('tag', 'v0.2.0', 'main')],
		['commits on origin', /origin has 1 commits.*git pull --rebase/, otherCommit],
		[
			'nothing under Unreleased',
			/no entry under "Unreleased"/,
			() => {
				writeFile(
					'CHANGELOG.md',
					'# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n',
				);
				commit('Empty');
			},
		],
		[
			'an author whose address nobody reads',
			/jane@nowhere\.example, which nobody reads/,
			() => {
				const author = { name: 'Jane', email: 'jane@nowhere.example' };
				writeFile('package.json', JSON.stringify({ ...MANIFEST, author }));
				commit('Author');
			},
		],
		[
			'a repository other than that in package.json',
			/The repository in package\.json is .*n8n-nodes-example\.git, not jane\/fork/,
			() => {
				git('remote', 'set-url', '--push', 'origin', '../origin.git');
				git(
					'config',
					`url.${join(folder, 'origin.git')}.insteadOf`,
					'git@github.com:jane/fork.git',
				);
				git('config', 'remote.origin.url', 'git@github.com:jane/fork.git');
			},
		],
		[
			'a page that says the package is not published',
			/README\.md says "not on npm yet"/,
			() => {
				writeFile('README.md', 'The package is not on npm yet.\n');
				commit('Page');
			},
		],
	];

	it.each(obstacles)('%s, and a dry run says the same', (_name, message, obstruct) => {
		obstruct();
		const before = state();
		const [real, dry] = [release(['minor']), release(['minor', '--dry-run'])];
		const { status, stdout, stderr } = real;
		expect({ status, stdout, stderr }).toEqual({
			status: 1,
			stdout: '',
			stderr: expect.stringMatching(message),
		});
		expect([dry.status, dry.stderr]).toEqual([status, stderr]);
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

	it('when origin refuses the push', () => {
		const hooks = join(folder, 'origin.git', 'hooks');
		mkdirSync(hooks);
		writeFileSync(join(hooks, 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
		expectNothingReleased(/"git push .*" failed.*pre-receive hook declined/s);
	});
});

describe('before npm gets a version,', () => {
	const check = (tag: string) => {
		const script = join(folder, 'clone', 'tools', 'release', 'check-release.js');
		const env = { ...process.env, GITHUB_REPOSITORY: '' };
		return spawnSync(process.execPath, [script, tag], { env, encoding: 'utf8' });
	};

	it.each([
		['v0.2.0', 0, /^$/],
		['v0.3.0', 1, /the tag is "v0\.3\.0", the version v0\.2\.0/],
	])('its tag %s is compared with its version', (tag, status, message) => {
		release(['minor']);
		expect(check(tag)).toMatchObject({ status, stderr: expect.stringMatching(message) });
	});

	it('the changelog must have it', () => {
		expect(check('v0.1.0').stderr).toContain('the newest entry of the changelog is "no release"');
	});
});
