/** What the pages say about the workflows and the node, compared with their files. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const named = (folder: string, ending: string, recursive = false): string[] =>
	(readdirSync(join(root, folder), { recursive }) as string[])
		.filter((name) => name.endsWith(ending))
		.map((name) => join(folder, name));

interface WorkflowNode {
	name: string;
	parameters: Record<string, unknown>;
}

const workflows = new Map(
	named('workflows', '.json').map((file) => [
		file.replace('workflows/', ''),
		(JSON.parse(read(file)) as { nodes: WorkflowNode[] }).nodes,
	]),
);

/** The parameters of a node, as text. */
function parametersOf(file: string, name: string): string {
	const node = workflows.get(file)!.find((one) => one.name === name)!;
	return JSON.stringify(node.parameters);
}

const withSync = [...workflows].filter(([, nodes]) => nodes.some(({ name }) => name === 'Sync'));
const pages = ['README.md', 'workflows/README.md', ...named('docs', '.md')];
const code = ['nodes', 'credentials'].flatMap((folder) => named(folder, '.ts', true));
const sources = code.map(read).join('\n');
const OF_N8N = ['AI Agent', 'Executions', 'Settings'];

/** Whether a label belongs to a node of a workflow, to the package, or to n8n. */
function exists(label: string): boolean {
	const nodes = [...workflows.values()].flat();
	if (OF_N8N.includes(label) || nodes.some(({ name }) => name === label)) return true;
	return nodes.some(({ parameters }) => JSON.stringify(parameters).includes(`"${label}"`))
		? true
		: sources.includes(`'${label}'`);
}

it.each(pages)('%s names only nodes and fields that exist, where it says "In …"', (page) => {
	const labels = [...read(page).matchAll(/\b[Ii]n \*\*([A-Z][^*]+)\*\*/g)].map(([, one]) => one!);
	expect(labels.filter((label) => !exists(label))).toEqual([]);
});

it.each(withSync)('the note of %s has the intervals of the page', (_file, nodes) => {
	const rowsOf = (text: string): string[][] =>
		[...text.matchAll(/^\| +([\d,]+) \|(.*)\|$/gm)].map(([, members, rest]) =>
			[members!, ...rest!.split('|').map((cell) => cell.trim())].filter((one) => one !== ''),
		);
	const stated = new Map(
		rowsOf(read('docs/running.md')).map(([members = '', requests, , interval]) => [
			members,
			[interval, requests],
		]),
	);
	const note = nodes.map(({ parameters }) => String(parameters.content)).join('\n');
	const noted = rowsOf(note.replace(/^\| (?=\d)/gm, '|  '));
	for (const [members = '', ...rest] of noted) expect(rest).toEqual(stated.get(members));
	// Where a table has no room, a sentence says it.
	const said = [...note.matchAll(/(\d+ (?:minutes|hour)) for (\d[\d,]*\d)/g)];
	for (const [, interval, members = ''] of said) expect(interval).toBe(stated.get(members)?.[0]);
	expect(noted.length + said.length).toBe(3);
});

it.each(withSync)('%s starts with a dry run and the brake that the README names', (file) => {
	const sync = parametersOf(file, 'Sync');
	expect(sync).toContain('"dryRun":true');
	const percent = /"maxClosePercent":(\d+)/.exec(sync)![1]!;
	expect(read('README.md')).toContain(`more than one feed and more than ${percent}%`);
});

it.each([
	['stripe.json', ['active', 'trialing', 'past_due'], ['unpaid', 'paused']],
	['patreon.json', ['active_patron', 'declined_patron'], ['former_patron']],
	['woocommerce.json', ['active'], ['on-hold']],
])('%s counts the states that the pages name', (file, counted, others) => {
	const filter = parametersOf(file, 'Who Is a Member');
	expect(counted.filter((state) => !filter.includes(state))).toEqual([]);
	expect(others.filter((state) => filter.includes(state))).toEqual([]);
});

it('only the joined list has no customer ID prefix, as the pages say', () => {
	const without = withSync.filter(
		([file]) => !parametersOf(file, 'Sync').includes('"customerIdPrefix"'),
	);
	expect(without.map(([file]) => file)).toEqual(['stripe-and-patreon.json']);
	expect(parametersOf('patreon.json', 'Sync')).toContain('"customerIdPrefix":"patreon-"');
	expect(read('docs/patreon.md')).toContain('begin with `patreon-`');
});
