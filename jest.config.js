'use strict';

const { availableParallelism } = require('node:os');

// n8n would write each error that a test provokes to the terminal.
process.env.N8N_LOG_LEVEL ??= 'silent';

/** @type {import('jest').Config} */
module.exports = {
	// Stryker looks for it from another folder.
	testEnvironment: require.resolve('./test/support/sharedEnvironment.js'),
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// Load and storms are for the deep tests only.
	testPathIgnorePatterns: [
		'/node_modules/',
		'<rootDir>/test/e2e/',
		'<rootDir>/test/versions/',
		'\\.deep\\.test\\.ts$',
	],
	modulePathIgnorePatterns: [
		'<rootDir>/harness/pinned-n8n/node_modules/',
		'<rootDir>/dist/',
		'<rootDir>/.cache/',
	],
	// tsx takes "Supercast.node" for the codex file Supercast.node.json, so tests import it as .js.
	moduleNameMapper: { '^(\\.{1,2}/.*\\.node)\\.js$': '$1.ts' },
	// A third of the time, the tests wait for servers. On two cores, two workers would need 20 s more.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
	testSequencer: require.resolve('./test/support/longestFirst.js'),
	silent: true,
	reporters: ['default', '<rootDir>/test/support/slowestFiles.js'],
	// Tests on the engine take milliseconds, unless the machine is busy.
	testTimeout: 30_000,
	transformIgnorePatterns: [],
	transform: {
		'/node_modules/.+\\.c?js$': '<rootDir>/test/support/loadOnce.js',
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
};
