/**
 * Releases a version. It refuses if something prevents the release, and checks everything. Then it
 * dates the changelog, sets the version, commits, tags and pushes. The tag makes GitHub publish it
 * (release.yml).
 *
 * Usage: node tools/release/release.mjs patch|minor|major [--dry-run]
 *
 * npm sets the version in package.json and its lockfile. release-it could do the rest, but needs
 * Node 22 and two hundred packages. This repository promises to work on Node 20
 * (docs/decisions/0002).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { obstacles, repositoryOf } from './publishing.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const changelogFile = join(root, 'CHANGELOG.md');
const checks = [['test', '--', '--ci'], ['lint'], ['build'], ['check-package']];

/** Why there is no release. Either nothing was changed, or all changes were undone. */
class Refusal extends Error {}

/** Runs a program, and returns what it printed. Throws a Refusal if it fails. */
function run(program, parameters, { shown = false } = {}) {
	const { status, stdout, stderr } = spawnSync(program, parameters, {
		cwd: root,
		encoding: 'utf8',
		stdio: shown ? ['ignore', 2, 2] : 'pipe',
		shell: program === 'npm' && process.platform === 'win32',
	});
	if (status === 0) return (stdout ?? '').trimEnd();
	throw new Refusal(`"${program} ${parameters.join(' ')}" failed. ${(stderr ?? '').trim()}`.trim());
}

const git = (...parameters) => run('git', parameters);

/** The entries below "Unreleased" move below the new version and its date. */
function dated(changelog, version) {
	const [, entries = ''] =
		/^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|$(?![\s\S]))/m.exec(changelog) ?? [];
	if (!/^- /m.test(entries)) {
		throw new Refusal(
			'CHANGELOG.md has no entry under "Unreleased", so there is nothing to release.',
		);
	}
	const date = new Date().toISOString().slice(0, 10);
	return changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
}

function nextVersion(step) {
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const [major, minor, patch] = version.split('.').map(Number);
	if (step === 'major') return `${major + 1}.0.0`;
	return step === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Refuses a release before the checks, which take minutes. A dry run refuses it, too. */
function refuseEarly(tag) {
	const branch = git('branch', '--show-current');
	if (branch !== 'main') {
		throw new Refusal(`You are on "${branch}". Releases are made from main: git switch main`);
	}
	const changed = git('status', '--porcelain');
	if (changed !== '') throw new Refusal(`Commit or stash these changes first:\n${changed}`);
	git('fetch', '--quiet', 'origin', 'main');
	const behind = git('rev-list', '--count', 'HEAD..FETCH_HEAD');
	if (behind !== '0') {
		throw new Refusal(
			`origin has ${behind} commits that you don't have. Pull them: git pull --rebase`,
		);
	}
	const tags = [git('tag', '--list', tag), git('ls-remote', '--tags', 'origin', tag)];
	if (tags.join('') !== '') {
		throw new Refusal(
			`The tag ${tag} already exists, here or on origin. Set the version that was released.`,
		);
	}
	const found = obstacles(root, repositoryOf(git('config', '--get', 'remote.origin.url')));
	if (found.length > 0) throw new Refusal(found.join('\n'));
}

/** Undoes the commit, the tag and the changed files. They contain only the release. */
function takeBack(before, tag) {
	spawnSync('git', ['tag', '--delete', tag], { cwd: root });
	git('reset', '--quiet', '--hard', before);
}

function release(step, isDryRun) {
	const version = nextVersion(step);
	const tag = `v${version}`;
	refuseEarly(tag);
	const changelog = dated(readFileSync(changelogFile, 'utf8'), version);
	for (const check of checks) run('npm', ['run', ...check], { shown: true });
	if (isDryRun) return `${tag} can be released. This was a dry run: nothing was changed.`;

	const before = git('rev-parse', 'HEAD');
	try {
		writeFileSync(changelogFile, changelog);
		run('npm', [
			'version',
			version,
			'--no-git-tag-version',
			'--ignore-scripts',
			'--loglevel=error',
		]);
		run(process.execPath, [join(root, 'tools', 'release', 'check-release.js'), tag]);
		git(
			'commit',
			'--quiet',
			'--message',
			`Version ${version}`,
			'CHANGELOG.md',
			'package.json',
			'package-lock.json',
		);
		git('tag', '--annotate', tag, '--message', tag);
		// Both or neither. A tag alone would publish a commit that is not on main.
		git('push', '--quiet', '--atomic', 'origin', 'HEAD:main', tag);
	} catch (error) {
		takeBack(before, tag);
		throw error;
	}
	return `${tag} is tagged and pushed. GitHub tests and publishes it now.`;
}

const [step = '', ...options] = process.argv.slice(2);
try {
	if (
		!['patch', 'minor', 'major'].includes(step) ||
		options.some((option) => option !== '--dry-run')
	) {
		throw new Refusal('Usage: npm run release -- patch|minor|major [--dry-run]');
	}
	console.log(release(step, options.length > 0));
} catch (error) {
	if (!(error instanceof Refusal)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
