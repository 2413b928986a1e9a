'use strict';
/**
 * Finds what would keep a version from being published, before any check runs. Both
 * `npm run release` and the release workflow use it, so both refuse for the same reasons.
 */
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Sentences that stop being true with the first version on npm. docs/releasing.md says how to find them. */
const NOT_PUBLISHED = 'not on npm yet';

/** The `owner/name` on GitHub in the address of a git repository, or undefined. */
function repositoryOf(address) {
	return /github\.com[/:]([^/]+\/[^/]+?)(\.git)?$/.exec(address)?.[1];
}

/** The tracked pages that still say that the package is not published. */
function pagesBeforePublishing(root) {
	try {
		const options = ['--ignore-case', '--files-with-matches', '--fixed-strings', NOT_PUBLISHED];
		const pages = ['--', '*.md', ':!docs/releasing.md', ':!CHANGELOG.md'];
		const found = execFileSync('git', ['grep', ...options, ...pages], { cwd: root });
		return found.toString().trim().split('\n');
	} catch (error) {
		// git grep ends with 1 if it finds nothing.
		if (error.status === 1) return [];
		throw error;
	}
}

/**
 * @param root The folder of the package.
 * @param publisher The repository on GitHub that publishes, as `owner/name`. Undefined if unknown.
 * @returns A sentence for each obstacle.
 */
function obstacles(root, publisher) {
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const { author, repository } = manifest;
	const sentences = [];
	if (author.email.endsWith('.example')) {
		sentences.push(
			`The author in package.json has the address ${author.email}, which nobody reads.`,
		);
	}
	if (publisher !== undefined && repositoryOf(repository.url) !== publisher) {
		sentences.push(`The repository in package.json is ${repository.url}, not ${publisher}.`);
	}
	for (const page of pagesBeforePublishing(root)) {
		sentences.push(`${page} says "${NOT_PUBLISHED}". Remove that sentence.`);
	}
	return sentences;
}

module.exports = { obstacles, repositoryOf };
