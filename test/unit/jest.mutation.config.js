/**
 * Only the unit tests of one module, for mutation tests. Property tests are left out. They take
 * minutes for each mutant.
 *
 * @type {import('jest').Config}
 */
const base = require('../../jest.config.js');

module.exports = {
	...base,
	rootDir: '../..',
	roots: [`<rootDir>/test/unit/${process.env.MODULE ?? 'api/retry'}`],
	testPathIgnorePatterns: [...base.testPathIgnorePatterns, '\\.property\\.test\\.ts$'],
};
