/**
 * The tests for one version of n8n, which is in the folder that SUPERCAST_N8N_FOLDER names. They
 * run on its engine and in its server.
 *
 * @type {import('jest').Config}
 */
const base = require('../../jest.config.js');

const folder = process.env.SUPERCAST_N8N_FOLDER;

module.exports = {
	...base,
	rootDir: '../..',
	testMatch: ['<rootDir>/test/acceptance/**/*.test.ts', '<rootDir>/test/versions/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '\\.deep\\.test\\.ts$'],
	...(folder === undefined ? {} : { resolver: '<rootDir>/test/versions/resolver.js' }),
};
