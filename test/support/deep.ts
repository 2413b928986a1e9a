/**
 * How hard a test tries: a little in `npm test`, much in `npm run test:deep`. A test file that
 * imports this module is part of the deep tests.
 *
 * `RUNS` multiplies the random runs, and `SEED` selects them: `SEED=7 RUNS=30 npm test -- trigger`.
 */
const { RUNS = '1', SEED = '1' } = process.env;

/** Whether to try everything, as each night. Before a change lands, `RUNS` is 5. */
export const isDeep = Number(RUNS) >= 10;

/** The seed of all property tests, see `sharedEnvironment.js`. */
export const seed = Number(SEED);

/** Real times of the deep tests are multiplied by this, because a real n8n may run beside them. */
export const PACE = Number(RUNS) > 1 ? 2 : 1;

/** The settings of a property that tries `few` random runs in `npm test`. */
export function runs(few: number): { numRuns: number } {
	return { numRuns: few * Number(RUNS) };
}

/** All of them each night. In `npm test`, the share of one of several tests, which together try all. */
export function shareOf<T>(all: readonly T[], at: number, tests: number): T[] {
	const shares = Math.min(tests, all.length);
	return isDeep ? [...all] : all.filter((_, index) => index % shares === at % shares);
}

/** All of them each night, the first few in `npm test`, and the next few before a change lands. */
export function someOf<T>(all: readonly T[], few: number): T[] {
	if (isDeep) return [...all];
	const next = all.slice(few, 2 * few);
	return Number(RUNS) === 1 || next.length === 0 ? all.slice(0, few) : next;
}
