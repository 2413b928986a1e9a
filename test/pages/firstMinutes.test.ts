import type { INodeProperties } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from '../harness/n8n/setup';
import { root } from '../harness/system/paths';
import { Supercast } from '../../nodes/Supercast/Supercast.node';
import { pageAt, sectionOf } from '../support/pages';
import { memberFiles } from '../workflows/files';

/** What someone meets first: two commands, one page for each system, and what n8n shows. */

const nodesOf = (file: string) => (JSON.parse(pageAt(`workflows/${file}`)) as Workflow).nodes;

describe('the README', () => {
	const readme = pageAt('README.md');

	it.each([
		['npm run demo', 'see-it-work'],
		['npm test', 'contribute'],
	])('says what "%s" does and how long it takes', (command, anchor) => {
		const [, after = ''] = sectionOf(readme, anchor).split(`${command}\n\`\`\``);
		expect(after.split('```')[0]).toMatch(/^\s*(?:This|The command) .*\bminutes\b/s);
		expect(readFileSync(join(root, '.ci', 'run'), 'utf8')).toContain(command);
	});

	it('installs the package in four lines, which build the file that they install', () => {
		const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(sectionOf(readme, 'install')) ?? [];
		const lines = block.trim().split('\n');
		expect(lines.length).toBe(4);
		const { repository, scripts } = JSON.parse(pageAt('package.json')) as {
			repository: { url: string };
			scripts: Record<string, string>;
		};
		expect(lines[0]).toContain(`git clone ${repository.url.replace('git+', '')} && cd `);
		const [, command = ''] = /npm run (\w+)/.exec(lines[0] ?? '') ?? [];
		const tool = / (\S+)$/.exec(scripts[command] ?? '')![1]!;
		const file = /'(n8n[\w-]+\.tgz)'/.exec(pageAt(tool))![1]!;
		expect(lines[1]).toContain(`cp ${file} ~/.n8n/nodes`);
		expect(lines[3]).toBe(`npm install --prefix . ./${file}`);
	});

	it('leads to the page of each system that has a workflow', () => {
		for (const [page] of PAGES) expect(readme).toContain(`](${page})`);
		expect(readme).toContain('](docs/set-up-others.md)');
	});
});

const PAGES = [
	['docs/set-up-stripe.md', 'stripe.json'],
	['docs/set-up-patreon.md', 'patreon.json'],
	['docs/set-up-ghost.md', 'ghost.json'],
] as const;

const fields = new Set(new Supercast().description.properties.flatMap(labelsOf));

/** The labels of a field, and of the options in it. */
function labelsOf({ displayName, options = [] }: INodeProperties): string[] {
	return [displayName, ...options.flatMap((one) => ('displayName' in one ? one.displayName : []))];
}

/** The labels in "In **Sync**", in a part of a page, except those of fields. */
const labelsIn = (text: string): string[] =>
	[...text.matchAll(/\b(?:[Ii]n|[Nn]odes?) \*\*([A-Z][^*]+)\*\*/g)]
		.map(([, label]) => label!)
		.filter((label) => !fields.has(label));

describe('the steps that all systems share', () => {
	const page = pageAt('docs/set-up.md');

	it('are in the order in which someone takes them, from the token to the published workflow', () => {
		const steps = [
			'**Generate Token**',
			'**Get many subscribers**',
			'Paste the content',
			'**Ctrl+S**',
			'**Do not save**',
			'Press **Execute workflow**',
			'In **Sync**, turn off **Dry Run**',
			'**Email to You**',
			'**Publish** the workflow',
		].map((step) => page.indexOf(step));
		expect(steps).not.toContain(-1);
		expect(steps).toEqual([...steps].sort((one, other) => one - other));
	});

	it('begin with steps that change nothing, and write for the first time when someone goes live', () => {
		const [before = ''] = page.split('## 5. Go live');
		const writing = /\b(?:Create or update|Set access|Activate feed|Deactivate feed|Delete) /;
		expect(before.match(/^\d\. .*$/gm)!.filter((step) => writing.test(step))).toEqual([]);
		expect(sectionOf(page, '2-read-your-subscribers')).toContain('This step only reads.');
		for (const name of memberFiles) {
			const sync = nodesOf(`${name}.json`).find((node) => node.name === 'Sync')!;
			expect([name, sync.parameters.dryRun]).toEqual([name, true]);
		}
	});

	it.each(memberFiles)('name only nodes that %s.json has', (name) => {
		const known = nodesOf(`${name}.json`).map((node) => node.name);
		const named = labelsIn(page).filter((label) => !['Set Access', 'Settings'].includes(label));
		expect(named.length).toBeGreaterThan(1);
		expect(named.filter((label) => !known.includes(label))).toEqual([]);
	});

	it('lead to what concerns people who are in Supercast already, and who left before', () => {
		const anchor = 'start-with-people-who-are-already-in-supercast';
		expect(page).toContain(`](operate.md#${anchor})`);
		expect(sectionOf(pageAt('docs/operate.md'), anchor)).toMatch(/left before you started/);
	});
});

describe.each(PAGES)('%s', (name, file) => {
	const page = pageAt(name);

	it('leads to the shared steps and to its workflow, and says who counts', () => {
		expect(page).toContain('](set-up.md)');
		expect(page).toContain(`](../workflows/${file})`);
		expect(sectionOf(page, 'who-counts')).toContain('](set-up.md#choose-who-counts)');
	});

	it(`names only nodes that ${file} has`, () => {
		const known = nodesOf(file).map((node) => node.name);
		const named = labelsIn(page);
		expect(named.length).toBeGreaterThan(0);
		expect(named.filter((label) => !known.includes(label))).toEqual([]);
	});
});

describe('the page of the other systems', () => {
	const sections = pageAt('docs/set-up-others.md').split(/^## /m).slice(1);

	it('has a section for each other workflow with members, which names only its nodes', () => {
		const seen = sections.map((section) => {
			const [, file = ''] = /\]\(\.\.\/workflows\/([\w-]+\.json)\)/.exec(section)!;
			const known = nodesOf(file).map((node) => node.name);
			expect([file, labelsIn(section).filter((label) => !known.includes(label))]).toEqual([
				file,
				[],
			]);
			return file;
		});
		const others = memberFiles.map((name) => `${name}.json`);
		const own = PAGES.map(([, file]) => file as string);
		expect(seen.sort()).toEqual(
			['any-system.json', ...others.filter((file) => !own.includes(file))].sort(),
		);
	});
});

it.each(memberFiles)('%s.json tries a request three times', (name) => {
	const requests = nodesOf(`${name}.json`).filter(({ type }) => type.endsWith('.httpRequest'));
	expect(requests.map(({ maxTries }) => maxTries)).toEqual(requests.map(() => 3));
});

it.each([
	['Unrecognized node type: ', 'node_modules/n8n-core/dist/errors/unrecognized-node-type.error.js'],
	[
		'The returned response was identical 5x, so requests got stopped',
		'node_modules/n8n-core/dist/execution-engine/node-execution-context/utils/request-helpers/pagination.js',
	],
])('troubleshooting quotes what n8n shows: %s', (message, source) => {
	expect(sectionOf(pageAt('docs/troubleshooting.md'), 'what-you-see-in-n8n')).toContain(message);
	expect(readFileSync(join(root, source), 'utf8')).toContain(message);
});

it('troubleshooting quotes what Sync says, and each reason for which it stops', () => {
	const section = sectionOf(pageAt('docs/troubleshooting.md'), 'what-sync-says');
	const quoted = [...section.matchAll(/^\| \*\*(.*?)\*\*/gm)].map(([, text]) => text!);
	const read = (file: string): string =>
		readFileSync(join(root, 'nodes', 'Supercast', file), 'utf8');
	const sources = [
		...['stops', 'warnings', 'unclear'].map((file) => read(`report/${file}.ts`)),
		read('access/sync/prefix.ts'),
	].join('\n');
	const parts = quoted.flatMap((text) => text.split(/…|"|: |, /).map((part) => part.trim()));
	expect(parts.filter((part) => part !== '' && !sources.includes(part))).toEqual([]);
	const stops = quoted.filter((text) => text.startsWith('Sync stopped: '));
	const kinds = /type WrongRows = [\s\S]*?const WRONG[^{]*\{([\s\S]*?)\n\};/.exec(sources)![1]!;
	// The rows of wrong lists, and the limit on closings.
	expect(stops.length).toBe(kinds.match(/^\t\w+: \(/gm)!.length + 1);
});
