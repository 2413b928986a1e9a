import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/harness/system/paths';

/**
 * Runs mutation tests of each module with only that module's unit tests, and prints the scores.
 *
 * Usage: npm run test:mutation [-- <module> ...], such as `npm run test:mutation -- api/retry`
 */
const modules = [
	'access',
	'api/auth',
	'api/errors',
	'api/http',
	'api/paging',
	'api/rate-limit',
	'api/retry',
	'trigger',
] as const;

interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

const stryker = join(root, 'node_modules', '.bin', 'stryker');
const config = join(__dirname, 'stryker.config.mjs');

/** Returns how many mutants the tests detect, and how many count in total. */
function mutate(module: string): [detected: number, all: number] {
	const report = join(root, '.cache', 'mutation', `${module.replace('/', '-')}.json`);
	const env = { ...process.env, MODULE: module, REPORT: report };
	const { status } = spawnSync(stryker, ['run', config], { cwd: root, env, stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
	const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report;
	const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map((one) => one.status));
	const count = (...wanted: string[]): number =>
		statuses.filter((one) => wanted.includes(one)).length;
	const detected = count('Killed', 'Timeout');
	return [detected, detected + count('Survived', 'NoCoverage')];
}

mkdirSync(join(root, '.cache', 'mutation'), { recursive: true });
const wanted = process.argv.slice(2);
const chosen = modules.filter((name) => wanted.length === 0 || wanted.includes(name));
const rows = chosen.map((name) => {
	const [detected, all] = mutate(name);
	return `| ${name} | ${((100 * detected) / all).toFixed(1)}% | ${all - detected} of ${all} |`;
});
process.stdout.write(['| module | score | survivors |', '|---|---|---|', ...rows, ''].join('\n'));
