'use strict';

const { readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

// Otherwise, n8n would print each error that a test provokes.
process.env.N8N_LOG_LEVEL ??= 'silent';

// The tests create many short-lived objects. More room for them makes the tests faster.
const { NODE_OPTIONS = '' } = process.env;
if (!NODE_OPTIONS.includes('semi-space')) {
	process.env.NODE_OPTIONS = `${NODE_OPTIONS} --max-semi-space-size=64`.trim();
}

// What is not the package: `npm run test:tools`. The harness has no tests, but an installed n8n,
// which takes long to search.
const OTHERS = ['harness', 'lint', 'probe', 'release', 'simulators'];

const roots = readdirSync(join(__dirname, 'test'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && !OTHERS.includes(entry.name))
	.map(({ name }) => `<rootDir>/test/${name}`);

/** @type {import('jest').Config} */
module.exports = {
	// Stryker looks for it from another folder.
	testEnvironment: require.resolve('./test/support/sharedEnvironment.js'),
	roots,
	testMatch: ['**/*.test.ts'],
	// Load tests and bursts run only in the deep tests.
	testPathIgnorePatterns: [
		'/node_modules/',
		'<rootDir>/test/e2e/',
		'<rootDir>/test/versions/',
		'\\.deep\\.test\\.ts$',
	],
	modulePathIgnorePatterns: [
		'<rootDir>/test/harness/pinned-n8n/node_modules/',
		'<rootDir>/dist/',
		'<rootDir>/.cache/',
	],
	// tsx mistakes "Supercast.node" for the codex file Supercast.node.json, so tests add ".js".
	moduleNameMapper: { '^(\\.{1,2}/.*\\.node)\\.js$': '$1.ts' },
	// The tests spend a third of their time waiting for servers. Two workers on two cores would take
	// 20 s longer.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
	testSequencer: require.resolve('./test/support/longestFirst.js'),
	silent: true,
	reporters: ['default', '<rootDir>/test/support/slowestFiles.js'],
	// Ends only what hangs. A slow or busy machine takes ten times as long as an idle one.
	testTimeout: 600_000,
	transformIgnorePatterns: [],
	transform: {
		'/node_modules/.+\\.c?js$': '<rootDir>/test/support/loadOnce.js',
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
};
