import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../harness/system/paths';
import { FACTS } from './facts';
import { passagesIn, type Passage } from '../support/passages';

/**
 * Each of the most repeated facts has one home. All other pages link to it or leave it out, so that
 * a change of the fact changes one place.
 */

/** The reference repeats what the editor says, and the architecture says which file does it. */
const LEFT_OUT = ['docs/operations.md', 'docs/architecture.md'];

/** A decision states its rule, the changelog sums up, and FACTS.md is data. */
const pages = [
	...['README.md', 'CONTRIBUTING.md', '.github/SECURITY.md'],
	...['workflows/README.md', 'workflows/statuses.md'],
	...['simulators/memberships/README.md', 'simulators/supercast/README.md'],
	...['test/versions/README.md', 'tools/bench/README.md'],
	...readdirSync(join(root, 'docs'))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `docs/${name}`),
].filter((page) => !LEFT_OUT.includes(page));

const passages = pages.flatMap(passagesIn);

describe.each(FACTS)('$fact', ({ home, statement, alsoAs, inReadme = false }) => {
	const [page = '', anchor = ''] = home.split('#');
	const isHome = (one: Passage): boolean => one.page === page && one.anchors.includes(anchor);
	const told = passages.filter(({ text }) => statement.test(text));

	it(`stands in ${home}`, () => {
		expect(told.filter(isHome).length).toBeGreaterThan(0);
	});

	it('stands nowhere else', () => {
		const isSummary = (one: Passage): boolean => inReadme && one.page === 'README.md';
		const others = told.filter((one) => !isHome(one) && !isSummary(one));
		expect(others.map((one) => `${one.page}: ${one.text}`)).toEqual([]);
	});

	it.each(alsoAs)('is recognized in other words: %s', (sentence) => {
		expect(sentence).toMatch(statement);
	});
});

it('has a home for each of the 40 most repeated facts, and only one', () => {
	const names = FACTS.map(({ fact }) => fact);
	expect(new Set(names).size).toBe(names.length);
	expect(names.length).toBeGreaterThanOrEqual(40);
});
