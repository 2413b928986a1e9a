/**
 * The tests that run with one version of n8n, the one in the folder that SUPERCAST_N8N_FOLDER names:
 * those on its engine, and those in its server.
 *
 * @type {import('jest').Config}
 */
const base = require('../../jest.config.js');

const folder = process.env.SUPERCAST_N8N_FOLDER;

module.exports = {
	...base,
	rootDir: '../..',
	testMatch: ['<rootDir>/test/engine/**/*.test.ts', '<rootDir>/test/versions/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	...(folder === undefined ? {} : { resolver: '<rootDir>/test/versions/resolver.js' }),
};
