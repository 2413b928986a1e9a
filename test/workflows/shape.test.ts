import { linesThroughNodes } from './drawing';
import { isSameForAll, plainFieldOf } from '../../nodes/Supercast/execution/plainFields';
import {
	after,
	before,
	files as allFiles,
	memberFiles,
	nodeNamed,
	nodesOf,
	readWorkflowFile,
	texts,
	valuesOf,
	wires,
} from './files';

/** The files, with `.json`. */
const files = memberFiles.map((name) => `${name}.json`);
/** n8n moves pasted nodes to a grid. */
const GRID = 16;
const SIZE = 96;

/** The nodes that follow **Who Is a Member**, as the file has them, and their connections. */
function afterMembers(file: string): Map<string, string> {
	const names = ['When Something Fails'];
	const found = [...(wires(file)['Who Is a Member']?.main.flat() ?? [])].map(({ node }) => node);
	for (const name of [...found, ...names]) follow(file, name, names);
	const nodes = nodesOf(file).filter(({ name }) => names.includes(name));
	return new Map(
		nodes.map((node) => [node.name, JSON.stringify([node, connectionsOf(file, node.name)])]),
	);
}

/** Some files also lead from **Each Record** to the nodes for new members. */
function connectionsOf(file: string, name: string): unknown {
	return name === 'Each Record' ? null : (wires(file)[name] ?? null);
}

function follow(file: string, name: string, known: string[]): void {
	if (!known.includes(name)) known.push(name);
	for (const { node } of wires(file)[name]?.main.flat() ?? [])
		if (!known.includes(node)) follow(file, node, known);
}

const isExpression = (text: string) => text.startsWith('=');

/** All nodes before a node, and the node. */
function wayTo(file: string, name: string, known: string[] = []): string[] {
	if (known.includes(name)) return known;
	return before(file, name).reduce((way, one) => wayTo(file, one, way), [...known, name]);
}

/** Whether n8n evaluates the expressions of a node only for its first item. */
function isOnce(file: string, name: string): boolean {
	const node = nodeNamed(file, name);
	return node?.executeOnce === true || node?.type.endsWith('.limit') === true;
}

describe('the files of all systems', () => {
	const longest = files.map(afterMembers).sort((one, other) => other.size - one.size)[0]!;

	it.each(files)('%s has the same nodes after Who Is a Member, character by character', (file) => {
		const own = afterMembers(file);
		expect([...own.keys()]).toEqual(expect.arrayContaining(['Sync', 'Email to You']));
		expect(own.size).toBeGreaterThanOrEqual(6);
		for (const [name, text] of own) expect([name, text]).toEqual([name, longest.get(name)]);
	});

	it('make the same fields of each record', () => {
		const fields = files.map((file) => {
			const { includeFields = '' } = nodeNamed(file, 'Who Is a Member')?.parameters as {
				includeFields?: string;
			};
			const kept = includeFields === '' ? [] : includeFields.split(', ');
			return [...kept, ...Object.keys(valuesOf(file, 'Who Is a Member'))].sort().join();
		});
		expect(new Set(fields)).toEqual(
			new Set(['access,customerId,email,firstName,lastName,prefix,recordId,status']),
		);
	});

	it.each(files)('%s reads what concerns the whole list once, before Sync', (file) => {
		const list = nodeNamed(file, 'The List')!;
		expect(list.executeOnce).toBe(true);
		const [reader = ''] = before(file, 'The List');
		const [next = ''] = after(file, reader).filter((name) => name !== 'The List');
		// n8n runs the upper one of two branches first.
		expect((list.position as number[])[1]).toBeLessThan(
			(nodeNamed(file, next)?.position as number[])[1]!,
		);
	});

	/** Evaluating an expression takes n8n 0.2 ms, during which it does nothing else. */
	it.each(files.filter((file) => file !== 'any-list.json'))(
		'%s evaluates expressions for each page, and none for each record',
		(file) => {
			const records = wayTo(file, 'Sync').filter((name) =>
				wayTo(file, name).includes('Each Record'),
			);
			expect(records).toEqual(expect.arrayContaining(['Each Record']));
			const evaluating = records
				.filter((name) => name !== 'Sync' && !isOnce(file, name))
				.filter((name) => texts(nodeNamed(file, name)?.parameters).some(isExpression));
			expect(evaluating).toEqual([]);
		},
	);

	it.each(files)('%s has only expressions in Sync that need no engine for each record', (file) => {
		const { parameters } = nodeNamed(file, 'Sync')!;
		const { recordsExpected, ...options } = parameters.options as Record<string, unknown>;
		expect(recordsExpected).toBeDefined();
		const names = ['email', 'customerId', 'access', 'status', 'firstName', 'lastName'];
		const record = Object.fromEntries([...names, 'prefix', 'recordId'].map((name) => [name, 'x']));
		const slow = texts({ ...parameters, options })
			.filter(isExpression)
			.filter((text) => !isSameForAll(text) && plainFieldOf(text, record) === undefined);
		expect(slow).toEqual([]);
	});

	it.each(files)('%s filters no records before Sync, except empty rows', (file) => {
		const filters = nodesOf(file)
			.filter(({ type }) => /\.(filter|if|removeDuplicates)$/.test(type))
			.map(({ name }) => name)
			.filter((name) => wayTo(file, 'Sync').includes(name));
		expect(filters).toEqual(file === 'any-list.json' ? ['Rows in Use'] : []);
	});

	it.each(files)('what %s lets a person choose is a plain value', (file) => {
		const values = Object.entries(valuesOf(file, 'Who Counts'));
		expect(values.length).toBeGreaterThan(2);
		// What the file itself reads, not what a person chooses.
		const chosen = values.filter(([name]) => !['free', 'row'].includes(name));
		expect(chosen.filter(([, value]) => String(value).startsWith('='))).toEqual([]);
	});
});

describe.each(allFiles)('the canvas of %s', (file) => {
	const { nodes } = readWorkflowFile(file);
	const boxes = nodes.map(({ name, position, parameters }) => {
		const [left = 0, top = 0] = position as number[];
		const { width = SIZE, height = SIZE } = parameters as { width?: number; height?: number };
		return { name, left, top, right: left + width, bottom: top + height };
	});
	const isNote = (name: string) => name.startsWith('Note ');

	it('has all nodes on the grid, so that pasting moves none', () => {
		const off = boxes.filter(({ left, top, right, bottom }) =>
			[left, top, right, bottom].some((at) => at % GRID !== 0),
		);
		expect(off.map(({ name }) => name)).toEqual([]);
	});

	it('has no node above another, and no note above another', () => {
		const pairs = boxes.flatMap((one, at) =>
			boxes
				.slice(at + 1)
				.filter(({ name }) => isNote(name) === isNote(one.name))
				.filter((other) => one.left < other.right && other.left < one.right)
				.filter((other) => one.top < other.bottom && other.top < one.bottom)
				.map((other) => `${one.name}, ${other.name}`),
		);
		expect(pairs).toEqual([]);
	});

	it('has each node whole on a note, or beside it', () => {
		const crossed = boxes
			.filter(({ name }) => isNote(name))
			.flatMap((note) =>
				boxes
					.filter(({ name }) => !isNote(name))
					.filter((one) => one.left < note.right && note.left < one.right)
					.filter((one) => one.top < note.bottom && note.top < one.bottom)
					.filter(
						(one) =>
							one.left < note.left ||
							one.right > note.right ||
							one.top < note.top ||
							one.bottom > note.bottom,
					)
					.map(({ name }) => `${note.name}, ${name}`),
			);
		expect(crossed).toEqual([]);
	});

	it('draws no line through a node', () => {
		expect(linesThroughNodes(readWorkflowFile(file))).toEqual([]);
	});
});
