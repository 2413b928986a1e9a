/**
 * Only the unit tests, for mutation tests. Generated input comes from a fixed seed, so that chance
 * does not kill a mutant.
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
