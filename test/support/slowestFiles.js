'use strict';

const { relative } = require('node:path');

const SHOWN = 10;

/** Prints the slowest files after a run of many, because slow tests tempt people to skip them. */
module.exports = class SlowestFiles {
	onRunComplete(_contexts, { testResults }) {
		if (testResults.length <= SHOWN) return;
		const rows = testResults
			.map(({ perfStats, testFilePath }) => ({ ms: perfStats.runtime, file: testFilePath }))
			.sort((one, other) => other.ms - one.ms)
			.slice(0, SHOWN)
			.map(({ ms, file }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${relative('', file)}`);
		process.stderr.write(`\nThe slowest test files:\n${rows.join('\n')}\n`);
	}
};
