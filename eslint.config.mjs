import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import communityNodes from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

import layers from './tools/lint/eslint.layers.cjs';

const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** The same rules, each as an error. Rules that only warn in n8n's package scanner fail here. */
function asErrors(rules) {
	return Object.fromEntries(Object.keys(rules).map((rule) => [rule, 'error']));
}

// These contradict the newer plugin. n8n's own shared configuration turns them off as well.
const switchedOffByN8n = {
	'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
	'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
	'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
	'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
	'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
};

/** One rule set of eslint-plugin-n8n-nodes-base, for the files that it is made for. */
function n8nRules(files, set) {
	return {
		files,
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: { ...asErrors(nodesBase.configs[set].rules), ...switchedOffByN8n },
	};
}

export default tseslint.config(
	{
		ignores: ['dist/', '**/node_modules/', 'coverage/', '.cache/'],
	},
	{
		files: ['**/*.ts'],
		extends: [...tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: {
				// Twice as fast as projectService, since there is only one project.
				project: './tsconfig.json',
				tsconfigRootDir: dirname(fileURLToPath(import.meta.url)),
			},
		},
		rules: {
			'max-lines': ['error', { max: 250 }],
			'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			// n8n's interfaces require promises, whether or not there is something to wait for.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/return-await': ['error', 'always'],
		},
	},
	{
		// All tests of one promise are in one file, so test files may be twice as long.
		files: ['test/**/*.test.ts', 'simulators/**/*.test.ts'],
		rules: { 'max-lines': ['error', { max: 500 }] },
	},
	{
		// A describe block is one function, however many tests it has. Jest's matchers are of type
		// any.
		files: [
			'test/!(harness)/**/*.ts',
			'test/harness/engine/cases/**/*.ts',
			'simulators/**/*.test.ts',
		],
		rules: {
			'max-lines-per-function': 'off',
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/unbound-method': 'off',
		},
	},
	{
		files: [...published, 'package.json'],
		plugins: { '@n8n/community-nodes': communityNodes },
		rules: { ...asErrors(communityNodes.configs.recommended.rules), 'no-console': 'error' },
	},
	{
		files: published,
		rules: {
			complexity: ['error', 10],
			'max-lines-per-function': ['error', { max: 40 }],
			'@typescript-eslint/no-non-null-assertion': 'error',
		},
	},
	...layers,
	{ files: ['package.json'], languageOptions: { parser: tseslint.parser } },
	n8nRules(['package.json'], 'community'),
	n8nRules(['credentials/**/*.ts'], 'credentials'),
	n8nRules(['nodes/**/*.ts'], 'nodes'),
	{
		files: [...published, 'package.json'],
		linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
	},
);
