'use strict';
/**
 * Checks what `npm pack` would publish: the files, and the fields of package.json by which n8n
 * verifies a community node. Prints each fault, and fails if there is one.
 */
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const problems = [];

function expect(condition, problem) {
	if (!condition) problems.push(problem);
}

const [{ files }] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
		cwd: root,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	}),
);
const packed = files.map(({ path }) => path);
const topLevel = packed.filter((path) => !path.startsWith('dist/')).sort();
const published = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
expect(
	JSON.stringify(topLevel) === JSON.stringify(published),
	`beside dist, the package holds ${topLevel.join(', ')}, not ${published.join(', ')}`,
);
const kinds =
	/^dist\/((nodes|credentials)\/.*\.(js|svg|node\.json)|nodes\/Supercast\/__schema__\/.*\.json)$/;
for (const path of packed.filter((file) => file.startsWith('dist/') && !kinds.test(file))) {
	problems.push(`${path} does not belong in the package`);
}

expect(manifest.license === 'MIT', 'the license is not MIT');
expect(manifest.dependencies === undefined, 'there are runtime dependencies');
expect(manifest.overrides === undefined, 'there are overrides');
expect(
	JSON.stringify(manifest.peerDependencies) === '{"n8n-workflow":"*"}',
	'peerDependencies is not { "n8n-workflow": "*" }',
);
expect(manifest.keywords.includes('n8n-community-node-package'), "n8n's keyword is missing");
for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) {
	expect(manifest.scripts[hook] === undefined, `there is a script "${hook}"`);
}
for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
	expect(packed.includes(path), `${path} is registered but not packed`);
}
for (const path of manifest.n8n.nodes) {
	expect(packed.includes(path.replace(/\.js$/, '.json')), `${path} has no codex file beside it`);
}
for (const path of packed.filter((file) => file.endsWith('.js'))) {
	const source = readFileSync(join(root, path), 'utf8');
	for (const [, name] of source.matchAll(/require\("([^".][^"]*)"\)/g)) {
		expect(['n8n-workflow', 'node:crypto'].includes(name), `${path} requires ${name}`);
	}
}
expect(existsSync(join(root, 'index.js')), 'index.js is missing');

for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? `${packed.length} files, as expected` : 'not as expected');
process.exitCode = problems.length === 0 ? 0 : 1;
