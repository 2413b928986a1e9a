import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { preProcessFile } from 'typescript';

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

/** The rules that a file breaks with these lines at its end. A rule is there once for each line. */
async function broken(file: string, ...lines: string[]): Promise<string[]> {
	const text = `${readFileSync(join(root, file), 'utf8')}\n${lines.join('\n')}\n`;
	const [result] = await eslint.lintText(text, { filePath: join(root, file) });
	return result!.messages.map(({ ruleId, message }) => ruleId ?? message);
}

let imports = 0;

function importLine(from: string, to: string): string {
	const path = relative(dirname(from), to).replace(/\.ts$/, '');
	const name = `forbidden${++imports}`;
	return `import * as ${name} from '${path.startsWith('.') ? path : `./${path}`}'; void ${name};`;
}

/** The rules that a file breaks if it imports all of these, besides making a circle. */
async function brokenByImports(file: string, others: readonly string[]): Promise<string[]> {
	const rules = await broken(file, ...others.map((other) => importLine(file, other)));
	return rules.filter((rule) => rule !== 'import/no-cycle');
}

const paths = (others: readonly string[]) => others.map(() => 'import/no-restricted-paths');

const order = ['api', 'operations', 'subscriber', 'access', 'resources', 'execution', 'trigger'];
const insideApi = {
	errors: ['http', 'retry'],
	http: ['auth', 'paging'],
	auth: ['retry', 'rate-limit'],
	'rate-limit': ['errors', 'retry'],
	retry: ['http', 'paging'],
	paging: ['retry', 'http'],
};

it.each(order)('%s/ may not import a higher layer or a node', async (layer) => {
	const higher = order.slice(order.indexOf(layer) + 1);
	const others = [
		...higher.map((name) => anyFileOf(`${nodes}/${name}`)),
		`${nodes}/SupercastTrigger.node.ts`,
	];
	expect(await brokenByImports(anyFileOf(`${nodes}/${layer}`), others)).toEqual(paths(others));
});

it.each(Object.entries(insideApi))('api/%s/ may not import %j', async (folder, higher) => {
	const others = higher.map((name) => anyFileOf(`${nodes}/api/${name}`));
	const file = anyFileOf(`${nodes}/api/${folder}`);
	expect(await brokenByImports(file, others)).toEqual(paths(others));
});

it.each([`${nodes}/execution`, 'credentials'])('%s/ may not import tools', async (folder) => {
	const tools = ['sandbox/index.ts', 'harness/sandbox.ts', 'harness/engine/index.ts'];
	expect(await brokenByImports(anyFileOf(folder), tools)).toEqual(paths(tools));
});

it.each([
	['scripts/mutate.ts', 'test/support/sandbox.ts'],
	['test/support/sandbox.ts', 'scripts/mutate.ts'],
	[`${nodes}/execution/credentialTest.ts`, 'credentials/sharedFields.ts'],
])('%s may not import %s', async (file, other) => {
	expect(await broken(file)).toEqual([]);
	expect(await brokenByImports(file, [other])).toEqual(paths([other]));
});

it('no imports form a circle', async () => {
	const file = `${nodes}/api/json.ts`;
	const line = importLine(file, `${nodes}/api/errors/errors.ts`);
	expect(await broken(file, line)).toContain('import/no-cycle');
});

it.each(['api/rate-limit', 'api/retry', 'api/paging', 'trigger'])(
	'%s/ takes time, chance and n8n as arguments, but may import types of n8n',
	async (folder) => {
		const file =
			folder === 'trigger' ? `${nodes}/trigger/detect.ts` : anyFileOf(`${nodes}/${folder}`);
		const found = await broken(
			file,
			"import { sleep } from 'n8n-workflow'; void sleep;",
			"import { setTimeout as wait } from 'node:timers/promises'; void wait;",
			"import { runtime } from '../api/clock'; void runtime;",
			"import type { INode } from 'n8n-workflow'; export type Some = INode;",
			'void performance.now();',
			'void setTimeout(() => undefined, 1);',
			'void Date.now();',
			'void new Date();',
			'void Math.random();',
		);
		expect(found).toEqual([
			...Array<string>(3).fill('@typescript-eslint/no-restricted-imports'),
			...Array<string>(2).fill('no-restricted-globals'),
			...Array<string>(3).fill('no-restricted-syntax'),
		]);
	},
);

it('each file that a rule names exists, so that a new name of it does not end the rule', () => {
	const patterns = layers.flatMap(({ files = [] }) => files.flat());
	const files = patterns.filter((pattern) => !pattern.includes('*')).flatMap(alternatives);
	expect(files.length).toBeGreaterThan(5);
	expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

/** `a/{b,c}.ts` stands for `a/b.ts` and `a/c.ts`. */
function alternatives(pattern: string): string[] {
	const [before = '', names = '', after = ''] = pattern.split(/[{}]/);
	return names.split(',').map((name) => `${before}${name}${after}`);
}

it("is part of the project's lint", () => {
	const cli = join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
	const file = join(root, nodes, 'api', 'retry', 'retryPolicy.ts');
	const printed = execFileSync(process.execPath, [cli, '--print-config', file], { cwd: root });
	const config = JSON.parse(String(printed)) as Linter.Config;
	for (const rule of ['import/no-restricted-paths', 'import/no-cycle', 'no-restricted-globals']) {
		expect(config.rules?.[rule]?.[0 as never]).toBe(2);
	}
});

describe('imports in a circle', () => {
	const root = join(__dirname, '..', '..');

	/** The files of the project that each file imports, also if it imports only types. */
	type Imports = Map<string, readonly string[]>;

	function importsOf(folders: readonly string[]): Imports {
		const files = folders.flatMap(filesOf);
		return new Map(files.map((file) => [file, importsIn(file)]));
	}

	function filesOf(folder: string): string[] {
		return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(path);
			return path.endsWith('.ts') ? [path] : [];
		});
	}

	function importsIn(file: string): string[] {
		const { importedFiles } = preProcessFile(readFileSync(join(root, file), 'utf8'));
		return importedFiles
			.filter(({ fileName }) => fileName.startsWith('.'))
			.flatMap(({ fileName }) => {
				const path = join(dirname(file), fileName);
				return [`${path}.ts`, join(path, 'index.ts')];
			})
			.filter((path) => existsSync(join(root, path)));
	}

	/** The files of one circle, in the order of their imports. Undefined if there is none. */
	function circleIn(imports: Imports): string[] | undefined {
		const withoutCircle = new Set<string>();
		const search = (file: string, way: readonly string[]): string[] | undefined => {
			if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
			if (withoutCircle.has(file)) return undefined;
			for (const other of imports.get(file) ?? []) {
				const circle = search(other, [...way, file]);
				if (circle !== undefined) return circle;
			}
			withoutCircle.add(file);
			return undefined;
		};
		for (const file of imports.keys()) {
			const circle = search(file, []);
			if (circle !== undefined) return circle;
		}
		return undefined;
	}

	// The lint rule import/no-cycle does not follow imports of types.
	it.each([[['nodes', 'credentials']], [['sandbox']], [['probe']], [['demo']], [['harness']]])(
		'no imports in %j form a circle, not even of types',
		(folders) => {
			const imports = importsOf(folders);
			expect([...imports.values()].flat().length).toBeGreaterThan(5);
			expect(circleIn(imports)).toBeUndefined();
		},
	);

	it('finds a circle of three files, behind one that is not part of it', () => {
		const circle: Imports = new Map([
			['a', ['b']],
			['b', ['c']],
			['c', ['d']],
			['d', ['b']],
		]);
		expect(circleIn(circle)).toEqual(['b', 'c', 'd', 'b']);
	});
});
