/**
 * The unit tests alone, for mutation tests. What generates its input does so from a fixed seed, so that
 * a mutant is not killed by chance.
 *
 * @type {import('jest').Config}
 */
const base = require('../../jest.config.js');

module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/unit'],
	setupFiles: ['<rootDir>/test/support/fixedSeed.ts'],
};
