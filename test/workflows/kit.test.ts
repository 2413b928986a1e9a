import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../harness/system/paths';
import type { Workflow } from '../../harness/n8n/setup';
import { casesPage } from '../../scripts/workflows/cases';
import { layOut } from '../../scripts/workflows/layout';
import { plans } from '../../scripts/workflows/plans';

const folder = join(root, 'workflows');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
const nodesOf = (file: string) => read(file).nodes.filter(({ type }) => !/stickyNote$/.test(type));

/** Systems that sell memberships. */
const senders = ['stripe', 'memberful', 'patreon', 'ghost', 'woocommerce', 'any-system'];

it.each(plans)('$file matches the output of scripts/workflows', (plan) => {
	expect(read(`${plan.file}.json`)).toEqual(JSON.parse(JSON.stringify(layOut(plan))));
});

it('has at most 8 nodes for each sender, and 12 for Set Access', () => {
	for (const name of senders) expect(nodesOf(`${name}.json`).length).toBeLessThanOrEqual(8);
	expect(nodesOf('set-access.json').length).toBeLessThanOrEqual(12);
});

it.each(senders)('%s uses Supercast only through Set Access', (name) => {
	const types = nodesOf(`${name}.json`).map(({ type }) => type);
	expect(types.filter((type) => /supercast/.test(type))).toEqual([]);
	expect(types.filter((type) => /executeWorkflow$/.test(type))).toHaveLength(1);
});

it('gives every workflow a separate ID, and no webhook path twice', () => {
	const ids = files.map((file) => read(file).id);
	expect(new Set(ids).size).toBe(files.length);
	const paths = files.flatMap((file) =>
		nodesOf(file)
			.filter(({ type }) => /\.webhook$/.test(type))
			.map(({ parameters }) => parameters.path),
	);
	expect(new Set(paths).size).toBe(paths.length);
});

it('protects every webhook with a signature or a secret', () => {
	for (const file of files) {
		const nodes = nodesOf(file);
		for (const { parameters } of nodes.filter(({ type }) => /\.webhook$/.test(type))) {
			const isSigned = nodes.some(({ type }) => /\.crypto$/.test(type));
			expect([file, isSigned || parameters.authentication === 'headerAuth']).toEqual([file, true]);
		}
	}
});

it('lists in cases.md what the tests send', () => {
	const words = (text: string) => text.replace(/[\s|-]+/g, ' ').trim();
	expect(words(readFileSync(join(folder, 'cases.md'), 'utf8'))).toBe(words(casesPage()));
});
