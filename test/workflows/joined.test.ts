import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { joinLists, RECORD_ID, type SavedWorkflow } from '../e2e/workflows/joined';
import { expressions, folder, memberFiles, nodesReadIn, readWorkflowFile } from './files';

const page = readFileSync(join(folder, 'README.md'), 'utf8');
const load = (name: string) => readWorkflowFile(`${name}.json`) as SavedWorkflow;

/** Files with the list of one system. The page says that Stripe must come first. */
const single = memberFiles.filter((name) => name !== 'stripe-and-patreon');
const pairs = single.flatMap((first) =>
	single
		.filter((second) => second !== first && second !== 'stripe')
		.map((second): [string, string] => [first, second]),
);

it('the page has the expression for the record IDs, and says that Stripe comes first', () => {
	expect(page).toContain(`\`${RECORD_ID}\``);
	expect(page).toContain('If one of them is **stripe.json**, make it the first workflow');
	expect(page).toContain("`$('Rows in Use').all().length`");
});

describe.each(pairs)('%s and %s, joined by the steps of the page', (one, other) => {
	const first = load(one);
	joinLists(first, load(other));
	const names = first.nodes.map(({ name }) => name);
	const sync = first.nodes.find(({ name }) => name === 'Sync')!;

	it('name and connect only nodes that exist, once each', () => {
		const read = nodesReadIn(first.nodes.flatMap(expressions));
		const targets = Object.values(first.connections).flatMap(({ main }) =>
			main.flat().map(({ node }) => node),
		);
		expect([...read, ...targets].filter((name) => !names.includes(name))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
	});

	it('lead to Sync only through Merge', () => {
		const leading = Object.entries(first.connections).filter(([, { main }]) =>
			main.flat().some(({ node }) => node === 'Sync'),
		);
		expect(leading.map(([name]) => name)).toEqual(['Merge']);
		const merged = Object.values(first.connections).flatMap(({ main }) =>
			main.flat().filter(({ node }) => node === 'Merge'),
		);
		expect(merged.map(({ index }) => index).sort()).toEqual([0, 1]);
	});

	it('have prefixes that differ, so that no record ID of one is that of the other', () => {
		const { customerIdPrefix, recordId } = sync.parameters.options as Record<string, string>;
		const [prefix, second] = customerIdPrefix!.split(', ');
		expect(prefix).not.toBe(second);
		expect(recordId).toBe(`=${RECORD_ID}`);
	});
});
