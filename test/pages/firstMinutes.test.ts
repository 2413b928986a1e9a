import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from '../harness/n8n/setup';
import { root } from '../harness/system/paths';
import { pageAt, sectionOf } from '../support/pages';
import { memberFiles, valuesOf } from '../workflows/files';
import { countsOf } from '../workflows/records';

/** What someone meets first: two commands, one page for each system, and what n8n shows. */

const nodesOf = (file: string) => (JSON.parse(pageAt(`workflows/${file}`)) as Workflow).nodes;

describe('the README', () => {
	const section = sectionOf(pageAt('README.md'), 'see-it-work');

	it.each(['npm run demo', 'npm test'])('says what "%s" does and how long it takes', (command) => {
		const [, after = ''] = section.split(`${command}\n\`\`\``);
		expect(after.split('```')[0]).toMatch(/^\s*This .*\bminutes\b/s);
		expect(readFileSync(join(root, '.ci', 'run'), 'utf8')).toContain(command);
	});
});

const PAGES = [
	['docs/day-one.md', 'stripe.json'],
	['docs/patreon.md', 'patreon.json'],
	['docs/ghost.md', 'ghost.json'],
] as const;

describe.each(PAGES)('%s', (name, file) => {
	const page = pageAt(name);
	const nodes = nodesOf(file);

	it('has all steps, in the order in which someone takes them', () => {
		const steps = [
			`](../workflows/${file}`,
			'Execute workflow',
			'In **Who Counts**, empty `',
			'turn off **Dry Run**',
			'**Email to You**',
			'**Do not save**',
			'publish',
		].map((step) => page.indexOf(step, page.indexOf('## Set up')));
		expect(steps).not.toContain(-1);
		expect(steps).toEqual([...steps].sort((one, other) => one - other));
	});

	it(`names only nodes that ${file} has`, () => {
		const named = [...page.matchAll(/\b[Ii]n \*\*([A-Z][^*]+)\*\*/g)].map(([, label]) => label!);
		const known = [...nodes.map((node) => node.name), 'Settings'];
		expect(named.length).toBeGreaterThan(3);
		expect(named.filter((label) => !known.includes(label))).toEqual([]);
	});

	it('leads to what concerns people who are in Supercast already, and who left before', () => {
		const [, end = ''] = page.split('already in Supercast?');
		expect(end).toMatch(/\]\(situations\.md#you-come-from-zapier-or-from-a-csv\)/);
		expect(sectionOf(pageAt('docs/situations.md'), 'you-come-from-zapier-or-from-a-csv')).toMatch(
			/People who left earlier/,
		);
	});
});

describe.each(memberFiles.filter((name) => name !== 'any-list'))(
	'%s.json does what the page of the workflows says',
	(name) => {
		const nodes = nodesOf(`${name}.json`);
		const page = pageAt('workflows/README.md');

		it('gives a request up after three tries', () => {
			const requests = nodes.filter(({ type }) => type.endsWith('.httpRequest'));
			expect(requests.map(({ maxTries }) => maxTries)).toEqual(requests.map(() => 3));
			expect(page).toContain('a request for it fails three times');
		});

		it('names the products, tiers or prices if nobody counts', () => {
			const stop = nodes.find((one) => one.name === 'Stop: Not Everything Was Done')!;
			expect(stop.parameters.errorMessage).toContain("$('The List').first().json.choices");
			expect(valuesOf(`${name}.json`, 'The List').choices).toMatch(
				/\b(?:Products|Tiers|Prices) at \w+: /,
			);
			expect(page).toContain('Its message names the products, tiers or prices');
		});
	},
);

it('the page of Patreon has the values that its note has', () => {
	const note = JSON.stringify(nodesOf('patreon.json').map(({ parameters }) => parameters.content));
	const table = sectionOf(pageAt('docs/patreon.md'), 'set-up').match(/^ +\| \*\*.*$/gm)!;
	const values = table.flatMap((row) => /`([^`]+)`/.exec(row)?.[1] ?? []);
	expect(values.length).toBe(3);
	expect(values.filter((value) => !note.includes(value))).toEqual([]);
});

it('the page of Ghost names the members whom its workflow counts', () => {
	const { free, ...counted } = countsOf('ghost.json');
	expect([free, counted]).toEqual(['close', { paid: 'open', comped: 'open', gift: 'open' }]);
	const text = sectionOf(pageAt('docs/ghost.md'), 'who-counts');
	expect(text).toMatch(/\*\*Paid\*\* members count/);
	expect(text).toMatch(/\*\*Complimentary\*\* and \*\*gift\*\* members count/);
	expect(text).toMatch(/\*\*Free\*\* members don't count/);
});

it.each([
	['Unrecognized node type: ', 'node_modules/n8n-core/dist/errors/unrecognized-node-type.error.js'],
	[
		'The returned response was identical 5x, so requests got stopped',
		'node_modules/n8n-core/dist/execution-engine/node-execution-context/utils/request-helpers/pagination.js',
	],
	['Regular expression execution timed out', 'node_modules/n8n-workflow/dist/cjs/safe-regex.js'],
	['Columns of the file: ', 'workflows/any-list.json'],
])('troubleshooting quotes what n8n shows: %s', (message, source) => {
	expect(sectionOf(pageAt('docs/troubleshooting.md'), 'what-you-see-in-n8n')).toContain(message);
	expect(readFileSync(join(root, source), 'utf8')).toContain(message);
});
