import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Problem } from '../../harness/system/problem';
import type { Workflow, WorkflowNode } from '../../harness/n8n/setup';
import { firstListener } from '../../harness/sandbox';
import type { Environment } from '../../harness/environment';
import type { Editor } from '../../harness/browser/editor';
import { fillFields, newCredential } from '../../harness/browser/newCredential';
import { closeNotifications, pictureOf, settle, type Box } from './clip';

/** One choice of the node: a resource and an operation. */
export interface NodeChoice {
	resource: string;
	operation: string;
	/** Its collections with every field added, so that a picture shows all of them. */
	collections: Record<string, Record<string, unknown>>;
}

const margin = 16;
export const nodeType = 'n8n-nodes-supercast.supercast';

/** The error output of a node that deletes two subscribers, one of whom does not exist. */
export async function pictureErrorOutput(
	editor: Editor,
	environment: Environment,
	file: string,
): Promise<void> {
	const { page } = editor;
	const listener = await firstListener(environment.sandbox);
	const subscriber = { __rl: true, mode: 'email', value: '={{ $json.email }}' };
	const choice = { resource: 'subscriber', operation: 'delete', collections: {} };
	const { nodes, ...workflow } = workflowFor(environment, choice);
	const [node] = nodes;
	if (node === undefined) throw new Problem('The workflow has no node.');
	Object.assign(node, { onError: 'continueErrorOutput', position: [300, 0] });
	Object.assign(node.parameters, { subscriber });
	const start = {
		id: 'start',
		name: 'Members Who Left',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const emails = ['eve@example.com', listener.email];
	const id = await createWorkflow(environment, {
		...workflow,
		nodes: [start, node],
		connections: { [start.name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		pinData: { [start.name]: emails.map((email) => ({ json: { email } })) },
	});
	await page.setViewportSize({ width: 1180, height: 620 });
	await editor.openNode(id, 'node');
	await page.getByTestId('node-execute-button').click();
	const output = page.getByTestId('output-panel');
	await output.getByText('Error Branch').click();
	await output.getByText('eve@example.com').first().waitFor();
	await closeNotifications(page);
	await settle(page);
	await pictureOf(page, ['node-parameters', 'output-panel'], file);
}

/** The fields of the trigger. */
export async function pictureTrigger(
	editor: Editor,
	environment: Environment,
	file: string,
): Promise<void> {
	const { page } = editor;
	const choice = { resource: 'subscriber', operation: 'get', collections: {} };
	const { nodes, ...workflow } = workflowFor(environment, choice);
	const [node] = nodes;
	const trigger = {
		...node!,
		name: 'Supercast Trigger',
		type: `${nodeType}Trigger`,
		parameters: {},
	};
	const id = await createWorkflow(environment, { ...workflow, nodes: [trigger] });
	await page.setViewportSize({ width: 1280, height: 1000 });
	await editor.openNode(id, 'node');
	await settle(page);
	await page.screenshot({ path: file, clip: await fieldsArea(page) });
}

/** The dialog of a new credential, with only a token filled in. */
export async function pictureCredential(
	editor: Editor,
	environment: Environment,
	file: string,
): Promise<void> {
	const { page } = editor;
	// The dialog takes 70% of it, so the picture is not wider than 1,600.
	await page.setViewportSize({ width: 1140, height: 800 });
	await newCredential(page, environment.server.url, 'Supercast API');
	await fillFields(page, { accessToken: environment.sandbox.accessToken });
	await settle(page);
	await page.getByTestId('editCredential-modal').screenshot({ path: file });
}

/** One picture of the node's fields for each choice: `<resource>-<operation>.png`. */
export async function pictureChoices(
	editor: Editor,
	environment: Environment,
	choices: NodeChoice[],
	folder: string,
): Promise<void> {
	mkdirSync(folder, { recursive: true });
	// High enough to show every field without scrolling.
	await editor.page.setViewportSize({ width: 1280, height: 1500 });
	for (const choice of choices) {
		const id = await createWorkflow(environment, workflowFor(environment, choice));
		await editor.openNode(id, 'node');
		await settle(editor.page);
		const file = join(folder, `${choice.resource}-${choice.operation}.png`);
		await editor.page.screenshot({ path: file, clip: await fieldsArea(editor.page) });
	}
}

/** Every choice that the node offers, according to the running n8n. */
export async function allChoices(environment: Environment): Promise<NodeChoice[]> {
	const answer = await fetch(`${environment.server.url}/types/nodes.json`, {
		headers: { cookie: environment.client.cookie },
	});
	const types = (await answer.json()) as NodeDescription[];
	const properties = types.find(({ name }) => name === nodeType)?.properties ?? [];
	const operations = properties.filter(({ name }) => name === 'operation');
	const choices = operations.flatMap(({ options = [], displayOptions }) =>
		(displayOptions?.show?.resource ?? []).flatMap((resource) =>
			options.map(({ value }) => ({
				resource,
				operation: value,
				collections: collectionsOf(properties, resource, value),
			})),
		),
	);
	// n8n itself adds one that opens its HTTP Request node.
	return choices.filter(({ operation }) => operation !== '__CUSTOM_API_CALL__');
}

interface PropertyDescription {
	name: string;
	type: string;
	options?: Array<{ name: string; value: string; default?: unknown }>;
	displayOptions?: { show?: { resource?: string[]; operation?: string[] } };
}

interface NodeDescription {
	name: string;
	properties: PropertyDescription[];
}

function collectionsOf(
	properties: PropertyDescription[],
	resource: string,
	operation: string,
): NodeChoice['collections'] {
	const own = properties.filter(({ type, displayOptions }) => {
		const { show } = displayOptions ?? {};
		const isShown = show?.resource?.includes(resource) && show.operation?.includes(operation);
		return type === 'collection' && isShown === true;
	});
	return Object.fromEntries(
		own.map(({ name, options = [] }) => [
			name,
			Object.fromEntries(options.map((field) => [field.name, field.default])),
		]),
	);
}

/** Creates a workflow in n8n. Returns its ID there. */
export async function createWorkflow(
	environment: Environment,
	workflow: Omit<Workflow, 'id'>,
): Promise<string> {
	const copy = { ...workflow, id: undefined };
	const created = await environment.client.request('POST', '/workflows', copy);
	return (created as { id: string }).id;
}

function workflowFor(
	environment: Environment,
	choice: NodeChoice,
): Omit<Workflow, 'id'> & { nodes: WorkflowNode[] } {
	const { id, name, type } = environment.credential;
	const { resource, operation, collections } = choice;
	const node = {
		id: 'node',
		name: 'Supercast',
		type: nodeType,
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource, operation, ...collections },
		credentials: { [type]: { id, name } },
	};
	return { name: `${choice.resource} ${choice.operation}`, nodes: [node], connections: {} };
}

/** The node's fields, without the empty space below the last one. */
async function fieldsArea(page: Page): Promise<Box> {
	const panel = page.getByTestId('node-parameters');
	const all = await panel.boundingBox();
	const last = await panel.locator('[data-test-id="parameter-item"]:visible').last().boundingBox();
	if (all === null || last === null) throw new Problem('The node shows no fields.');
	return { ...all, height: last.y + last.height + margin - all.y };
}
