import { compileFunction } from 'node:vm';

import { codeOf } from '../../scripts/workflows/code';

type Json = Record<string, unknown>;

/** The output of the nodes before a Code node: a list of items for each output. */
export type Outputs = Record<string, Json[] | Json[][]>;

/** Runs the text of a Code node as n8n does, with the output of the nodes before it. */
export function runCode(name: string, before: Outputs, input: Json[] = []): Json[] {
	const items = (list: Json[]) => list.map((json) => ({ json }));
	const node = (called: string) => {
		const given = before[called] ?? [];
		const outputs = (Array.isArray(given[0]) ? given : [given]) as Json[][];
		const all = (output = 0) => items(outputs[output] ?? []);
		return { all, first: (output = 0) => all(output)[0], last: () => all().at(-1) };
	};
	const incoming = { all: () => items(input), first: () => items(input)[0] };
	const run = compileFunction(codeOf(name), ['$', '$input']) as (
		$: typeof node,
		$input: typeof incoming,
	) => Array<{ json: Json }>;
	return run(node, incoming).map(({ json }) => json);
}
