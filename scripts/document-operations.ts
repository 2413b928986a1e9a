/**
 * Writes docs/operations/: a page for each resource, with the parameters of each operation as in
 * the editor. The samples of its output and of its errors come from the sandbox.
 *
 * Usage: npm run docs
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import { resources } from '../nodes/Supercast/resources';
import { toolOutputProperties } from '../nodes/Supercast/operations/output/toolOutput';
import { optionsCollection } from '../nodes/Supercast/operations/requestOptions';
import type { Sandbox } from '../sandbox';
import type { OperationCase } from '../test/engine/cases';
import { caseOf, openSandbox, runCase, startAnew } from './runCases';
import type { OperationDescription } from '../nodes/Supercast/operations/types';

const folder = join(__dirname, '..', 'docs', 'operations');

/** Longer lists, such as the time zones, appear only in the editor. */
const MOST_CHOICES = 20;

/** An operation, and how to run it. */
interface Documented {
	key: string;
	name: string;
	operation: OperationDescription;
	tried: OperationCase;
	sandbox: Sandbox;
}

/** The message of a failed item, and its advice. */
interface Remedy {
	message: string;
	remedy: string;
}

/** The results of an operation in the sandbox. */
interface Tried {
	sample: string;
	remedies: Remedy[];
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
	const tried = await tryAll(sandbox);
	for (const [key, resource] of Object.entries(resources)) {
		await write(join(folder, `${key}.md`), resourcePage(key, tried));
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
	index.push(...parameterTable([optionsCollection()]));
	index.push(
		'',
		'## As an AI tool',
		'',
		'When an AI agent uses the node as a tool, the node has these parameters instead of **Simplify**.',
		'',
		...parameterTable(toolOutputProperties),
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

/** Runs every operation. Returns its results, by resource and operation. */
async function tryAll(sandbox: Sandbox): Promise<Map<string, Tried>> {
	const all = new Map<string, Tried>();
	for (const [key, resource] of Object.entries(resources)) {
		for (const [name, operation] of Object.entries<OperationDescription>(resource.operations)) {
			const documented = { key, name, operation, tried: caseOf(key, name), sandbox };
			all.set(`${key}.${name}`, {
				sample: await sample(key, name, sandbox),
				remedies: await remediesOf(documented),
			});
		}
	}
	return all;
}

function resourcePage(key: string, all: Map<string, Tried>): string {
	const resource = resources[key as keyof typeof resources];
	const parts = [
		`# ${resource.name}`,
		'',
		`${resource.description}. [All operations](../operations.md)`,
	];
	const shared = sharedRemedies(all);
	for (const [name, operation] of Object.entries<OperationDescription>(resource.operations)) {
		const tried = all.get(`${key}.${name}`)!;
		parts.push('', `## ${operation.name}`, '', operation.description, ...picture(key, name));
		if (operation.notice !== undefined) parts.push('', `> ${operation.notice}`);
		const remark = REMARKS[`${key}.${name}`];
		if (remark !== undefined) parts.push('', remark);
		parts.push('', ...parameterTable([...operation.properties, ...ownOptions(operation)]));
		parts.push('', '```json', tried.sample, '```');
		const own = tried.remedies.filter((one) => !shared.has(generalized(one)));
		parts.push('', ...remedyTable(own));
	}
	const list = '[Errors and what to do](../troubleshooting.md)';
	parts.push('', `${list} lists the messages that several resources share.`);
	return parts.join('\n');
}

/** The remedies of more than one resource. One page lists them for all. */
function sharedRemedies(all: Map<string, Tried>): Set<string> {
	const resourcesOf = new Map<string, Set<string>>();
	for (const [operation, { remedies }] of all) {
		for (const one of remedies) {
			const key = generalized(one);
			const known = resourcesOf.get(key) ?? new Set<string>();
			resourcesOf.set(key, known.add(operation.split('.')[0]!));
		}
	}
	return new Set([...resourcesOf].flatMap(([remedy, users]) => (users.size > 1 ? [remedy] : [])));
}

/** A remedy without its quoted values. */
function generalized({ remedy }: Remedy): string {
	return remedy.replaceAll(/"[^"]*"/g, '"…"');
}

/** The operation's own options, without those that every operation has. */
function ownOptions({ options = [] }: OperationDescription): INodeProperties[] {
	if (options.length === 0) return [];
	return [{ ...optionsCollection(), options }];
}

function picture(resource: string, operation: string): string[] {
	const file = `images/operations/${resource}-${operation}.png`;
	if (!existsSync(join(folder, '..', file))) return [];
	return ['', `![${resource}: ${operation}, in the editor](../${file})`];
}

function parameterTable(properties: INodeProperties[]): string[] {
	if (properties.length === 0) return [];
	const rows = properties.flatMap((property) => parameterRows(property, ''));
	return ['| parameter | key | what it is |', '| --- | --- | --- |', ...rows];
}

function parameterRows(property: INodeProperties, parent: string): string[] {
	const label = parent === '' ? property.displayName : `${parent}: ${property.displayName}`;
	if (property.type === 'collection') {
		const inner = property.options as INodeProperties[];
		return inner.flatMap((option) => parameterRows(option, property.displayName));
	}
	const required = property.required === true ? ' Required.' : '';
	const modes = (property.modes ?? []).map(({ displayName }) => displayName);
	const choices = (property.options ?? []).map(
		(option) =>
			`${(option as INodePropertyOptions).name} (\`${String((option as INodePropertyOptions).value)}\`)`,
	);
	const isLong = choices.length > MOST_CHOICES;
	const list = [...modes, ...(isLong ? [] : choices)].join(', ');
	const description = (property.description ?? '').replace(/\.$/, '');
	const text = list === '' ? description : `${description}. Values: ${list}`;
	const what = `${text}.${required}`;
	const preset = property.type === 'number' ? ` Default: ${Number(property.default)}.` : '';
	return [`| ${label} | \`${property.name}\` | ${what}${preset} |`];
}

async function sample(resource: string, operation: string, sandbox: Sandbox): Promise<string> {
	const tried = caseOf(resource, operation);
	await startAnew(tried, sandbox);
	const [item] = tried.items(sandbox);
	const { output } = await runCase(sandbox, { resource, operation, item });
	const text = JSON.stringify(output[0]?.json, null, 2);
	return text.replaceAll(sandbox.origin, 'https://supercast.tech');
}

async function remediesOf({ key, name, operation, tried, sandbox }: Documented): Promise<Remedy[]> {
	const found = new Map<string, Remedy>();
	const note = async (item: IDataObject): Promise<void> => {
		const { error } = await runCase(sandbox, { resource: key, operation: name, item });
		if (error === undefined) return;
		const message = error.message.replace(' [item 0]', '');
		const remedy = error.description ?? '';
		found.set(`${message}\n${remedy}`, { message, remedy });
	};
	await startAnew(tried, sandbox);
	if (tried.failing) await note(tried.failing.item);
	await note({});
	if (operation.properties.some((property) => property.name.endsWith('Fields'))) {
		await startAnew(tried, sandbox);
		const method = name === 'create' ? 'POST' : 'PATCH';
		sandbox.controls.addFaults({
			kind: 'status',
			status: 422,
			method,
			message: 'Validation failed',
		});
		await note(tried.items(sandbox)[0]);
	}
	return [...found.values()];
}

function remedyTable(remedies: Remedy[]): string[] {
	if (remedies.length === 0) return [];
	const rows = remedies.map(({ message, remedy }) => {
		const cells = [message, remedy].map((text) => text.replaceAll('\n', '<br>'));
		return `| ${cells.join(' | ')} |`;
	});
	return ['| message, for example | what to do |', '| --- | --- |', ...rows];
}

void main();
