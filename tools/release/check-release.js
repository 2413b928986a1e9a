'use strict';
/**
 * Refuses a release if its tag, version and changelog disagree, or if something else keeps it from
 * being published (publishing.js).
 *
 * Usage: node tools/release/check-release.js v1.2.3
 *
 * If GITHUB_REPOSITORY is set, as on GitHub, it must equal `repository` in package.json.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const { obstacles } = require('./publishing.js');

const root = join(__dirname, '..', '..');
const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const [newest] = changelog.match(/^## \[\d.*$/m) ?? ['no release'];

const problems = [];
if (tag !== `v${version}`) problems.push(`the tag is "${tag}", the version v${version}`);
if (lock.version !== version)
	problems.push(`package-lock.json says ${lock.version}, not ${version}`);
if (!newest.startsWith(`## [${version}] - `)) {
	problems.push(`the newest entry of the changelog is "${newest}", not "## [${version}] - <date>"`);
}
problems.push(...obstacles(root, process.env.GITHUB_REPOSITORY || undefined));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
