import type { IDataObject } from 'n8n-workflow';

import { toolOutputProperties } from '../../../nodes/Supercast/operations/output';
import { optionsCollection } from '../../../nodes/Supercast/operations/properties';
import type { OperationDescription } from '../../../nodes/Supercast/operations/types';
import { resources } from '../../../nodes/Supercast/resources';
import type { Sandbox } from '../../../simulators/supercast';
import { caseOf, openSandbox, runCase, startAgain } from '../engine/runCases';
import {
	COMMON,
	commonParameters,
	linesOf,
	parametersIn,
	parametersOf,
	sentence,
	sharedIn,
	type Parameter,
} from './parameters';

/** The resources of which the page shows samples. Of the others, it names the fields of the output. */
const WITH_SAMPLES = ['subscriber', 'feed', 'usageAlert'];

/** The fields in the output of an operation. */
interface Shape {
	heading: string;
	keys: string[];
}

/** What the page adds to the editor's texts about an operation. */
const REMARKS: Record<string, string> = {
	'subscriber.create':
		'If a subscriber with this email already exists, it is unknown what Supercast does. It may refuse the request, add a second subscriber, or return the existing one, whose `created_at` is old.',
	'subscriber.upsert':
		'If the operation reopens the feeds, the output contains `reactivated: true`.',
	'subscriber.setAccess': 'See [the rules of Set Access](sync.md#set-access).',
	'subscriber.sync':
		'See [the rules of Sync](sync.md). The output has an item for each change and each person to look at, with the `reason`. People with several feeds, of which one is closed, are only in the report. The last item, the `summary`, has all `numbers`, and a report (`title`, `text`, `html`). Its `alert` changes when there is something new to tell. After a run by hand, **View** shows the report.',
	'episode.getAll': 'An episode that is scheduled for later counts as **Draft**.',
};

const INTRODUCTION = [
	'# Operations',
	'',
	"Most texts on this page are the node's texts in n8n's editor, some of them shortened. The name in parentheses is the parameter's key in a workflow's JSON. The line **Fields** names parameters that the end of the section describes, or that need no description. The outputs come from the [sandbox](../simulators/supercast/README.md), so Supercast may return other fields. If an operation shows no output, it usually returns the fields of the resource's first operation. For a request that the node lacks, use n8n's **HTTP Request** node with the credential **Supercast API** (**Predefined Credential Type**). The node's request limit, retries and checks then don't apply.",
	'',
];

const BLANK_FIELDS =
	'If you add a field but leave it blank, the value in Supercast does not change. The same applies if an expression returns no value. To empty a field, use an Update operation, and select the field in **Clear Fields**. If it is not there, send `null` in **Other Fields (JSON)**. The node refuses `null` for the email.';

/**
 * Makes docs/operations.md: each operation with its parameters as in the editor. The outputs come
 * from the sandbox.
 */
export async function operationsPage(): Promise<string> {
	const sandbox = await openSandbox();
	const sections: string[] = [];
	try {
		for (const key of Object.keys(resources)) {
			sections.push(...(await resourceSection(key, sandbox)));
		}
	} finally {
		await sandbox.close();
	}
	return [
		...INTRODUCTION,
		Object.values(resources)
			.map(({ kind: { label } }) => `[${label}](#${anchor(label)})`)
			.join(' · '),
		...sections,
		...['', '## Common fields', '', ...linesOf(commonParameters())],
		...['', '## Options of every operation', '', ...linesOf(parametersOf(optionsCollection()))],
		...['', '## As an AI tool', ''],
		'As a tool of an AI agent, all operations except Delete have **Output** instead of **Simplify**.',
		...['', ...linesOf(toolOutputProperties.flatMap((property) => parametersOf(property)))],
		...['', '## Blank fields', '', BLANK_FIELDS],
	]
		.join('\n')
		.replaceAll(`${sandbox.origin}/feeds/`, 'https://feeds.supercast.com/feeds/');
}

/** The anchor that GitHub gives to a heading. */
function anchor(heading: string): string {
	return heading.toLowerCase().replace(/:/g, '').replace(/ /g, '-');
}

/** The section of a resource. It says only once what several operations share. */
async function resourceSection(key: string, sandbox: Sandbox): Promise<string[]> {
	const { kind, description, operations } = resources[key as keyof typeof resources];
	const all = Object.entries<OperationDescription>(operations);
	const parameters = all.map(([, one]) => parametersIn(one));
	const shared = sharedIn(parameters);
	const fields = `${kind.label}: fields`;
	const parts = ['', `## ${kind.label}`, '', sentence(description)];
	const shapes: Shape[] = [];
	for (const [index, [operation, one]] of all.entries()) {
		const own = parameters[index] ?? [];
		const heading = `${kind.label}: ${one.name}`;
		parts.push('', `### ${heading}`, '', sentence(one.description));
		if (one.notice !== undefined) parts.push('', `> ${one.notice}`);
		const remark = REMARKS[`${key}.${operation}`];
		if (remark !== undefined) parts.push('', remark);
		const ownOnes = own.filter(({ name }) => !COMMON.includes(name));
		const isHere = ({ line }: Parameter): boolean => line !== undefined && !shared.has(line);
		parts.push('', ...linesOf(ownOnes.filter(isHere)));
		parts.push('', fieldsLine(ownOnes.filter((parameter) => !isHere(parameter))));
		const output = await sample(key, operation, sandbox);
		parts.push('', outputText(key, heading, output, shapes));
	}
	const each = new Map(parameters.flat().map((one) => [one.line ?? '', one]));
	const lines = [...each.keys()].filter((line) => shared.has(line));
	return lines.length === 0 ? parts : [...parts, '', `### ${fields}`, '', ...lines];
}

/** The labels of parameters that another list describes, or whose label says it all. */
function fieldsLine(parameters: Parameter[]): string {
	return parameters.length === 0
		? ''
		: `Fields: ${parameters.map(({ label }) => label).join(', ')}.`;
}

/** What an operation returns. Empty if it returns the same as the first one of the resource. */
function outputText(key: string, heading: string, output: IDataObject, shapes: Shape[]): string {
	if ('deleted' in output) return `Returns \`${JSON.stringify(output)}\`.`;
	const keys = Object.keys(output);
	const same = shapes.find((other) => isNearly(other.keys, keys) || isNearly(keys, other.keys));
	if (same !== undefined) {
		const difference = `${named(', plus', keys, same.keys)}${named(', without', same.keys, keys)}`;
		if (difference === '') return '';
		return `Returns the same fields as [${same.heading}](#${anchor(same.heading)})${difference}.`;
	}
	shapes.push({ heading, keys });
	if (!WITH_SAMPLES.includes(key)) return `Returns \`${keys.join(', ')}\`.`;
	const text = Object.entries(output).map((entry) =>
		entry.map((one) => JSON.stringify(one)).join(': '),
	);
	return ['```json', `{\n${text.join(',\n')}\n}`, '```'].join('\n');
}

/** Whether an output has all fields of another one, and at most two more. */
function isNearly(other: string[], keys: string[]): boolean {
	return other.every((name) => keys.includes(name)) && keys.length <= other.length + 2;
}

/** The fields that one output has and another one lacks. Empty if there are none. */
function named(start: string, keys: string[], others: string[]): string {
	const more = keys.filter((key) => !others.includes(key)).map((key) => `\`${key}\``);
	return more.length === 0 ? '' : `${start} ${more.join(' and ')}`;
}

async function sample(key: string, operation: string, sandbox: Sandbox): Promise<IDataObject> {
	const tried = caseOf(key, operation);
	await startAgain(tried, sandbox);
	const [item] = tried.items(sandbox);
	const { output } = await runCase(sandbox, { resource: key, operation, item });
	return output[0]?.json ?? {};
}
