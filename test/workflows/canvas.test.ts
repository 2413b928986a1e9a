import { linesThroughNodes } from './drawing';
import { expressions, files, memberFiles, nodesOf, readWorkflowFile } from './files';

/** n8n moves pasted nodes to a grid. */
const GRID = 16;
const SIZE = 96;
/** A character of a node's name, in the same units. Names have at most 22 characters. */
const CHARACTER = 8;

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

describe.each(files)('the canvas of %s', (file) => {
	const nodes = nodesOf(file);

	it('has no long expression, except in an email', () => {
		const most = memberFiles.includes(file.replace('.json', '')) ? 120 : 200;
		const long = nodes
			.filter(({ type }) => !type.endsWith('.emailSend'))
			.flatMap((node) => expressions(node).filter((text) => text.length > most));
		expect(long).toEqual([]);
	});

	const boxes: Box[] = readWorkflowFile(file).nodes.map(({ name, position, parameters }) => {
		const [left = 0, top = 0] = position as number[];
		const { width = SIZE, height = SIZE } = parameters as { width?: number; height?: number };
		return { name, left, top, right: left + width, bottom: top + height };
	});
	const isNote = (name: string) => name.startsWith('Note ');

	it('has one color for what a person must do, and no other', () => {
		const GREEN = 4;
		const GRAY = 7;
		const toDo = /^\d\. |choose your|, enter the webhook/im;
		const notes = readWorkflowFile(file).nodes.filter(({ type }) => type.endsWith('.stickyNote'));
		for (const { parameters } of notes) {
			const { color, content } = parameters as { color: number; content: string };
			expect({ content, color }).toEqual({ content, color: toDo.test(content) ? GREEN : GRAY });
		}
	});

	it('has names that do not touch', () => {
		const labels = boxes
			.filter(({ name }) => !isNote(name))
			.map(({ name, left, bottom }) => {
				const half = (name.length * CHARACTER) / 2;
				return { name, bottom, left: left + SIZE / 2 - half, right: left + SIZE / 2 + half };
			});
		const touching = labels.flatMap((one, at) =>
			labels
				.slice(at + 1)
				.filter((other) => Math.abs(one.bottom - other.bottom) < 32)
				.filter((other) => one.left < other.right + 8 && other.left < one.right + 8)
				.map((other) => `${one.name}, ${other.name}`),
		);
		expect(touching).toEqual([]);
	});

	it('has all nodes on the grid, so that pasting moves none', () => {
		const off = boxes.filter(({ left, top, right, bottom }) =>
			[left, top, right, bottom].some((at) => at % GRID !== 0),
		);
		expect(off.map(({ name }) => name)).toEqual([]);
	});

	it('has no node above another, no note above another, and each node whole on a note or beside it', () => {
		const pairs = boxes.flatMap((one, at) =>
			boxes
				.slice(at + 1)
				.filter((other) => one.left < other.right && other.left < one.right)
				.filter((other) => one.top < other.bottom && other.top < one.bottom)
				.filter((other) => isNote(one.name) === isNote(other.name) || !contains(one, other))
				.map((other) => `${one.name}, ${other.name}`),
		);
		expect(pairs).toEqual([]);
	});

	it('draws no line through a node', () => {
		expect(linesThroughNodes(readWorkflowFile(file))).toEqual([]);
	});

	it('has stubs of credentials, from which n8n fills in the others of the same type', () => {
		for (const { name, type, parameters, credentials } of nodes) {
			const needs =
				type.startsWith('n8n-nodes-supercast.') ||
				['genericCredentialType', 'predefinedCredentialType'].includes(
					String(parameters.authentication),
				);
			const ids = Object.values(credentials ?? {}).map(({ id }) => id);
			expect([name, ids]).toEqual([name, needs ? [null] : []]);
		}
	});
});

function contains(note: Box, node: Box): boolean {
	return (
		note.left <= node.left &&
		note.right >= node.right &&
		note.top <= node.top &&
		note.bottom >= node.bottom
	);
}
