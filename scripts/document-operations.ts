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

import { resources } from '../nodes/Supercast/resources';
import { toolOutputProperties } from '../nodes/Supercast/operations/toolOutput';
import { optionsCollection } from '../nodes/Supercast/operations/options';
import type { Sandbox } from '../sandbox';
import { caseOf, openSandbox, runCase, startAnew } from './runCases';
import type { OperationDescription } from '../nodes/Supercast/operations/types';

const folder = join(__dirname, '..', 'docs', 'operations');

/** Longer lists, such as the time zones, appear only in the editor. */
const MOST_CHOICES = 20;

/** A row of a table of parameters. */
interface ParameterRow {
	label: string;
	text: string;
}

/** What a page says about an operation, besides the texts of the editor. */
const REMARKS: Record<string, string> = {
	'subscriber.create':
		'It is unknown what Supercast does if the email already exists. It may refuse the create or add a second subscriber. It may also return the existing subscriber, and open their feeds. The output then looks like that of a new subscriber, except that `created_at` is older. **Create or Update** looks up the email first.',
};

async function main(): Promise<void> {
	const sandbox = await openSandbox();
	mkdirSync(folder, { recursive: true });
	const index = ['# Operations', '', '`npm run docs` generates these pages from the node.', ''];
	for (const [key, resource] of Object.entries(resources)) {
		await write(join(folder, `${key}.md`), await resourcePage(key, sandbox));
		const links = Object.entries<OperationDescription>(resource.operations).map(
			([operation, { name }]) => `[${name}](operations/${key}.md#${anchor(name, operation)})`,
		);
		index.push(
			`- **[${resource.name}](operations/${key}.md)**. ${resource.description}. ${links.join(', ')}`,
		);
	}
	index.push(
		'',
		'## Options of every operation',
		'',
		'Every operation has these parameters in **Options**.',
		'',
	);
	index.push(...table(parameterRows(optionsCollection())));
	index.push(
		'',
		'## As an AI tool',
		'',
		'When an AI agent uses the node as a tool, the node has these parameters instead of **Simplify**.',
		'',
		...table(toolOutputProperties.flatMap((property) => parameterRows(property))),
		'',
		'## Blank fields',
		'',
		'If you add a field and leave it blank, its value in Supercast does not change. An expression that returns no value does not empty a field either. To empty a field, use an Update operation and select the field in **Clear Fields**. The node sends **Other Fields (JSON)** exactly as you write it, so `null` empties a field there.',
	);
	await write(`${folder}.md`, index.join('\n'));
	await sandbox.close();
}

async function write(path: string, markdown: string): Promise<void> {
	const config = await resolveConfig(path);
	writeFileSync(path, await format(markdown, { ...config, parser: 'markdown' }));
}

function anchor(name: string, operation: string): string {
	return (name === '' ? operation : name).toLowerCase().replace(/ /g, '-');
}

/** The page of a resource. What several operations share is said once. */
async function resourcePage(key: string, sandbox: Sandbox): Promise<string> {
	const { name, description, operations } = resources[key as keyof typeof resources];
	const all = Object.entries<OperationDescription>(operations);
	const rows = new Map(all.map(([operation, one]) => [operation, rowsOf(one)]));
	const shared = sharedRows([...rows.values()]);
	const parts = [`# ${name}`, '', `${description}. [All operations](../operations.md)`];
	const shapes = new Map<string, string>();
	for (const [operation, one] of all) {
		parts.push('', `## ${one.name}`, '', one.description);
		if (one.notice !== undefined) parts.push('', `> ${one.notice}`);
		const remark = REMARKS[`${key}.${operation}`];
		if (remark !== undefined) parts.push('', remark);
		const own = rows.get(operation)!;
		parts.push('', ...table(own.filter((row) => !shared.has(row.text))));
		const labels = own.filter((row) => shared.has(row.text)).map(({ label }) => label);
		if (labels.length > 0) parts.push('', `Its [fields](#fields): ${labels.join(', ')}.`);
		const output = await sample(key, operation, sandbox);
		const shape = Object.keys(output).join();
		const same = shapes.get(shape);
		const text = JSON.stringify(output, null, 2).replaceAll(
			sandbox.origin,
			'https://supercast.tech',
		);
		if (same === undefined) parts.push('', '```json', text, '```');
		else
			parts.push('', `The output has the same fields as that of [${same}](#${anchor(same, '')}).`);
		shapes.set(shape, same ?? one.name);
	}
	if (shared.size > 0) {
		const each = new Map([...rows.values()].flat().map((row) => [row.text, row]));
		parts.push(
			'',
			'## Fields',
			'',
			'Several operations have these parameters. Optional ones are in collections such as **Additional Fields** or **Options**.',
		);
		parts.push('', ...table([...each.values()].filter((row) => shared.has(row.text))));
	}
	return parts.join('\n');
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

/** Whether a number applies if the user does not set it. An option may have no effect without that. */
function hasDefault({ type, description }: INodeProperties, parent?: INodeProperties): boolean {
	return type === 'number' && !(parent && /without this option/i.test(description ?? ''));
}

async function sample(key: string, operation: string, sandbox: Sandbox): Promise<IDataObject> {
	const tried = caseOf(key, operation);
	await startAnew(tried, sandbox);
	const [item] = tried.items(sandbox);
	const { output } = await runCase(sandbox, { resource: key, operation, item });
	return output[0]?.json ?? {};
}

void main();
