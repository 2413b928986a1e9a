import type { Workflow, WorkflowNode } from '../harness/n8n/setup';

interface Point {
	x: number;
	y: number;
}
interface Ends {
	from: string;
	to: string;
	kind: string;
}

/** The width and the height of a node, and the width of the root of an AI node. */
const SIZE = 96;
const TOOL = 80;
/** Where n8n starts the lines to the tools of an MCP Server Trigger. */
const TOOLS_AT = 181;
/** A line that only touches the edge of a node does not count. */
const CORNER = 8;

/** Names the lines of a workflow that lead through a node, as n8n draws them. */
export function linesThroughNodes({ nodes, connections }: Workflow): string[] {
	const drawn = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	const named = new Map(drawn.map((node) => [node.name, node]));
	return linesOf(connections as Connections).flatMap(({ from, to, kind }) => {
		const path = curve(named.get(from), named.get(to), kind);
		const others = drawn.filter(({ name }) => name !== from && name !== to);
		return others
			.filter((node) => path.some((point) => isInside(point, node)))
			.map(({ name }) => `${from} -> ${to} through ${name}`);
	});
}

type Connections = Record<string, Record<string, Array<Array<{ node: string }> | null>>>;

function linesOf(connections: Connections): Ends[] {
	return Object.entries(connections).flatMap(([from, kinds]) =>
		Object.entries(kinds).flatMap(([kind, outputs]) =>
			outputs.flatMap((output) => (output ?? []).map(({ node }) => ({ from, to: node, kind }))),
		),
	);
}

/** Points of the curve. This does not check lines to the left, which n8n leads around nodes. */
function curve(
	from: WorkflowNode | undefined,
	to: WorkflowNode | undefined,
	kind: string,
): Point[] {
	if (from === undefined || to === undefined) return [];
	const [a, b] = [at(from), at(to)];
	if (kind === 'ai_tool') {
		const start = { x: b.x + TOOLS_AT, y: b.y + SIZE };
		const end = { x: a.x + TOOL / 2, y: a.y };
		const middle = (start.y + end.y) / 2;
		return bezier(start, { x: start.x, y: middle }, { x: end.x, y: middle }, end);
	}
	const start = { x: a.x + SIZE, y: a.y + SIZE / 2 };
	const end = { x: b.x, y: b.y + SIZE / 2 };
	if (end.x <= start.x) return [];
	const middle = (start.x + end.x) / 2;
	return bezier(start, { x: middle, y: start.y }, { x: middle, y: end.y }, end);
}

function bezier(...[p, q, r, s]: [Point, Point, Point, Point]): Point[] {
	return Array.from({ length: 101 }, (_, step) => {
		const t = step / 100;
		const mix = (key: 'x' | 'y') =>
			p[key] * (1 - t) ** 3 +
			3 * q[key] * t * (1 - t) ** 2 +
			3 * r[key] * t ** 2 * (1 - t) +
			s[key] * t ** 3;
		return { x: mix('x'), y: mix('y') };
	});
}

function isInside({ x, y }: Point, node: WorkflowNode): boolean {
	const { x: left, y: top } = at(node);
	const size = node.type.endsWith('Tool') ? TOOL : SIZE;
	return (
		x > left + CORNER && x < left + size - CORNER && y > top + CORNER && y < top + size - CORNER
	);
}

function at(node: WorkflowNode): Point {
	const [x = 0, y = 0] = node.position as number[];
	return { x, y };
}
