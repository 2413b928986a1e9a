import { Ajv } from 'ajv';
import { resolveOutputSchemaPath } from 'n8n-core';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runSupercast } from '../harness/engine';
import { type JsonSchema, outputSchemas, outputsOf } from '../harness/engine/outputSchemas';
import { root } from '../harness/system/paths';
import { sync } from '../../nodes/Supercast/access/parameters';
import type { SyncSettings } from '../../nodes/Supercast/access/settings';
import { closingLimit, openingLimit } from '../../nodes/Supercast/access/sync/limits';
import { incompletenessOf } from '../../nodes/Supercast/access/sync/list';
import { NOTHING_REMEMBERED } from '../../nodes/Supercast/access/sync/memory';
import { Supercast } from '../../nodes/Supercast/Supercast.node';
import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node';
import { MINUTE_MS, runtime } from '../../nodes/Supercast/api/clock';
import { decide } from '../../nodes/Supercast/api/retry/retryPolicy';
import { listRequest } from '../../nodes/Supercast/operations/kinds';
import { optionsCollection } from '../../nodes/Supercast/operations/properties';
import { resources } from '../../nodes/Supercast/resources';
import { subscribers } from '../../nodes/Supercast/subscriber/kind';
import { EVENTS } from '../../nodes/Supercast/trigger/events';
import { namesTakenFromN8n } from '../support/n8nNames';
import { TAKEN_FROM_N8N } from '../versions/takenFromN8n';
import { credentialOf, useSandbox } from '../support/sandbox';
import { insertTable, tableOf } from '../versions/table';
import { SYSTEMS } from '../../simulators/memberships';

describe('facts that the pages state', () => {
	const page = (name: string): string => readFileSync(join(__dirname, '../../docs', name), 'utf8');
	const errors = page('troubleshooting.md');

	/** Numbers that pages state and only the code knows. The tables of costs have their own test. */
	describe('numbers in the pages', () => {
		it('the time-out of a request, and how long the node looks for a lost record', () => {
			expect(runtime.timeoutMs).toBe(60_000);
			expect(errors).toContain('One request takes at most one minute.');
			const { visibleMs, lateMs } = runtime;
			expect(errors).toContain(
				`looks for the record for up to ${(lateMs + visibleMs) / 1000} seconds.`,
			);
		});

		it('how long the node retries by default', () => {
			const { options = [] } = optionsCollection();
			const maxWait = options.find(({ name }) => name === 'maxWaitSeconds');
			const minutes = (maxWait as { default: number }).default / 60;
			expect(errors).toContain(`**Max Wait (Seconds)**, by default ${minutes} minutes`);
			expect(errors).toContain(`retries refused requests, by default for ${minutes} minutes`);
		});

		it('the statuses after which the node retries a read request, in decision 0006', () => {
			const request = listRequest(subscribers);
			const state = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };
			const statuses = [408, 429, ...Array.from({ length: 100 }, (_, index) => 500 + index)];
			const retried = statuses.filter(
				(status) =>
					decide({ kind: 'status', status, body: undefined }, request, state).action !== 'fail',
			);
			const rows = page('decisions/0006-pacing-and-retries.md').split('\n');
			const stated = rows
				.filter((row) => /^\|[^|]*\| retry +\|/.test(row))
				.flatMap((row) => [...row.matchAll(/\b(\d{3})(?: to (\d{3}))?/g)])
				.flatMap(([, first, last = first]) => range(Number(first), Number(last)));
			expect(stated.sort()).toEqual(retried);
		});

		function range(first: number, last: number): number[] {
			return Array.from({ length: last - first + 1 }, (_, index) => first + index);
		}

		it('how many records the trigger remembers', () => {
			const most = (event: keyof typeof EVENTS): string =>
				EVENTS[event]({ states: [], email: '', now: 0 }).maxRecords.toLocaleString('en-US');
			expect(page('trigger.md')).toContain(
				`up to ${most('subscriberCreated')} records, or ${most('subscriberDeleted')} subscribers for **Subscriber Deleted**`,
			);
		});
	});

	describe('the schemas of the output', () => {
		const nodeDir = join(__dirname, '..', '..', 'nodes', 'Supercast');
		const folder = join(nodeDir, '__schema__', 'v1.0.0');

		const operations = Object.entries(resources).flatMap(([resource, { operations: all }]) =>
			Object.keys(all).map((key) => [resource, key] as const),
		);

		function read(path: string): JsonSchema {
			return JSON.parse(readFileSync(path, 'utf8')) as JsonSchema;
		}

		it('the schemas are those that `npm run schemas` writes, one for each operation', async () => {
			const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
			const written = files.filter((file) => file.endsWith('.json')).sort();
			const made = await outputSchemas();
			expect(written).toEqual([...made.keys()].map((key) => `${key}.json`).sort());
			for (const [key, schema] of made) {
				expect(read(join(folder, `${key}.json`))).toEqual({ ...schema, version: 1 });
			}
		});

		describe('the schema', () => {
			const sandbox = useSandbox();
			const ajv = new Ajv({ allowUnionTypes: true });
			ajv.addKeyword('version');

			it.each(operations)(
				'of %s: %s: each field can be dragged, and the run returns it',
				async (...tried) => {
					const [resource, key] = tried;
					const path = resolveOutputSchemaPath({ nodeDir, version: 1, resource, operation: key });
					const schema = read(path!);
					const validate = ajv.compile(schema);
					const outputs = await outputsOf(resource, key, sandbox.current);
					expect(outputs.length).toBeGreaterThan(0);
					for (const output of outputs) {
						validate(output);
						expect(validate.errors ?? []).toEqual([]);
						for (const names of fieldsOf(schema)) expect(output).toHaveProperty(names);
					}
				},
			);
		});

		/** The paths of the fields that the editor offers, also inside other fields. */
		function fieldsOf({ properties = {} }: JsonSchema): string[][] {
			return Object.entries(properties).flatMap(([name, inner]) => [
				[name],
				...fieldsOf(inner).map((path) => [name, ...path]),
			]);
		}
	});

	describe('the table of tested versions', () => {
		const rows = [
			{
				n8n: '1.85.4',
				node: '20.20.2',
				engine: { passed: 304, failed: 0 },
				server: { passed: 3, failed: 1 },
			},
			{ n8n: '2.41.1', node: '24.0.0', engine: { passed: 304, failed: 0 } },
		];

		it('says in columns what passed, and how many failed', () => {
			expect(tableOf(rows).split('\n')).toEqual([
				"| n8n    | Node    | tests on n8n's engine | tests in the real server |",
				'| ------ | ------- | --------------------- | ------------------------ |',
				'| 1.85.4 | 20.20.2 | passed                | 1 failed, 3 passed       |',
				'| 2.41.1 | 24.0.0  | passed                | –                        |',
			]);
		});

		it('replaces only the text between the marks', () => {
			const text = 'before\n<!-- versions: begin -->\nold\n<!-- versions: end -->\nafter\n';
			const once = insertTable(text, '| new |');
			expect(once).toBe(
				'before\n<!-- versions: begin -->\n\n| new |\n\n<!-- versions: end -->\nafter\n',
			);
			expect(insertTable(once, '| new |')).toBe(once);
			expect(() => insertTable('without marks', '| new |')).toThrow(
				'has no <!-- versions: begin -->',
			);
		});
	});

	it('the page of the trigger has a row for each event, with its label', () => {
		const { properties } = new SupercastTrigger().description;
		const { options = [] } = properties.find(({ name }) => name === 'event') ?? {};
		const page = readFileSync(join(__dirname, '..', '..', 'docs', 'trigger.md'), 'utf8');
		const [, table = ''] = page.split('| Trigger On ');
		const [rows = ''] = table.split('\n\n');
		const labels = rows
			.split('\n')
			.slice(2)
			.map((row) => row.split('|')[1]?.trim());
		expect(labels.sort()).toEqual(options.map(({ name }) => name).sort());
	});

	it('the list of what the package takes from n8n has exactly what the code uses', () => {
		const named = TAKEN_FROM_N8N.flatMap(({ names }) => names);
		expect([...named].sort()).toEqual(namesTakenFromN8n());
		const seen = TAKEN_FROM_N8N.map(({ source }) => source);
		expect(seen.filter((source) => !/interfaces\.ts|2\.41|\d{5}/.test(source))).toEqual([]);
	});
});

/** What the pages say about the workflows and the node, compared with their files. */
describe('what the pages say about our workflows', () => {
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
		if (label.includes(': ')) return label.split(': ').every(exists);
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
			rowsOf(read('docs/operate.md')).map(([members = '', requests, , interval]) => [
				members,
				[interval, requests],
			]),
		);
		const note = nodes.map(({ parameters }) => String(parameters.content)).join('\n');
		const noted = rowsOf(note.replace(/^\| (?=\d)/gm, '|  '));
		for (const [members = '', ...rest] of noted) expect(rest).toEqual(stated.get(members));
		// Some notes give an interval in a sentence instead of the table.
		const said = [...note.matchAll(/(\d+ (?:minutes|hour)) for (\d[\d,]*\d)/g)];
		for (const [, interval, members = ''] of said) expect(interval).toBe(stated.get(members)?.[0]);
		expect(noted.length + said.length).toBe(3);
	});

	it.each(withSync)(
		'%s starts with a dry run and the limit that the page of Sync names',
		(file) => {
			const sync = parametersOf(file, 'Sync');
			expect(sync).toContain('"dryRun":true');
			expect(sync).toContain(`"maxClosePercent":${Number(defaultOf('maxClosePercent'))}`);
		},
	);

	const setUp = named('docs', '.md').filter((name) => name.startsWith('docs/set-up-'));
	/** The page that says how to set up a file. */
	const pageOf = (file: string): string =>
		setUp.find((name) => read(name).includes(`/${file})`)) ?? 'docs/set-up-others.md';

	it.each<readonly [file: string, prefix: string, page: string]>([
		['stripe-and-patreon.json', 'cus_, patreon-', 'workflows/README.md'],
		...Object.values(SYSTEMS)
			// Stripe's own IDs begin with its prefix.
			.filter(({ file }) => file !== 'stripe.json')
			.map(({ file, workflow }) => [file, workflow.prefix, pageOf(file)] as const),
	])('%s has the prefix %s, as %s says', (file, prefix, name) => {
		expect(parametersOf(file, 'Sync')).toContain(`"customerIdPrefix":"${prefix}"`);
		expect(read(name)).toContain(`\`${prefix}\``);
	});
});

/** The default of a parameter or an option of Sync. */
function defaultOf(name: string): unknown {
	return [...sync.properties, ...sync.options].find((one) => one.name === name)?.default;
}

describe('the page of the rules', () => {
	const page = readFileSync(join(root, 'docs', 'sync.md'), 'utf8');
	const NOTHING = { memory: NOTHING_REMEMBERED, now: 0, due: 0, moves: 0 };

	it('has the defaults and the floors of the limits', () => {
		const [close, open] = ['maxClosePercent', 'maxOpenPercent'].map((name) =>
			Number(defaultOf(name)),
		);
		const floor = closingLimit(0, { ...NOTHING, percent: 1, ownOpen: 1 }).limit;
		expect(page).toContain(`by default ${close}%, or ${floor} feeds if that is more`);
		const first = openingLimit(0, { open: 1, percent: 1, wanted: 0, isFirstRun: false }).limit;
		expect(page).toContain(`by default ${open}% of the open feeds, or ${first} if that is more`);
		const readme = readFileSync(join(root, 'README.md'), 'utf8');
		expect(readme).toContain(`at most ${close}% of its feeds in 24 hours`);
	});

	it('names only fields, values and options that the node or n8n has', () => {
		const { properties } = new Supercast().description;
		const named = (all: readonly unknown[]): string[] =>
			all.flatMap((one) => {
				const { displayName, name, options = [] } = one as INodeProperties;
				return [displayName ?? name, ...named(options)];
			});
		const known = new Set([...named(properties), 'View', 'Execute Once', 'Always Output Data']);
		const labels = [
			...page.matchAll(
				/\*\*((?:[A-Z][\w()%-]*|of|a|an|…|\(Lists\))(?: [A-Z][\w()%]*| of| a| an| …| \(\S+\))*):?\*\*/g,
			),
		];
		const titles = labels
			.map(([, label]) => label!)
			.filter((label) => !/^(?:No|A|Any)\b/.test(label));
		expect(titles.length).toBeGreaterThan(20);
		expect(titles.filter((label) => !known.has(label))).toEqual([]);
	});

	it('has its other numbers from the code: how old, how long, how often', () => {
		const arrival = { readingBeganAt: 0, arrivedAt: 0, mayGetMore: false };
		const list = {
			records: [],
			size: 0,
			invalid: [],
			ids: { different: 0, doubled: [], empty: [] },
		};
		const settings = { hasRecordIds: false } as unknown as SyncSettings;
		const isOld = (minutes: number): boolean =>
			incompletenessOf(list, settings, { ...arrival, idleMs: minutes * MINUTE_MS }, 0).length > 0;
		expect([isOld(5), isOld(5.1)]).toEqual([false, true]);
		expect(page).toContain('for more than 5 minutes');
	});

	it('Operate has the delays that the node assumes', () => {
		const { oldMs, lateMs } = runtime;
		const operate = readFileSync(join(root, 'docs', 'operate.md'), 'utf8');
		expect(operate).toContain(`at most ${oldMs / 1000} seconds old`);
		expect(operate).toContain(`at most ${lateMs / 1000} seconds late`);
	});
});

describe('the table of costs on the page Troubleshooting', () => {
	const limits = readFileSync(join(__dirname, '../../docs/troubleshooting.md'), 'utf8');
	const sandbox = useSandbox({ subscribers: 250, perPageMax: 100 });
	const PAGES = 3;

	/** The cell of the table that says how many requests something takes. */
	function cell(label: string): string {
		const row = limits.split('\n').find((line) => line.startsWith(`| ${label} `));
		return row?.split('|')[2]?.trim() ?? '';
	}

	/** How many requests a subscriber operation sends. */
	async function requestsOf(operation: string, parameters: INodeParameters): Promise<number> {
		const { error } = await runSupercast({
			parameters: { resource: 'subscriber', operation, ...parameters },
			credential: credentialOf(sandbox.current),
			items: [{ email: parameters.email ?? null }],
		});
		expect(error).toBeUndefined();
		return sandbox.current.stats().requests;
	}

	const member = () => sandbox.current.state.subscribers[0]!;
	const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
	const options = { reactivate: true };

	it.each<[string, string, () => INodeParameters]>([
		['Most operations', 'get', () => ({ subscriber: locator('email', member().email) })],
		['Get Many', 'getAll', () => ({ returnAll: true })],
		[
			'Get Many with filters',
			'getAll',
			() => ({ returnAll: true, filters: { state: ['available'] } }),
		],
		['Create or Update, nothing to change', 'upsert', () => ({ email: member().email })],
		['Create or Update, new member', 'upsert', () => ({ email: 'new@example.com' })],
		[
			'Create or Update, changed fields',
			'upsert',
			() => ({ email: member().email, additionalFields: { firstName: 'Nora' } }),
		],
		[
			'Create or Update, feed to reopen and changed fields',
			'upsert',
			() => {
				sandbox.current.controls.setState(member().email, 'deactivated');
				return { email: member().email, additionalFields: { firstName: 'Nora' }, options };
			},
		],
	])('%s', async (label, operation, parameters) => {
		const requests = await requestsOf(operation, parameters());
		if (operation === 'getAll')
			expect([requests, cell(label)]).toEqual([PAGES, expect.stringMatching(/^1 per page/)]);
		else expect(cell(label)).toMatch(new RegExp(`^${requests}\\b`));
	});

	/** How many requests the same operation sends at first, and while the list is in the cache. */
	async function requestsTwice(operation: string, parameters: INodeParameters): Promise<number[]> {
		const first = await requestsOf(operation, parameters);
		return [first, (await requestsOf(operation, parameters)) - first];
	}

	it('an operation for a missing subscriber, without and with the list in the cache', async () => {
		const [fixed] = cell(
			'Any operation for a missing subscriber, with **If Missing** set to **Succeed**',
		).match(/^\d+(?=, plus 1 per page of the list if it is not in the cache)/)!;
		const requests = await requestsTwice('delete', {
			subscriber: locator('email', 'nobody@example.com'),
			options: { ifMissing: 'succeed' },
		});
		expect(requests).toEqual([Number(fixed) + PAGES, Number(fixed)]);
	});

	it('an operation by customer ID, without and with the list in the cache', async () => {
		Object.assign(member(), { customer_id: 'cus_1' });
		expect(cell('Any operation with **By Customer ID**')).toMatch(
			/^as by email, plus 1 if the list is in the cache\. If it is not, plus 1 per page$/,
		);
		const requests = await requestsTwice('get', { subscriber: locator('customerId', 'cus_1') });
		expect(requests).toEqual([1 + PAGES, 1 + 1]);
	});

	const access = (email: string, more: INodeParameters = {}): INodeParameters => ({
		access: 'open',
		email,
		...more,
	});

	it.each<[string, () => INodeParameters]>([
		['nothing to change', () => access(member().email)],
		['something to change', () => access('new@example.com')],
		[
			'something to change',
			() => {
				sandbox.current.controls.setState(member().email, 'deactivated');
				const additionalFields = { firstName: 'Nora' };
				return access(member().email, { additionalFields, options: { closeWithPlan: true } });
			},
		],
		[
			'something to change',
			() => access(member().email, { access: 'close', options: { closeWithPlan: true } }),
		],
	])('Set Access, %s', async (label, parameters) => {
		const requests = await requestsOf('setAccess', parameters());
		const [least, most = least] = cell(`Set Access, ${label}`).match(/\d+/g)!.map(Number);
		expect(requests).toBeGreaterThanOrEqual(least!);
		expect(requests).toBeLessThanOrEqual(most!);
	});

	/** In each process, the first Sync asks Supercast once which channel it is. */
	const CHANNEL = 1;

	it('Subscriber: Sync, for a new member and a returning one with changed fields', async () => {
		sandbox.current.controls.setState(member().email, 'deactivated');
		const list = { dryRun: false, close: 'none', options: { closeWithPlan: true } };
		const added = await requestsOf('sync', { ...list, email: 'new@example.com' });
		const additionalFields = { firstName: 'Nora' };
		const before = sandbox.current.stats().requests;
		const all = await requestsOf('sync', { ...list, email: member().email, additionalFields });
		const [least, most] = cell('Subscriber: Sync').match(/\d+/g)!.map(Number);
		expect([added - 3 - CHANNEL, all - before - 3]).toEqual([2, most]);
		expect(cell('Subscriber: Sync')).toContain('After n8n starts, the first Sync sends 1 more');
		expect(least).toBe(1);
	});

	it('Subscriber: Sync, for new members after the first 20 of a run', async () => {
		const options = { maxOpenPercent: 100 };
		const parameters = { dryRun: false, close: 'none', email: '={{ $json.email }}', options };
		const items = Array.from({ length: 120 }, (_, n) => ({ email: `new.${n}@example.com` }));
		const { error } = await runSupercast({
			parameters: { resource: 'subscriber', operation: 'sync', ...parameters },
			credential: credentialOf(sandbox.current),
			items,
		});
		expect(error).toBeUndefined();
		const [each, every] = cell('Subscriber: Sync, new members after the first 20 of a run')
			.match(/\d+/g)!
			.map(Number);
		expect(sandbox.current.stats().requests).toBe(3 + CHANNEL + 20 * 2 + 100 * each! + 100 / 50);
		expect(every).toBe(1);
	});

	it('says that filters read further than the limit', async () => {
		const filters = { customerId: 'nobody' };
		const some = await requestsOf('getAll', { returnAll: false, limit: 1, filters });
		expect(some).toBe(3);
		expect(cell('Get Many with filters')).toMatch(/\*\*Limit\*\*/);
	});
});
