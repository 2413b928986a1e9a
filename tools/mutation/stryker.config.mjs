import process from 'node:process';

/**
 * Mutation tests of one module that makes decisions without n8n. Only the module's unit tests run.
 * `npm run test:mutation` (`tools/mutation/mutate.ts`) tests one module after the other. Not part of CI,
 * since it takes minutes.
 */
const { MODULE = 'api/retry', REPORT = '.cache/mutation/report.json' } = process.env;
const { files = '**/*.ts' } =
	{
		// Without the parameters, whose texts only the editor shows.
		access: { files: '**/!(parameters).ts' },
		// Without the sentences of the credential tests, which the documentation's tests check.
		'api/auth': { files: '!(testSentences).ts' },
		// Without the poll, which needs n8n, and the sample data.
		trigger: { files: '!(poll|sample).ts' },
	}[MODULE] ?? {};

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [`nodes/Supercast/${MODULE}/${files}`, '!nodes/Supercast/api/http/send*.ts'],
	testRunner: 'jest',
	jest: { configFile: 'test/unit/jest.mutation.config.js', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	ignorePatterns: [
		'/test/harness/pinned-n8n/node_modules',
		'/tools/release/n8n-node/node_modules',
		'/.cache',
		'/dist',
		'/docs/images',
		'/workflows',
	],
	concurrency: 2,
	tempDirName: '.cache/stryker',
	reporters: ['clear-text', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: REPORT },
	thresholds: { high: 95, low: 90, break: null },
};
