import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';

import layers from '../../eslint.layers.cjs';

const root = join(__dirname, '..', '..');
const nodes = 'nodes/Supercast';
const eslint = new ESLint({
	cwd: root,
	overrideConfigFile: true,
	overrideConfig: [
		{
			files: ['**/*.ts'],
			languageOptions: { parser: tseslint.parser as Linter.Parser },
			plugins: { '@typescript-eslint': tseslint.plugin as unknown as ESLint.Plugin },
		},
		...layers,
	],
});

/** A file in a folder, to which the test adds a forbidden line. */
function anyFileOf(folder: string): string {
	const name = readdirSync(join(root, folder)).find((file) => file.endsWith('.ts'));
	return join(folder, name!);
}

/** ESLint's findings about a file with an extra line at its end. */
async function complaints(file: string, line: string): Promise<string[]> {
	const text = `${readFileSync(join(root, file), 'utf8')}\n${line}\n`;
	const [result] = await eslint.lintText(text, { filePath: join(root, file) });
	return result!.messages.map(({ ruleId, message }) => ruleId ?? message);
}

function importLine(from: string, to: string): string {
	const path = relative(dirname(from), to).replace(/\.ts$/, '');
	return `import * as forbidden from '${path.startsWith('.') ? path : `./${path}`}'; void forbidden;`;
}

const order = ['api', 'operations', 'subscriber', 'access', 'resources', 'execution', 'trigger'];
const upward = order.flatMap((layer, index) =>
	order.slice(index + 1).map((higher) => [layer, higher] as const),
);
const insideApi: Array<[string, string]> = [
	['errors', 'http'],
	['errors', 'retry'],
	['http', 'auth'],
	['http', 'paging'],
	['auth', 'retry'],
	['auth', 'rate-limit'],
	['rate-limit', 'errors'],
	['rate-limit', 'retry'],
	['retry', 'http'],
	['retry', 'paging'],
	['paging', 'retry'],
	['paging', 'http'],
];

it.each(upward)('%s/ may not import %s/', async (layer, higher) => {
	const file = anyFileOf(`${nodes}/${layer}`);
	const line = importLine(file, anyFileOf(`${nodes}/${higher}`));
	expect(await complaints(file, line)).toContain('import/no-restricted-paths');
});

it.each(order)('%s/ may not import a node', async (layer) => {
	const file = anyFileOf(`${nodes}/${layer}`);
	const line = importLine(file, `${nodes}/SupercastTrigger.node.ts`);
	expect(await complaints(file, line)).toContain('import/no-restricted-paths');
});

it.each(insideApi)('api/%s/ may not import api/%s/', async (folder, other) => {
	const file = anyFileOf(`${nodes}/api/${folder}`);
	const line = importLine(file, anyFileOf(`${nodes}/api/${other}`));
	expect(await complaints(file, line)).toContain('import/no-restricted-paths');
});

it.each(['sandbox/index.ts', 'harness/sandbox.ts', 'harness/engine/index.ts'])(
	'no published file may import %s',
	async (tool) => {
		for (const file of [anyFileOf(`${nodes}/execution`), anyFileOf('credentials')]) {
			const found = await complaints(file, importLine(file, tool));
			expect(found).toContain('import/no-restricted-paths');
		}
	},
);

it.each([
	['scripts/mutate.ts', 'test/support/sandbox.ts'],
	['test/support/sandbox.ts', 'scripts/mutate.ts'],
])('%s may not import %s', async (file, other) => {
	expect(await complaints(file, '')).toEqual([]);
	expect(await complaints(file, importLine(file, other))).toEqual(['import/no-restricted-paths']);
});

it('no imports form a circle', async () => {
	const file = `${nodes}/api/json.ts`;
	const line = importLine(file, `${nodes}/api/errors/errors.ts`);
	expect(await complaints(file, line)).toContain('import/no-cycle');
});

describe.each(['api/rate-limit', 'api/retry', 'api/paging', 'trigger'])('%s/', (folder) => {
	const file =
		folder === 'trigger' ? `${nodes}/trigger/detect.ts` : anyFileOf(`${nodes}/${folder}`);

	it.each([
		[
			"import { sleep } from 'n8n-workflow'; void sleep;",
			'@typescript-eslint/no-restricted-imports',
		],
		[
			"import { setTimeout as wait } from 'node:timers/promises'; void wait;",
			'@typescript-eslint/no-restricted-imports',
		],
		[
			"import { runtime } from '../api/clock'; void runtime;",
			'@typescript-eslint/no-restricted-imports',
		],
		['void performance.now();', 'no-restricted-globals'],
		['void setTimeout(() => undefined, 1);', 'no-restricted-globals'],
		['void Date.now();', 'no-restricted-syntax'],
		['void new Date();', 'no-restricted-syntax'],
		['void Math.random();', 'no-restricted-syntax'],
	])('takes as an argument what %s would give it', async (line, rule) => {
		expect(await complaints(file, line)).toContain(rule);
	});

	it('may import types of n8n', async () => {
		const line = "import type { INode } from 'n8n-workflow'; export type Some = INode;";
		expect(await complaints(file, line)).toEqual([]);
	});
});

it("is part of the project's lint", () => {
	const cli = join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
	const file = join(root, nodes, 'api', 'retry', 'retryPolicy.ts');
	const printed = execFileSync(process.execPath, [cli, '--print-config', file], { cwd: root });
	const config = JSON.parse(String(printed)) as Linter.Config;
	for (const rule of ['import/no-restricted-paths', 'import/no-cycle', 'no-restricted-globals']) {
		expect(config.rules?.[rule]?.[0 as never]).toBe(2);
	}
});
