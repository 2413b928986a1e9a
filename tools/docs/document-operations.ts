/**
 * Writes docs/operations/: a page for each resource, with the parameters of each operation as in
 * the editor. The samples of its output come from the sandbox.
 *
 * Usage: npm run docs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import { resources } from '../../nodes/Supercast/resources';
import { toolOutputProperties } from '../../nodes/Supercast/operations/output';
import { optionsCollection } from '../../nodes/Supercast/operations/properties';
import type { Sandbox } from '../../simulators/supercast';
import { caseOf, openSandbox, runCase, startAgain } from '../../test/harness/engine/runCases';
import type { OperationDescription } from '../../nodes/Supercast/operations/types';

const folder = join(__dirname, '..', '..', 'docs', 'operations');

/** Longer lists, such as the time zones, appear only in the editor. */
const MOST_CHOICES = 20;

/** A row of a table of parameters. */
interface ParameterRow {
	label: string;
	text: string;
}

/** The fields in the output of an operation. */
interface Shape {
	name: string;
	keys: string[];
}

/** What a page adds to the editor's texts about an operation. */
const REMARKS: Record<string, string> = {
	'subscriber.create':
		'It is unknown what Supercast does if the email already exists. It may refuse the request or add a second subscriber. Or it may return the existing subscriber and open their feeds. The output then looks like that of a new subscriber, except that `created_at` is older. **Create or Update** looks up the email first.',
	'subscriber.upsert': 'If it reopened the feeds, the output has `reactivated: true`.',
};

async function main(): Promise<void> {
	const sandbox = await openSandbox();
	mkdirSync(folder, { recursive: true });
	const index = ['# Operations', '', '`npm run docs` generates these pages from the node.', ''];
	const common = commonRows();
	for (const [key, resource] of Object.entries(resources)) {
		await write(join(folder, `${key}.md`), await resourcePage(key, common, sandbox));
		index.push(`- **[${resource.kind.label}](operations/${key}.md)**. ${resource.description}`);
	}
	index.push('', '## Common fields', '', ...table([...common.values()]));
	index.push('', '## Options of every operation', '');
	index.push(...table(parameterRows(optionsCollection())));
	index.push(
		'',
		'## As an AI tool',
		'',
		'As a tool of an AI agent, the node has these parameters instead of **Simplify**.',
		'',
		...table(toolOutputProperties.flatMap((property) => parameterRows(property))),
		'',
		'## Blank fields',
		'',
		'If you add a field and leave it blank, its value in Supercast does not change. An expression that returns no value does not empty a field either. To empty a field, use an Update operation and select the field in **Clear Fields**. In **Other Fields (JSON)**, `null` empties a field, except the email. The node checks fields there that it knows.',
	);
	await write(`${folder}.md`, index.join('\n'));
	await sandbox.close();
}

async function write(path: string, markdown: string): Promise<void> {
	const config = await resolveConfig(path);
	writeFileSync(path, await format(markdown, { ...config, parser: 'markdown' }));
}

function anchor(name: string): string {
	return name.toLowerCase().replace(/ /g, '-');
}

/** The page of a resource. It says only once what several operations share. */
async function resourcePage(
	key: string,
	common: ReadonlyMap<string, ParameterRow>,
	sandbox: Sandbox,
): Promise<string> {
	const { kind, description, operations } = resources[key as keyof typeof resources];
	const all = Object.entries<OperationDescription>(operations);
	const rows = new Map(all.map(([operation, one]) => [operation, rowsOf(one)]));
	const shared = sharedRows([...rows.values()]);
	for (const text of common.keys()) shared.delete(text);
	const parts = [`# ${kind.label}`, '', `${description}. [All operations](../operations.md)`];
	const shapes: Shape[] = [];
	for (const [operation, one] of all) {
		parts.push('', `## ${one.name}`, '', one.description);
		if (one.notice !== undefined) parts.push('', `> ${one.notice}`);
		const remark = REMARKS[`${key}.${operation}`];
		if (remark !== undefined) parts.push('', remark);
		const own = rows.get(operation)!;
		parts.push('', ...table(own.filter(({ text }) => !shared.has(text) && !common.has(text))));
		const places = [
			labelsIn(own, '[Fields](#fields)', shared),
			labelsIn(own, '[Common fields](../operations.md#common-fields)', common),
		];
		parts.push('', ...places.filter((line) => line !== ''));
		const output = await sample(key, operation, sandbox);
		parts.push('', ...outputLines(one.name, output, shapes, sandbox.origin));
	}
	if (shared.size > 0) {
		const each = new Map([...rows.values()].flat().map((row) => [row.text, row]));
		parts.push(
			'',
			'## Fields',
			'',
			'Optional fields are in collections such as **Additional Fields** or **Options**.',
		);
		parts.push('', ...table([...each.values()].filter((row) => shared.has(row.text))));
	}
	return parts.join('\n');
}

/** A sample of the output, or the name of an operation that returns almost the same fields. */
function outputLines(name: string, output: IDataObject, shapes: Shape[], origin: string): string[] {
	const keys = Object.keys(output);
	const same = shapes.find((other) => isNearly(other.keys, keys));
	if (same === undefined) {
		shapes.push({ name, keys });
		const text = JSON.stringify(output, null, 2);
		return ['```json', text.replaceAll(origin, 'https://supercast.tech'), '```'];
	}
	const more = keys.filter((key) => !same.keys.includes(key)).map((key) => `\`${key}\``);
	const plus = more.length === 0 ? '' : `, plus ${more.join(' and ')}`;
	return [`Returns the same fields as [${same.name}](#${anchor(same.name)})${plus}.`];
}

/** Whether an output has all fields of another one, and at most two more. */
function isNearly(other: string[], keys: string[]): boolean {
	return other.every((name) => keys.includes(name)) && keys.length <= other.length + 2;
}

/** One line with the labels of the rows that are in another table. */
function labelsIn(
	rows: ParameterRow[],
	place: string,
	there: { has(text: string): boolean },
): string {
	const labels = rows.filter(({ text }) => there.has(text)).map(({ label }) => label);
	return labels.length === 0 ? '' : `${place}: ${labels.join(', ')}.`;
}

/** The rows that more than one resource has. */
function commonRows(): Map<string, ParameterRow> {
	const tables = Object.values(resources).map(({ operations }) => {
		const rows = Object.values<OperationDescription>(operations).flatMap(rowsOf);
		return [...new Map(rows.map((row) => [row.text, row])).values()];
	});
	const texts = sharedRows(tables);
	return new Map(tables.flat().flatMap((row) => (texts.has(row.text) ? [[row.text, row]] : [])));
}

/** The rows that more than one operation has. */
function sharedRows(tables: ParameterRow[][]): Set<string> {
	const texts = tables.flatMap((rows) => rows.map(({ text }) => text));
	return new Set(texts.filter((text, index) => texts.indexOf(text) !== index));
}

function rowsOf(operation: OperationDescription): ParameterRow[] {
	const properties = [...operation.properties, ...ownOptions(operation)];
	return properties.flatMap((property) => parameterRows(property));
}

/** The operation's own options, without those that every operation has. */
function ownOptions({ options = [] }: OperationDescription): INodeProperties[] {
	if (options.length === 0) return [];
	return [{ ...optionsCollection(), options }];
}

function table(rows: ParameterRow[]): string[] {
	if (rows.length === 0) return [];
	return [
		'| parameter | key | what it is |',
		'| --- | --- | --- |',
		...rows.map(({ text }) => text),
	];
}

function parameterRows(property: INodeProperties, parent?: INodeProperties): ParameterRow[] {
	const { name, displayName: label, type, description = '', modes = [], options = [] } = property;
	const { hint } = property;
	if (type === 'collection') {
		return (options as INodeProperties[]).flatMap((option) => parameterRows(option, property));
	}
	const choices = options.map((option) => option as INodePropertyOptions);
	const values = [
		...modes.map(({ displayName }) => displayName),
		...choices.map((choice) => `${choice.name} (\`${String(choice.value)}\`)`),
	];
	const isShort = values.length > 0 && values.length <= MOST_CHOICES;
	const sentences = [
		description.replace(/\.$/, ''),
		...(hint === undefined ? [] : [hint.replace(/\.$/, '')]),
		...(isShort ? [`Values: ${values.join(', ')}`] : []),
		...(property.required === true ? ['Required'] : []),
		...(hasDefault(property, parent) ? [`Default: ${Number(property.default)}`] : []),
	];
	return [{ label, text: `| ${label} | \`${name}\` | ${sentences.join('. ')}. |` }];
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
