import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../harness/system/paths';
import type { Workflow, WorkflowNode } from '../harness/n8n/setup';

/** Where the files are. */
export const folder = join(root, 'workflows');
/** Names of the files. */
export const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
/** Reads a file. */
export const readWorkflowFile = (file: string) =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
/** The nodes of a file, without notes. */
export const nodesOf = (file: string) =>
	readWorkflowFile(file).nodes.filter(({ type }) => !/stickyNote$/.test(type));
/** The nodes of a type. */
export const of = (file: string, type: string) =>
	nodesOf(file).filter((node) => node.type.endsWith(type));
/** The node with a name. */
export const nodeNamed = (file: string, name: string) =>
	nodesOf(file).find((node) => node.name === name);

/** The files that keep feeds in line with a list of members, without `.json`. */
export const memberFiles = files
	.filter((file) => nodesOf(file).some(({ parameters }) => parameters.operation === 'sync'))
	.map((file) => file.replace('.json', ''));

type Wires = Record<string, { main: Array<Array<{ node: string }>> }>;
/** The connections of a file. */
export const wires = (file: string) => readWorkflowFile(file).connections as Wires;
/** The nodes that an output leads to. */
export const after = (file: string, name: string, output = 0) =>
	(wires(file)[name]?.main[output] ?? []).map(({ node }) => node);

/** The nodes that lead to a node. */
export const before = (file: string, name: string) =>
	Object.keys(wires(file)).filter((from) =>
		wires(file)
			[from]?.main.flat()
			.some(({ node }) => node === name),
	);

/** All texts in a node's parameters. */
export function texts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** The names of the nodes that these texts read, as in `$('Sync')`. */
export function nodesReadIn(all: readonly string[]): string[] {
	return all.flatMap((text) => [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name = '']) => name));
}

/** The expressions in a node's parameters, without the braces. */
export function expressions(node: WorkflowNode): string[] {
	return texts(node.parameters)
		.filter((text) => text.startsWith('='))
		.flatMap((text) => [...text.matchAll(/\{\{([\s\S]*?)\}\}(?!\s*[})])/g)])
		.map(([, inner = '']) => inner.trim());
}

interface Field {
	name: string;
	value: unknown;
}

/** The fields that an Edit Fields node sets. */
function fieldsIn(file: string, node: string): Field[] {
	const { assignments } = (nodeNamed(file, node)?.parameters.assignments ?? {}) as {
		assignments?: Field[];
	};
	return assignments ?? [];
}

/** The fields that an Edit Fields node sets, by name. */
export function valuesOf(file: string, node: string): Record<string, unknown> {
	return Object.fromEntries(fieldsIn(file, node).map(({ name, value }) => [name, value]));
}

/** The fields of the node Settings. */
export function settingsFields(file: string): Field[] {
	return fieldsIn(file, 'Settings');
}
