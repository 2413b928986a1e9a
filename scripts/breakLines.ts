import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { root } from '../harness/system/paths';

/**
 * Breaks one line after the other, each of which keeps a promise, and checks that a test turns red.
 * A line is found by its text, in whichever file it is. Prints the rows of the table in
 * `docs/decisions/0009-mutation-tests.md`. Ends with 1 if a test stays green, or if a line is not
 * there any more.
 *
 * Usage: npm run test:broken-lines [-- <words of a promise>]
 */
interface BrokenLine {
	/** The promise that it breaks. */
	breaks: string;
	line: string;
	becomes: string;
	/** Paths of the tests that must notice it. */
	tests: string;
}

interface JestResult {
	testResults: Array<{
		name: string;
		status: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}

/** Tests that take longer than this wait for something that the broken line no longer does. */
const LIMIT_MS = 300_000;

const list = join(root, 'scripts', 'brokenLines.json');
const wanted = process.argv.slice(2).join(' ');
const all = JSON.parse(readFileSync(list, 'utf8')) as BrokenLine[];

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(root, folder, file)),
);

/** The name of the first of these tests that fails, if one does. */
function firstRed(tests: string): string | undefined {
	const folder = mkdtempSync(join(tmpdir(), 'supercast-broken-'));
	const outputFile = join(folder, 'result.json');
	// All tests run in one process, so that none is left after the time limit.
	const args = [...tests.split(' '), '--runInBand', '--json', '--outputFile', outputFile];
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	try {
		const { error } = spawnSync(process.execPath, [jest, ...args], {
			cwd: root,
			timeout: LIMIT_MS,
			killSignal: 'SIGKILL',
		});
		// Without some lines, a reading would never end and use all memory.
		if (error !== undefined || !existsSync(outputFile)) return `${tests}: do not end`;
		const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as JestResult;
		const red = testResults.find(({ status }) => status === 'failed');
		if (red === undefined) return undefined;
		const test = red.assertionResults.find(({ status }) => status === 'failed');
		return `${relative(join(root, 'test'), red.name)}: ${test?.fullName ?? 'does not run'}`;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Breaks the line, and returns its file and the test that notices it. */
function notice({ line, becomes, tests }: BrokenLine): [file: string, red?: string] {
	const [file, another] = files.filter((name) => readFileSync(name, 'utf8').includes(line));
	if (file === undefined || another !== undefined) return ['**no such line**'];
	const text = readFileSync(file, 'utf8');
	const restore = (): void => writeFileSync(file, text);
	process.once('exit', restore);
	writeFileSync(
		file,
		text.replace(line, () => becomes),
	);
	try {
		return [relative(join(root, 'nodes', 'Supercast'), file), firstRed(tests)];
	} finally {
		restore();
		process.off('exit', restore);
	}
}

process.on('SIGINT', () => process.exit(1));
process.stdout.write('| broken promise | file | first test that fails |\n| --- | --- | --- |\n');
let missed = 0;
for (const broken of all.filter(({ breaks }) => breaks.includes(wanted))) {
	const [file, red] = notice(broken);
	if (red === undefined) missed++;
	// A bar would end the cell.
	const cells = [broken.breaks, file, red ?? '**none**'].map((cell) => cell.replaceAll('|', '\\|'));
	process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
process.exitCode = missed === 0 ? 0 : 1;
