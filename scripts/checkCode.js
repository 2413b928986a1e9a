'use strict';
/**
 * Checks types and ESLint's rules, which need the same types. Two of these processes share the
 * work, so that both cores of a small machine have some.
 *
 * Usage: node scripts/checkCode.js tests     the folder test
 *        node scripts/checkCode.js others    all other files
 */
const { join, relative, sep } = require('node:path');

const { ESLint } = require('eslint');
const ts = require('typescript');

const root = join(__dirname, '..');
const isForTests = process.argv[2] === 'tests';

const isMine = (file) => (relative(root, file).split(sep)[0] === 'test') === isForTests;

function createProgram() {
	const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
	const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	return ts.createProgram(fileNames.filter(isMine), options);
}

/** What the compiler finds in these files, and in its options. */
function typeFaults(program) {
	const files = program.getRootFileNames().map((name) => program.getSourceFile(name));
	const faults = [
		...program.getOptionsDiagnostics(),
		...program.getGlobalDiagnostics(),
		...files.flatMap((file) => [
			...program.getSyntacticDiagnostics(file),
			...program.getSemanticDiagnostics(file),
		]),
	];
	return ts.formatDiagnostics(faults, {
		getCanonicalFileName: (file) => file,
		getCurrentDirectory: () => root,
		getNewLine: () => '\n',
	});
}

async function main() {
	const program = createProgram();
	const eslint = new ESLint({
		cwd: root,
		ignorePatterns: isForTests ? [] : ['test/'],
		overrideConfig: {
			files: ['**/*.ts'],
			languageOptions: { parserOptions: { programs: [program] } },
		},
	});
	const results = await eslint.lintFiles(isForTests ? ['test'] : ['.']);
	const formatter = await eslint.loadFormatter('stylish');
	const output = `${await formatter.format(results)}${typeFaults(program)}`;
	process.stdout.write(output);
	process.exitCode = output === '' ? 0 : 1;
}

void main();
