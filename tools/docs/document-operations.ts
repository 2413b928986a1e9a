/**
 * Writes docs/operations.md: each operation with its parameters as in the editor. The samples of the
 * output come from the sandbox.
 *
 * Usage: npm run docs
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import { resources } from '../../nodes/Supercast/resources';
import { toolOutputProperties } from '../../nodes/Supercast/operations/output';
import { optionsCollection } from '../../nodes/Supercast/operations/properties';
import type { Sandbox } from '../../simulators/supercast';
import { caseOf, openSandbox, runCase, startAgain } from '../../test/harness/engine/runCases';
import type { OperationDescription } from '../../nodes/Supercast/operations/types';

const page = join(__dirname, '..', '..', 'docs', 'operations.md');

/** A shorter description only repeats the label. */
const FEWEST_WORDS = 7;

/** Parameters of several resources, which the page describes once. Their texts may differ. */
const COMMON = ['subscriber', 'ifMissing', 'returnAll', 'limit', 'clearFields', 'otherFields'];

/** The resources of which the page shows samples. Of the others, it names the fields of the output. */
const WITH_SAMPLES = ['subscriber', 'feed', 'usageAlert'];

/** A parameter, as a line of a list. Without a line, the label says it all. */
interface Parameter {
	name: string;
	label: string;
	line?: string;
}

/** The fields in the output of an operation. */
interface Shape {
	heading: string;
	keys: string[];
}

/** What the page adds to the editor's texts about an operation. */
const REMARKS: Record<string, string> = {
	'subscriber.create':
		'We do not know what Supercast does if a subscriber with this email already exists. Supercast may refuse the request, add a second subscriber, or return the existing subscriber. If Supercast returns the existing subscriber, only the date in `created_at` shows that the subscriber is not new.',
	'subscriber.upsert':
		'If this operation reopened the feeds, the output contains `reactivated: true`.',
	'subscriber.setAccess':
		'For some people, Set Access changes nothing ([the rules of Set Access](sync.md#set-access)).',
	'subscriber.sync':
		'[The rules of Sync](sync.md) say whose feeds Sync opens and closes, when, and [what it returns](sync.md#what-sync-returns).',
	'episode.getAll': 'An episode that is scheduled for later counts as **Draft**.',
};

const INTRODUCTION = [
	'# Operations',
	'',
	"This page has the texts that the editor shows. The command `npm run docs` generates this page. In the lists of parameters, the name in parentheses is the parameter's key in a workflow's JSON. In the editor, optional parameters are in collections such as **Additional Fields**, **Filters** or **Options**. The editor describes some parameters in more detail. If an operation's section shows no output, the operation returns the same fields as the resource's first operation.",
	'',
];

const COMMON_FIELDS =
	'Operations on one subscriber or feed have the parameter **Subscriber**. The parameter **If Missing** is in **Subscriber: Delete**, and in the operations that open or close a feed. Each operation **Get Many** has **Return All** and **Limit**. Update operations have **Clear Fields**, except Channel: Update. All operations that create or update a record have **Other Fields (JSON)**.';

const BLANK_FIELDS =
	'If you add a field but leave it blank, the value in Supercast does not change. The same applies if an expression returns no value. To empty a field, use an Update operation and select the field in **Clear Fields**. In **Other Fields (JSON)**, the value `null` empties any field except the email. If **Other Fields (JSON)** contains a field that the node knows, the node checks the value.';

async function main(): Promise<void> {
	const sandbox = await openSandbox();
	const sections: string[] = [];
	for (const key of Object.keys(resources)) sections.push(...(await resourceSection(key, sandbox)));
	const parts = [
		...INTRODUCTION,
		Object.values(resources)
			.map(({ kind: { label } }) => `[${label}](#${anchor(label)})`)
			.join(' · '),
		...sections,
		...['', '## Common fields', '', COMMON_FIELDS, '', ...linesOf(commonParameters())],
		...['', '## Options of every operation', '', ...linesOf(parametersOf(optionsCollection()))],
		...['', '## As an AI tool', ''],
		'As a tool of an AI agent, the node has no parameter **Simplify**. It has the following parameters instead.',
		...['', ...linesOf(toolOutputProperties.flatMap((property) => parametersOf(property)))],
		...['', '## Blank fields', '', BLANK_FIELDS],
	];
	await write(parts.join('\n').replaceAll(sandbox.origin, 'https://supercast.tech'));
	await sandbox.close();
}

async function write(markdown: string): Promise<void> {
	const config = await resolveConfig(page);
	writeFileSync(page, await format(markdown, { ...config, parser: 'markdown' }));
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

/** The editor shows the others. The pages about Sync and Set Access say why. */
function firstSentenceOf(text: string): string {
	return sentence(text.split('. ')[0] ?? '');
}

function sentence(text: string): string {
	return `${text.replace(/\.$/, '')}.`;
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

/** The common parameters, each with the text that it has first. */
function commonParameters(): Parameter[] {
	const all = Object.values(resources).flatMap(({ operations }) =>
		Object.values<OperationDescription>(operations).flatMap(parametersIn),
	);
	return COMMON.flatMap((name) => all.find((one) => one.name === name) ?? []);
}

/** The lines that more than one operation has. */
function sharedIn(lists: Parameter[][]): Set<string> {
	const lines = lists.flatMap((list) =>
		list.flatMap(({ name, line }) => (line === undefined || COMMON.includes(name) ? [] : [line])),
	);
	return new Set(lines.filter((line, index) => lines.indexOf(line) !== index));
}

function parametersIn(operation: OperationDescription): Parameter[] {
	const properties = [...operation.properties, ...ownOptions(operation)];
	return properties.flatMap((property) => parametersOf(property));
}

/** The operation's own options, without those that every operation has. */
function ownOptions({ options = [] }: OperationDescription): INodeProperties[] {
	if (options.length === 0) return [];
	return [{ ...optionsCollection(), options }];
}

function linesOf(parameters: Parameter[]): string[] {
	return parameters.flatMap(({ line }) => line ?? []);
}

function parametersOf(property: INodeProperties, parent?: INodeProperties): Parameter[] {
	const { name, displayName: label, type, options = [] } = property;
	if (type === 'notice') return [];
	if (type === 'collection') {
		return (options as INodeProperties[]).flatMap((option) => parametersOf(option, property));
	}
	const text = textOf(property, parent);
	return text === ''
		? [{ name, label }]
		: [{ name, label, line: `- **${label}** (\`${name}\`). ${text}` }];
}

/** What the page says about a parameter. Empty if that would only repeat the label. */
function textOf(property: INodeProperties, parent?: INodeProperties): string {
	const { description = '', modes = [], options = [] } = property;
	const choices = options.map((option) => option as INodePropertyOptions);
	const values = choices.map((choice) => `${choice.name} (\`${String(choice.value)}\`)`);
	// Longer lists, such as the time zones, appear only in the editor.
	const isListed = values.length > 0 && values.length <= 20;
	const ways = modes.map(({ displayName }) => displayName).join(', ');
	// The description of a locator only lists its modes.
	const sentences = [
		...(modes.length > 0 || description === '' ? [] : [firstSentenceOf(description)]),
		...(ways === '' ? [] : [`Modes: ${ways}.`]),
		...(isListed ? [`Values: ${values.join(', ')}.`] : []),
		...(hasDefault(property, parent) ? [`Default: ${Number(property.default)}.`] : []),
	];
	const text = sentences.join(' ');
	const isShort = text.split(' ').length < FEWEST_WORDS && modes.length === 0 && !isListed;
	return isShort ? '' : text;
}

/** Whether a number applies if the user does not set it. An option may have no effect until the user sets it. */
function hasDefault({ type, description }: INodeProperties, parent?: INodeProperties): boolean {
	return type === 'number' && !(parent && /without this option/i.test(description ?? ''));
}

async function sample(key: string, operation: string, sandbox: Sandbox): Promise<IDataObject> {
	const tried = caseOf(key, operation);
	await startAgain(tried, sandbox);
	const [item] = tried.items(sandbox);
	const { output } = await runCase(sandbox, { resource: key, operation, item });
	return output[0]?.json ?? {};
}

void main();
