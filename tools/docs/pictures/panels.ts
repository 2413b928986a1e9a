import type { IDataObject } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import type { Workflow, WorkflowNode } from '../../../test/harness/n8n/setup';
import { firstListener } from '../../../test/harness/sandbox';
import type { Environment } from '../../../test/harness/environment';
import type { Editor } from '../../../test/harness/browser/editor';
import { fillFields, newCredential } from '../../../test/harness/browser/newCredential';
import { closeNotifications, pictureOf, settle } from './clip';

/** The error output of a node that closes two feeds, one of which does not exist. */
export async function pictureErrorOutput(
	editor: Editor,
	environment: Environment,
	file: string,
): Promise<void> {
	const { page } = editor;
	const listener = await firstListener(environment.sandbox);
	const subscriber = { __rl: true, mode: 'email', value: '={{ $json.email }}' };
	const workflow = workflowFor(environment, {
		start: 'Members Who Left',
		items: ['eve@example.com', listener.email].map((email) => ({ email })),
		parameters: { resource: 'feed', operation: 'deactivate', subscriber },
	});
	const node = workflow.nodes.find(({ id: name }) => name === 'node');
	Object.assign(node ?? {}, { onError: 'continueErrorOutput' });
	const id = await createWorkflow(environment, workflow);
	await page.setViewportSize({ width: 1180, height: 560 });
	await editor.openNode(id, 'node');
	await executeStep(page);
	const output = page.getByTestId('output-panel');
	await output.getByText('Error Branch').click();
	await output.getByText('eve@example.com').first().waitFor();
	await closeNotifications(page);
	await settle(page);
	await pictureOf(page, ['node-parameters', 'output-panel'], file);
}

/** The dialog of a new credential, with only a token filled in. */
export async function pictureCredential(
	editor: Editor,
	environment: Environment,
	file: string,
): Promise<void> {
	const { page } = editor;
	// The dialog takes 70% of the width, so the picture has at most 1,600 pixels.
	await page.setViewportSize({ width: 1140, height: 800 });
	await newCredential(page, environment.server.url, 'Supercast API');
	await fillFields(page, { accessToken: environment.sandbox.accessToken });
	await settle(page);
	await page.getByTestId('editCredential-modal').screenshot({ path: file });
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

/** A start with items, and the Supercast node. */
export interface Example {
	start: string;
	items: IDataObject[];
	parameters: IDataObject;
}

/** A workflow of two nodes. The first one already has its items. */
export function workflowFor(
	environment: Environment,
	{ start, items, parameters }: Example,
): Omit<Workflow, 'id'> & { nodes: WorkflowNode[] } {
	const { id, name, type } = environment.credential;
	const trigger = {
		id: 'start',
		name: start,
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const node = {
		id: 'node',
		name: 'Supercast',
		type: 'n8n-nodes-supercast.supercast',
		typeVersion: 1,
		position: [300, 0],
		parameters: { resource: 'subscriber', ...parameters },
		credentials: { [type]: { id, name } },
	};
	return {
		name: start,
		nodes: [trigger, node],
		connections: { [start]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		pinData: { [start]: items.map((json) => ({ json })) },
	};
}

/** Runs the node that is open, and waits for the end, whether it fails or not. */
export async function executeStep(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	await page
		.getByTestId(/^node-run-status-|^node-error-/)
		.first()
		.waitFor();
}
