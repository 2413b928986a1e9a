/**
 * The deep tests: the files named `*.deep.test.ts`, and all test files that can try more than
 * `npm test` does. Each start has a new seed.
 *
 * @type {import('jest').Config}
 */
const { readdirSync, readFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

const base = require('../jest.config.js');

const { SEED = String(Date.now() % 2 ** 31), RUNS = '30' } = process.env;
Object.assign(process.env, { SEED, RUNS });
process.stderr.write(`SEED=${SEED} RUNS=${RUNS}\n`);

// The harness has no tests, but an installed n8n, which takes long to search.
const folders = readdirSync(__dirname, { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && entry.name !== 'harness')
	.map(({ name }) => name);
const files = folders
	.flatMap((folder) =>
		readdirSync(join(__dirname, folder), { recursive: true }).map((file) => join(folder, file)),
	)
	.filter((file) => file.endsWith('.test.ts'))
	.filter((file) => file.endsWith('.deep.test.ts') || triesMore(file));

/** With few runs, a file that only asks `isDeep` would repeat `npm test`. */
function triesMore(file) {
	const text = readFileSync(join(__dirname, file), 'utf8');
	const imports = Number(RUNS) < 10 ? text.replace(/^import \{ isDeep \} from .*/m, '') : text;
	return /support\/(deep|faultMatrix|quarrel)'/.test(imports);
}

module.exports = {
	...base,
	rootDir: '..',
	roots: ['<rootDir>/test'],
	testMatch: files.map((file) => `<rootDir>/test/${file.replaceAll('\\', '/')}`),
	testPathIgnorePatterns: ['/node_modules/'],
	// The longest tests mostly wait, so each core has two workers. Jest takes '200%' for 200 workers.
	maxWorkers: 2 * availableParallelism(),
};
