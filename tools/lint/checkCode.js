'use strict';
/**
 * Checks types and ESLint's rules, with one program for both. Most of the work is to load the types
 * of n8n, so a second process would do it again.
 *
 * Usage: node tools/lint/checkCode.js
 */
const { join } = require('node:path');

const { ESLint } = require('eslint');
const ts = require('typescript');

const root = join(__dirname, '..', '..');

function createProgram() {
	const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
	const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	return ts.createProgram(fileNames, options);
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
	// The compiler comes before ESLint, whose rules are then faster, because they reuse its results.
	const faults = typeFaults(program);
	const eslint = new ESLint({
		cwd: root,
		overrideConfig: {
			files: ['**/*.ts'],
			languageOptions: { parserOptions: { programs: [program] } },
		},
	});
	const results = await eslint.lintFiles(['.']);
	const formatter = await eslint.loadFormatter('stylish');
	const output = `${await formatter.format(results)}${faults}`;
	process.stdout.write(output);
	process.exitCode = output === '' ? 0 : 1;
}

void main();
