import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { resolveOutputSchemaPath } from 'n8n-core';

import { runtime } from '../../nodes/Supercast/api/clock';
import { decide } from '../../nodes/Supercast/api/retry/retryPolicy';
import { optionsCollection } from '../../nodes/Supercast/operations/properties';
import { EVENTS } from '../../nodes/Supercast/trigger/events';
import { listRequest } from '../../nodes/Supercast/operations/kinds';
import { subscribers } from '../../nodes/Supercast/subscriber/kind';
import { resources } from '../../nodes/Supercast/resources';
import { type JsonSchema, outputSchemas, outputsOf } from '../../harness/engine/outputSchemas';
import { useSandbox } from '../support/sandbox';
import { insertTable, tableOf } from '../versions/table';
import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node';
import { root } from '../../harness/system/paths';
import { namesTakenFromN8n } from '../support/n8nNames';

const page = (name: string): string => readFileSync(join(__dirname, '../../docs', name), 'utf8');
const errors = page('troubleshooting.md');

/** Numbers that pages state and only the code knows. The tables of costs have their own test. */
describe('numbers in the pages', () => {
	it('the time-out of a request, and how long the node looks for a lost record', () => {
		expect(runtime.timeoutMs).toBe(60_000);
		expect(errors).toContain('One request takes at most one minute.');
		const { visibleMs, lateMs } = runtime;
		expect(errors).toContain(
			`It looks for ${lateMs / 1000} seconds, or for ${visibleMs / 1000} seconds if Supercast answered`,
		);
	});

	it.each(['docs/limits.md', 'docs/troubleshooting.md'])(
		'%s: how long the node retries by default',
		(file) => {
			const { options = [] } = optionsCollection();
			const maxWait = options.find(({ name }) => name === 'maxWaitSeconds');
			const seconds = (maxWait as { default: number }).default;
			const text = readFileSync(join(__dirname, '../..', file), 'utf8');
			expect(text).toMatch(new RegExp(`\\b${seconds / 60} minutes(?: by default|, the item|\\.)`));
		},
	);

	it('the server errors after which the node retries', () => {
		const request = listRequest(subscribers);
		const state = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };
		const retried = Array.from({ length: 100 }, (_, index) => 500 + index).filter(
			(status) =>
				decide({ kind: 'status', status, body: undefined }, request, state).action !== 'fail',
		);
		const stated = /retries after ([\d, ]+) and (\d+) to (\d+)/.exec(errors)!;
		const single = stated[1]!.split(', ').map(Number);
		const [first, last] = [Number(stated[2]), Number(stated[3])];
		const range = Array.from({ length: last - first + 1 }, (_, index) => first + index);
		expect(retried).toEqual([...single, ...range]);
	});

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
			'of %s: %s: each field can be dragged, and comes in the run',
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

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const names = read('test', 'versions', 'README.md');
const table = /<!-- n8n: begin -->([\s\S]*?)<!-- n8n: end -->/.exec(names)![1]!;
const rows = table.match(/^\| `.*$/gm)!.map((row) => row.split('|').map((cell) => cell.trim()));

/** These are words of the description, not names that the code imports or calls. */
const notInCode = ['n8nNodesApiVersion'];

describe('the table of what the package takes from n8n', () => {
	const named = rows.flatMap(([, names]) =>
		[...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
	);

	it('lists exactly what the published code imports from n8n and calls on its contexts', () => {
		expect(named.filter((name) => !notInCode.includes(name)).sort()).toEqual(namesTakenFromN8n());
	});

	it('says in each row where it is used, what n8n 3 does, and where that was seen', () => {
		for (const [, names, used, inN8n3, seen] of rows) {
			expect([names, used !== '', inN8n3 !== '', /interfaces\.ts|2\.41|\d{5}/.test(seen!)]).toEqual(
				[names, true, true, true],
			);
		}
	});
});
