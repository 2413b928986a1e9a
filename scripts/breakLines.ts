import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../harness/system/paths';

/**
 * Breaks one line after the other, each of which keeps a promise, and checks that a test turns red.
 * A line is found by its text, in whichever file it is. Ends with 1 if a test stays green, or if a
 * line is not there any more.
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

const list = join(root, 'scripts', 'brokenLines.json');
const wanted = process.argv.slice(2).join(' ');
const all = JSON.parse(readFileSync(list, 'utf8')) as BrokenLine[];

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(root, folder, file)),
);

/** The name of the first test that fails with the broken line. */
function firstRed({ line, becomes, tests }: BrokenLine): string | undefined {
	const places = files.filter((file) => readFileSync(file, 'utf8').includes(line));
	const [file] = places;
	if (file === undefined || places.length > 1) return undefined;
	const text = readFileSync(file, 'utf8');
	process.once('exit', () => writeFileSync(file, text));
	try {
		writeFileSync(
			file,
			text.replace(line, () => becomes),
		);
		const args = [...tests.split(' '), '--silent', '--json', '--passWithNoTests'];
		const { stdout } = spawnSync(join(root, 'node_modules', '.bin', 'jest'), args, {
			cwd: root,
			encoding: 'utf8',
			maxBuffer: 2 ** 28,
		});
		const { testResults } = JSON.parse(stdout) as {
			testResults: Array<{
				name: string;
				status: string;
				assertionResults: Array<{ status: string; fullName: string }>;
			}>;
		};
		const red = testResults.find(({ status }) => status === 'failed');
		if (red === undefined) return undefined;
		const test = red.assertionResults.find(({ status }) => status === 'failed');
		return `${red.name.slice(root.length + 6)}: ${test?.fullName ?? 'does not run'}`;
	} finally {
		writeFileSync(file, text);
	}
}

process.on('SIGINT', () => process.exit(1));
let missed = 0;
for (const broken of all.filter(({ breaks }) => breaks.includes(wanted))) {
	const red = firstRed(broken);
	if (red === undefined) missed++;
	process.stdout.write(`| ${broken.breaks} | ${red ?? '**no test, or no such line**'} |\n`);
}
process.exitCode = missed === 0 ? 0 : 1;
