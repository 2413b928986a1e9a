import { ESLint, type Linter } from 'eslint';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

import layers from '../../tools/lint/eslint.layers.cjs';
import { dictionaries, lintProse } from '../../tools/lint/prose/linter';
import { commentsIn, notesIn, sentencesIn, type Text } from '../../tools/lint/prose/texts';

const root = join(__dirname, '..', '..');

describe('layers', () => {
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

	/** The rules that a file breaks with these lines at its end, one entry for each finding. */
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

	it.each([
		[anyFileOf(`${nodes}/api`), anyFileOf(`${nodes}/operations`)],
		[anyFileOf(`${nodes}/access`), anyFileOf(`${nodes}/trigger`)],
		[anyFileOf(`${nodes}/access`), anyFileOf(`${nodes}/access/sync`)],
		[anyFileOf(`${nodes}/execution`), `${nodes}/SupercastTrigger.node.ts`],
		[anyFileOf(`${nodes}/api/http`), anyFileOf(`${nodes}/api/retry`)],
		[`${nodes}/execution/credentialTest.ts`, 'credentials/sharedFields.ts'],
		[anyFileOf('credentials'), 'simulators/supercast/index.ts'],
		[anyFileOf(`${nodes}/execution`), 'test/harness/sandbox.ts'],
		['tools/mutation/mutate.ts', 'test/support/sandbox.ts'],
		['test/support/sandbox.ts', 'tools/mutation/mutate.ts'],
		['test/harness/sandbox.ts', 'test/support/sandbox.ts'],
		['simulators/memberships/people.ts', 'tools/probe/run.ts'],
		['simulators/memberships/ghost/server.ts', 'simulators/memberships/stripe/server.ts'],
	])('%s may not import %s', async (file, other) => {
		expect(await broken(file)).toEqual([]);
		const rules = await broken(file, importLine(file, other));
		expect(rules.filter((rule) => rule !== 'import/no-cycle')).toEqual([
			'import/no-restricted-paths',
		]);
	});

	it('no imports form a circle', async () => {
		const file = `${nodes}/api/json.ts`;
		const line = importLine(file, `${nodes}/api/errors/errors.ts`);
		expect(await broken(file, line)).toContain('import/no-cycle');
	});

	it('some code takes time, chance and n8n as arguments, but may import types of n8n', async () => {
		const found = await broken(
			`${nodes}/trigger/detect.ts`,
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
	});

	it('what decides who has access contains no sentence, except in an error', async () => {
		const found = await broken(
			`${nodes}/access/rules.ts`,
			"void 'The feed stays open.';",
			"void 'stays open';",
			"void new InputError('The list is empty.');",
		);
		expect(found).toEqual(['no-restricted-syntax']);
	});

	it('each file that a rule names exists, so renaming a file cannot silently end the rule', () => {
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

	it("is part of the project's lint", async () => {
		const file = join(root, nodes, 'api', 'retry', 'retryPolicy.ts');
		const project = new ESLint({ cwd: root });
		const config = (await project.calculateConfigForFile(file)) as Linter.Config;
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
			const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
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
		it.each([
			[['nodes', 'credentials']],
			...['simulators', 'tools', 'test/harness'].map((folder) => [[folder]]),
		])('no imports in %j form a circle, not even of types', (folders) => {
			const imports = importsOf(folders);
			expect([...imports.values()].flat().length).toBeGreaterThan(5);
			expect(circleIn(imports)).toBeUndefined();
		});

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
});

describe('names', () => {
	function filesUnder(folder: string): string[] {
		return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && !/node_modules|\.test\.ts$|\.d\.ts$/.test(file))
			.map((file) => join(root, folder, file));
	}

	const EXPORT =
		/^export (?:declare |default )?(?:abstract |async )?(?:class|const|enum|function\*?|interface|let|type) (\w+)/gm;

	/** Names that a file defines and exports. Re-exports do not count. */
	function exportsOf(file: string): string[] {
		return [...readFileSync(file, 'utf8').matchAll(EXPORT)].map(([, name]) => name!);
	}

	const published = [...filesUnder('nodes'), ...filesUnder('credentials')];

	/** Each resource's file has these parts, which mean the same in all of them. */
	const PARTS = ['descriptions', 'fields', 'kind'];

	/** All names at the top level of a file, exported or not. */
	function topLevelNames(file: string): string[] {
		const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
		return source.statements.flatMap((statement) => {
			if (ts.isVariableStatement(statement)) {
				return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
			}
			const isNamed = ts.isDeclarationStatement(statement) && !ts.isImportDeclaration(statement);
			return isNamed && statement.name ? [statement.name.text] : [];
		});
	}

	function boundNames(name: ts.BindingName): string[] {
		if (ts.isIdentifier(name)) return [name.text];
		return name.elements.flatMap((one) => (ts.isBindingElement(one) ? boundNames(one.name) : []));
	}

	it('no two files of the package have the same name at the top level, exported or not', () => {
		const places = new Map<string, string[]>();
		for (const file of published) {
			const isResource = dirname(file).endsWith('resources');
			for (const name of new Set(topLevelNames(file))) {
				if (isResource && PARTS.includes(name)) continue;
				places.set(name, [...(places.get(name) ?? []), relative(root, file)]);
			}
		}
		expect(places.size).toBeGreaterThan(500);
		expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
	});

	it('no published export is named like a type of n8n', () => {
		const types = readFileSync(
			join(dirname(require.resolve('n8n-workflow/package.json')), 'dist', 'esm', 'interfaces.d.ts'),
			'utf8',
		);
		const taken = new Set(
			[...types.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name),
		);
		expect(taken.size).toBeGreaterThan(100);
		const shared = published.flatMap(exportsOf).filter((name) => taken.has(name));
		expect(shared).toEqual([]);
	});
});

async function messages(text: string, kind: Text['kind'] = 'page'): Promise<string[]> {
	const findings = await lintProse({ file: 'a.md', line: 1, text, kind });
	return findings.map(({ message }) => message);
}

/** The examples of a dictionary, which must be found, and the number of its entries. */
function examplesOf(dictionary: string): { entries: number; examples: string[] } {
	const yaml = readFileSync(dictionary, 'utf8');
	const examples = [...yaml.matchAll(/^\s+- from: (.*)$/gm)].map(([, from]) =>
		from!.replace(/^'(.*)'$/, '$1'),
	);
	return { entries: yaml.match(/^\s+- expected: /gm)!.length, examples };
}

const pageWords = examplesOf(dictionaries.all);
const interfaceWords = examplesOf(dictionaries.interface);

describe('the prose linter', () => {
	it.each([...pageWords.examples, ...interfaceWords.examples])(
		'turns red for the example "%s"',
		async (text) => {
			expect(await messages(text, 'interface')).not.toEqual([]);
		},
	);

	it('has an example for every entry of its dictionaries', () => {
		expect(pageWords.examples).toHaveLength(pageWords.entries);
		expect(interfaceWords.examples).toHaveLength(interfaceWords.entries);
	});

	it.each([
		'Copy the token now. Supercast shows it only once.',
		'A member who pays again keeps the feed.',
		'Choose **Suspend Listener and Stop Billing** under _Usage Alert_.',
		'Nothing is lost, except after a crash between two writes.',
		'n8n retries the request. Supercast allows 100 requests per minute across all apps.',
		'Run `npm run shall -- at once` first:\n\n```sh\nmail the service at once\n```',
	])('passes "%s"', async (text) => {
		expect(await messages(text)).toEqual([]);
	});

	it('counts the words of a sentence, and code as one of them', async () => {
		const words = (count: number): string =>
			['Word', ...Array.from({ length: count - 1 }, () => 'word')].join(' ');
		expect(await messages(`${words(20)}. ${words(20)}.`)).toEqual([]);
		expect(await messages(`${words(19)} \`a b c d\`.`)).toEqual([]);
		expect(await messages(`${words(21)}.`)).toEqual([expect.stringContaining('21 words')]);
	});

	it('reports the line of the file', async () => {
		const text = 'Fine.\n\nThe feed closes at once.\n';
		const [finding] = await lintProse({ file: 'a.md', line: 1, text, kind: 'page' });
		expect(finding).toMatchObject({ file: 'a.md', line: 3 });
		const comments = commentsIn(
			'a.ts',
			'// Fine.\n\nrun();\n// At once.\n// Fine.\nrun();\n// At once.',
		);
		const found = await lintProse(...comments);
		expect(found.map(({ line }) => line)).toEqual([4, 7]);
	});
});

describe('the texts that it reads', () => {
	it('are the notes of a workflow, and the texts of its nodes and their code', () => {
		const json = JSON.stringify(
			{
				name: 'Close a feed',
				nodes: [
					{ name: 'Note', parameters: { content: '## A note\nIt closes the feed.' } },
					{ name: 'Send Email', parameters: { subject: '=Feed of {{ $json.email }} closed' } },
					{ name: 'Code', parameters: { jsCode: "return [{ advice: 'Look at it' }]" } },
				],
				connections: { 'Send Email': {} },
			},
			null,
			2,
		);
		expect(notesIn('a.json', json).map(({ line, text }) => [line, text])).toEqual([
			[2, 'Close a feed'],
			[7, '## A note\nIt closes the feed.'],
			[11, 'Send Email'],
			[13, 'Feed of … closed'],
			[19, 'Look at it'],
		]);
	});

	it('are the comments of source code, and the names of tests', () => {
		const code = [
			'/**',
			' * Closes a feed.',
			' *',
			' * @returns What Supercast answered.',
			' */',
			'function close() {}',
			'// Not below',
			'// zero.',
			"describe('a feed', () => { it('closes', close); /* later */ });",
			'if (isOpen) {',
			'\t// Not yet.',
			'}',
		].join('\n');
		expect(commentsIn('a.ts', code).map(({ line, text }) => [line, text.trim()])).toEqual([
			[1, 'Closes a feed.\n\n@returns What Supercast answered.'],
			[7, 'Not below\nzero.'],
			[9, 'a feed'],
			[9, 'closes'],
			[9, 'later'],
			[11, 'Not yet.'],
		]);
	});

	it('are the labels, descriptions and messages of source code, with … for inserted values', () => {
		const code = [
			"import a from './a b';",
			"const field = { displayName: 'First Name', name: 'firstName', placeholder: 'e.g. Ann' };",
			'throw new InputError(`No subscriber ${name} was found`);',
		].join('\n');
		expect(sentencesIn('a.ts', code).map(({ line, text }) => [line, text])).toEqual([
			[1, './a b'],
			[2, 'First Name'],
			[2, 'e.g. Ann'],
			[3, 'No subscriber … was found'],
		]);
	});
});
