import type { WorkflowNode } from '../harness/n8n/setup';
import { after, before, files as all, memberFiles, nodeNamed, nodesOf } from './files';
import { type Call, CALLS } from './boundaries/calls';
import { evaluate, withValue } from './boundaries/evaluate';
import { EXPRESSIONS } from './boundaries/expressions';
import { HOSTILE } from './boundaries/hostile';
import { BASE, type Boundary } from './boundaries/rows';

/** The workflows for members have separate tests, in `members/`. */
const others = [...memberFiles.map((name) => `${name}.json`), 'any-system.json'];
const files = all.filter((file) => !others.includes(file));

/** Every expression of a file, by its node and its field. */
function expressionsOf(file: string): Map<string, string> {
	const found = new Map<string, string>();
	const look = (value: unknown, path: string[], node: string): void => {
		if (typeof value === 'string' && value.startsWith('=')) found.set(keyOf(node, path), value);
		if (typeof value !== 'object' || value === null) return;
		for (const [key, inner] of Object.entries(value as Record<string, unknown>)) {
			const { name, outputKey } = (inner ?? {}) as Record<string, unknown>;
			const isInList = Array.isArray(value);
			const step = isInList ? ((name ?? outputKey ?? key) as string) : key;
			look(inner, [...path, step], node);
		}
	};
	for (const { name, parameters } of nodesOf(file)) look(parameters, [], name);
	return found;
}

function keyOf(node: string, path: string[]): string {
	const short = path
		.join('.')
		.replace(/^assignments\.assignments\.([\w.]+)\.value$/, '$1')
		.replace(/^rules\.values\.(.+)\.conditions\.conditions\.0\.leftValue$/, '$1')
		.replace(
			/^rules\.values\.(.+)\.conditions\.conditions\.(\d)\.leftValue$/,
			(_, rule, at) => `condition ${Number(at) + 1} of ${rule}`,
		)
		.replace(/^conditions\.conditions\.(\d)\.leftValue$/, (_, at) => `condition ${Number(at) + 1}`);
	return `${node}: ${short}`;
}

const EXPECTED = 'as expected';

/** What is wrong with an expression, for each value that a field can have. */
function faultsOf(file: string, key: string, text: string, boundary: Boundary): string[] {
	const [node = ''] = key.split(/: (?=[a-z]|[A-Z][a-z]+$)/);
	const base = { ...BASE, ...boundary.with };
	const tried = boundary.reads.flatMap((field) =>
		Object.entries(HOSTILE).map(
			([name, value]) => [`${field}: ${name}`, withValue(base, field, value)] as const,
		),
	);
	return [[EXPECTED, base] as const, ...tried].flatMap(([name, items]) => {
		const value = evaluate(file, node, text, items);
		const isAbsent = name === EXPECTED && (value ?? undefined) === undefined;
		const fault = isAbsent ? 'gives nothing' : boundary.gives(value);
		return fault === undefined ? [] : [`${name} ${fault}: ${String(value).slice(0, 200)}`];
	});
}

const isCall = (type: string): boolean =>
	/\.(supercast(Trigger|Tool)?|httpRequest|emailSend|googleSheets|dataTable|executeWorkflow)$/.test(
		type,
	);

/** The settings of a node that decide what happens after a failure. */
function settingsOf(file: string, name: string) {
	const {
		type = '',
		onError,
		executeOnce,
	} = nodeNamed(file, name) ?? ({} as Partial<WorkflowNode>);
	return { type, onError, executeOnce };
}

/** What a node does if its call fails, as the file says. */
function failureOf(file: string, name: string): Call['fails'] {
	const { type, onError } = settingsOf(file, name);
	if (type.endsWith('Trigger')) return 'the next poll';
	if (type.endsWith('Tool')) return 'the model is told';
	if (onError === 'continueErrorOutput') return `to ${after(file, name, 1).join(', ')}`;
	return onError === 'continueRegularOutput' ? 'the failure is data' : 'the execution fails';
}

/** The kinds of nodes from which items come, going back until a node that gives one at a time. */
function sourcesOf(file: string, name: string, known = new Set<string>()): Set<string> {
	for (const from of before(file, name)) {
		const { type, executeOnce } = settingsOf(file, from);
		const kind = type.split('.').at(-1) ?? '';
		if (known.has(from)) continue;
		known.add(from);
		const isOne = kind === 'splitInBatches' || executeOnce === true;
		if (!isOne) sourcesOf(file, from, known);
	}
	return known;
}

it('has a row for each workflow', () => {
	for (const table of [EXPRESSIONS, CALLS])
		expect(Object.keys(table).sort()).toEqual([...files].sort());
});

describe.each(files)('the calls of %s', (file) => {
	const calls = CALLS[file] ?? {};

	it('have a row each, and no other', () => {
		const names = nodesOf(file).flatMap(({ name, type }) => (isCall(type) ? [name] : []));
		expect(Object.keys(calls).sort()).toEqual(names.sort());
	});

	it.each(Object.entries(calls))('go on as said if one fails: %s', (name, { fails }) => {
		expect(failureOf(file, name)).toBe(fails);
	});

	it.each(Object.entries(calls))('repeat nothing that succeeded: %s', (name, { items }) => {
		const { type, executeOnce } = settingsOf(file, name);
		const isTool = type.endsWith('Tool');
		const from = (isTool ? [] : [...sourcesOf(file, name)]).map(
			(one) => nodeNamed(file, one)?.type ?? '',
		);
		const isMany = from.some((one) => /\.(supercastTrigger|splitOut)$/.test(one));
		if (items === 'one') expect(isMany && executeOnce !== true).toBe(false);
		// n8n's Retry On Fail repeats the node with all of its items.
		if (items === 'each by itself') expect(nodeNamed(file, name)?.retryOnFail ?? false).toBe(false);
		if (items === 'one of a loop') {
			expect(isMany).toBe(false);
			expect(from.some((one) => one.endsWith('.splitInBatches'))).toBe(true);
		}
		// One request for all of them, or one for the first item, which speaks of all.
		if (items === 'some, in one call')
			expect(executeOnce === true || /\.(googleSheets|dataTable)$/.test(type)).toBe(true);
	});
});

describe.each(files)('the boundaries of %s', (file) => {
	const expressions = expressionsOf(file);
	const rows = EXPRESSIONS[file] ?? {};

	it('have a row for each expression, and no other', () => {
		expect(Object.keys(rows).sort()).toEqual([...expressions.keys()].sort());
	});

	it.each(Object.entries(rows))('hold: %s', (key, boundary) => {
		expect(faultsOf(file, key, expressions.get(key) ?? '', boundary)).toEqual([]);
	});
});
