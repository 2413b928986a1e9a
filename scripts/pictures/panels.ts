import { Problem } from '../../harness/system/problem';
import type { Workflow, WorkflowNode } from '../../harness/n8n/setup';
import { firstListener } from '../../harness/sandbox';
import type { Environment } from '../../harness/environment';
import type { Editor } from '../../harness/browser/editor';
import { fillFields, newCredential } from '../../harness/browser/newCredential';
import { closeNotifications, pictureOf, settle } from './clip';

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
	const { nodes, ...workflow } = workflowFor(environment);
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

/** Creates a workflow in n8n. Returns its ID there. */
export async function createWorkflow(
	environment: Environment,
	workflow: Omit<Workflow, 'id'>,
): Promise<string> {
	const copy = { ...workflow, id: undefined };
	const created = await environment.client.request('POST', '/workflows', copy);
	return (created as { id: string }).id;
}

function workflowFor(environment: Environment): Omit<Workflow, 'id'> & { nodes: WorkflowNode[] } {
	const { id, name, type } = environment.credential;
	const node = {
		id: 'node',
		name: 'Supercast',
		type: nodeType,
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'subscriber', operation: 'delete' },
		credentials: { [type]: { id, name } },
	};
	return { name: 'Members Who Left', nodes: [node], connections: {} };
}
