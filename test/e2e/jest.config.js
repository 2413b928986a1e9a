/**
 * The end-to-end tests, with a real n8n server and a real browser. Each file starts what it needs
 * and can run alone: `npm run test:e2e -- nodePanel` runs one of them.
 *
 * @type {import('jest').Config}
 */
module.exports = {
	testEnvironment: 'node',
	rootDir: '../..',
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['**/*.test.ts'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
	transform: require('../../jest.config.js').transform,
	maxWorkers: 1,
	testTimeout: 600_000,
	openHandlesTimeout: 10_000,
};
