/**
 * Mutation tests of the modules that decide without n8n, with only their unit tests: npm run
 * test:mutation. Not part of CI, since they take minutes.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: [
		'nodes/Supercast/api/{retry,paging,rate-limit,http,errors}/**/*.ts',
		'nodes/Supercast/trigger/{detect,events,knownIds,listScan,state}.ts',
		'!nodes/Supercast/api/http/send*.ts',
	],
	testRunner: 'jest',
	jest: { configFile: 'test/unit/jest.mutation.config.js', enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	ignorePatterns: ['/harness/pinned-n8n/node_modules', '/.cache', '/dist', '/docs', '/workflows'],
	concurrency: 2,
	tempDirName: '.cache/stryker',
	reporters: ['clear-text', 'progress', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: '.cache/mutation.json' },
	thresholds: { high: 95, low: 90, break: null },
};
