'use strict';
/** @typedef {import('eslint').Linter.Config} Config */

/**
 * The layers of the package, as lint rules. A layer imports only the layers below it, and no
 * imports form a circle. Code that depends on the clock, on chance or on n8n gets these as
 * arguments. The picture in docs/architecture.md
 * shows resources, access and subscriber as one layer.
 */
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const importPlugin = require('eslint-plugin-import-x');
const { createTypeScriptImportResolver } = require('eslint-import-resolver-typescript');

const nodes = 'nodes/Supercast';

/** From the lowest to the highest. Each may import itself and the layers before it. */
const layers = [
	'api',
	'operations',
	'subscriber',
	'access',
	'report',
	'resources',
	'execution',
	'trigger',
];

/** The folders of `api/`, and what each may import besides itself and the base. */
const apiFolders = {
	errors: [],
	http: ['errors'],
	auth: ['http', 'errors'],
	'rate-limit': [],
	retry: ['rate-limit', 'errors'],
	paging: ['errors'],
	ledger: [],
};

/** Files of `api/` that its folders may import: types and small helpers without a state. */
const apiBase = ['types.ts', 'clock.ts', 'json.ts', 'identity.ts', 'states.ts'];

/** Code that does not depend on n8n, time or chance. */
const pure = [
	...['rate-limit', 'retry', 'paging', 'ledger'].map((folder) => `${nodes}/api/${folder}/**/*.ts`),
	`${nodes}/access/{allowOnce,people,reasons,rules}.ts`,
	`${nodes}/access/judge/*.ts`,
	`${nodes}/access/sync/{limits,list,memory,plan,prefix,statuses}.ts`,
	`${nodes}/report/**/*.ts`,
	`${nodes}/trigger/{detect,eventKind,events,findings,items,missing,outputs,sample,snapshot,state}.ts`,
];

/** A table without imports, which every layer reads. The simulators and the tests read it too. */
const tableOfStates = './subscriber/states.ts';

const zones = [
	{
		target: `./${nodes}/${tableOfStates}`,
		from: '.',
		message: 'The table of states imports nothing.',
	},
	...layers.map((layer, index) => ({
		target: `./${nodes}/${layer}`,
		from: `./${nodes}`,
		except: [tableOfStates, ...layers.slice(0, index + 1).map((lower) => `./${lower}`)],
		message: `${layer}/ imports only ${layers.slice(0, index).join(', ') || 'itself'}.`,
	})),
	...Object.entries(apiFolders).map(([folder, lower]) => ({
		target: `./${nodes}/api/${folder}`,
		from: `./${nodes}/api`,
		except: [folder, ...lower, ...apiBase].map((name) => `./${name}`),
		message: `api/${folder}/ imports only ${[...lower, ...apiBase].join(', ')}.`,
	})),
	...apiBase.map((file) => ({
		target: `./${nodes}/api/${file}`,
		from: `./${nodes}/api`,
		except: [...apiBase, 'errors'].map((name) => `./${name}`),
		message: 'The base of api/ imports nothing from the folders that use it.',
	})),
	{
		target: `./${nodes}/access/*.ts`,
		from: `./${nodes}/access/sync`,
		message: 'access/sync/ uses the rules of access/, never the other way round.',
	},
	{
		target: './nodes',
		from: './credentials',
		message: 'credentials/ imports from nodes/, never the other way round.',
	},
	{
		target: ['./nodes', './credentials'],
		from: '.',
		except: ['./nodes', './credentials', './node_modules'],
		message: 'Published code imports nothing from simulators, tests and tools.',
	},
];

const timeAndChance = [
	['MemberExpression[object.name="Math"][property.name="random"]', 'chance'],
	['MemberExpression[object.name="Date"][property.name="now"]', 'the time'],
	['NewExpression[callee.name="Date"][arguments.length=0]', 'the time'],
].map(([selector, what]) => ({ selector, message: `Take ${what} as an argument.` }));

/**
 * A sentence: words, a full stop, and its end or another sentence. Errors may have sentences
 * everywhere, because their place is where something is wrong.
 */
const sentences = [
	'Literal[value=/[a-z] .*[a-z]\\.( |$)/]',
	'TemplateElement[value.cooked=/[a-z]\\.( |$)/]',
].map((selector) => ({
	selector: `${selector}:not(NewExpression[callee.name=/^(InputError|ServiceError)$/] *)`,
	message: 'Sentences about a run and its reasons are in report/.',
}));

/** What decides who has access, without a sentence. */
const decides = [`${nodes}/access/**/*.ts`];

/** Texts of parameters, and advice that is part of an error. */
const tells = [`${nodes}/access/{parameters,settings}.ts`, `${nodes}/access/sync/prefix.ts`];

/**
 * Code that both need, such as a run on n8n's engine, is in test/harness/. Tests may import what
 * they check: the prose linter, the probe and these layers.
 */
const toolZones = [
	{ target: './simulators', from: './tools', except: [] },
	{ target: './simulators', from: './test', except: ['./harness'] },
	{ target: './tools', from: './test', except: ['./harness'] },
	{ target: './test/harness', from: './test', except: ['./harness'] },
	{ target: './test', from: './tools', except: ['./lint', './probe'] },
].map((zone) => ({
	...zone,
	message: `${zone.target}/ imports nothing from ${zone.from}/. Move what both need to test/harness/.`,
}));

const memberships = 'simulators/memberships';
const inMemberships = readdirSync(join(__dirname, '../..', memberships), { withFileTypes: true });
const shared = inMemberships.filter((entry) => entry.isFile());

/** All about a membership system is in its folder, so a folder can be added or removed alone. */
const systemZones = inMemberships
	.filter((entry) => entry.isDirectory())
	.map((folder) => ({
		target: `./${memberships}/${folder.name}`,
		from: `./${memberships}`,
		except: [folder, ...shared].map(({ name }) => `./${name}`),
		message: 'A membership system imports nothing from another one.',
	}));

const imports = {
	plugins: { import: importPlugin },
	settings: {
		'import-x/resolver-next': [createTypeScriptImportResolver()],
		'import-x/extensions': ['.ts'],
		'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
	},
};

/** @type {Config[]} */
module.exports = [
	{
		files: ['simulators/**/*.ts', 'test/**/*.ts', 'tools/**/*.ts'],
		...imports,
		rules: { 'import/no-restricted-paths': ['error', { zones: [...toolZones, ...systemZones] }] },
	},
	{
		files: ['simulators/**/*.ts', 'tools/probe/**/*.ts'],
		...imports,
		rules: { 'import/no-cycle': ['error', { ignoreExternal: true }] },
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		...imports,
		rules: {
			'import/no-restricted-paths': ['error', { zones }],
			'import/no-cycle': ['error', { ignoreExternal: true }],
		},
	},
	{
		files: decides,
		ignores: tells,
		rules: { 'no-restricted-syntax': ['error', ...sentences, ...timeAndChance] },
	},
	{
		files: pure,
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							group: ['n8n-workflow', 'n8n-core', 'node:timers*', 'node:perf_hooks', 'timers*'],
							message: 'Take what n8n and Node do as an argument; types may be imported.',
							allowTypeImports: true,
						},
						{
							group: ['**/clock'],
							importNames: ['runtime'],
							message: 'Take the clock and chance as arguments.',
						},
					],
				},
			],
			'no-restricted-globals': [
				'error',
				'performance',
				'crypto',
				'fetch',
				'setTimeout',
				'setInterval',
				'setImmediate',
			],
		},
	},
	{
		files: [...tells, ...pure.filter((file) => !file.includes('/access/'))],
		rules: { 'no-restricted-syntax': ['error', ...timeAndChance] },
	},
];
