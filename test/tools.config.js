/**
 * The tests of what is around the package: lint rules, the probe, releases and simulators.
 *
 * @type {import('jest').Config}
 */
const base = require('../jest.config.js');

const folders = ['test/lint', 'test/probe', 'test/release', 'test/simulators'];

module.exports = {
	...base,
	rootDir: '..',
	// The tests of a mock server are in the folder of its system.
	roots: [...folders, 'simulators/memberships'].map((folder) => `<rootDir>/${folder}`),
};
