import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow, WorkflowNode } from '../harness/n8n/setup';
import { cacheFolder } from '../harness/system/paths';
import { addMembers } from '../support/addMembers';
import { editor, environment, page, useEditor } from './support/editorTest';
import { inARow, manualTrigger } from './support/workflows';

const pictures = join(cacheFolder, 'pictures');

/** Makes an item for each member, in the way of a membership system. */
function listNodes(rows: object[]): WorkflowNode[] {
	return [
		{
			...{ id: 'list', name: 'List', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
			position: [200, 0],
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ members: rows }), options: {} },
		},
		{
			...{ id: 'split', name: 'Members', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
			position: [400, 0],
			parameters: { fieldToSplitOut: 'members', options: {} },
		},
	];
}

function syncNode(parameters: object): WorkflowNode {
	return {
		...{ id: 'sync', name: 'Sync', type: 'n8n-nodes-supercast.supercast', typeVersion: 1 },
		position: [600, 0],
		parameters: {
			...{ resource: 'subscriber', operation: 'sync', dryRun: false, access: 'byStatus' },
			...{ status: '={{ $json.status }}', openFor: 'active', closeFor: 'canceled' },
			...{ customerId: '={{ $json.id }}', close: 'prefix', customerIdPrefix: 'c-' },
			...parameters,
		},
		credentials: { supercastApi: { id: 'told', name: 'Supercast' } },
	};
}

useEditor('sync-told', {
	sandbox: { subscribers: 0 },
	credentials: (sandbox) => [
		{
			...{ id: 'told', name: 'Supercast', type: 'supercastApi' },
			data: { accessToken: sandbox.accessToken, baseUrl: sandbox.baseUrl, requestsPerMinute: 0 },
		},
	],
});

describe('what a run of Sync tells in the editor', () => {
	beforeAll(() => mkdirSync(pictures, { recursive: true }));
	beforeEach(() => environment.sandbox.reset());

	/** Opens a workflow with this list, and runs it with the button. */
	async function runByHand(rows: object[], parameters: object = {}): Promise<string> {
		const nodes = [manualTrigger, ...listNodes(rows), syncNode(parameters)];
		const workflow: Partial<Workflow> = { ...inARow('Told', nodes), id: undefined };
		const created = await environment.client.request('POST', '/workflows', workflow);
		const { id } = created as { id: string };
		await editor.openWorkflow(id);
		await page.getByTestId('execute-workflow-button').first().click();
		return id;
	}

	async function picture(name: string): Promise<void> {
		await page.screenshot({ path: join(pictures, `${name}.png`) });
	}

	it('is an error if the run stops, although everyone on the list is "canceled"', async () => {
		const members = addMembers(environment.sandbox, 20, (at) => ({ customer_id: `c-a${at}` }));
		const rows = members.map(({ email, customer_id: id }) => ({ email, id, status: 'canceled' }));
		const id = await runByHand(rows, { options: { closeAfter: 1 } });
		const popup = page.locator('.el-notification').filter({ hasText: 'Sync stopped: 20 feeds' });
		await popup.first().waitFor();
		await picture('stop-in-the-editor');
		const runs = (await environment.client.request(
			'GET',
			`/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: id }))}`,
		)) as { results: Array<{ status: string }> };
		expect(runs.results.map(({ status }) => status)).toEqual(['error']);
		await page.goto(`${environment.server.url}/workflow/${id}/executions`);
		await page.getByText('Error in').first().waitFor();
		await picture('stop-among-the-executions');
	});

	it('shows a status as the system has written it, and no elements', async () => {
		const members = addMembers(environment.sandbox, 3, (at) => ({ customer_id: `c-a${at}` }));
		const odd = '<none><img src="x"><a href="https://evil.example">win</a>';
		const rows = [
			...members.map(({ email, customer_id: id }) => ({ email, id, status: 'active' })),
			{ email: 'odd@example.com', id: 'c-odd', status: odd },
		];
		await runByHand(rows, { dryRun: true });
		await page.getByText('Workflow executed successfully').first().waitFor();
		await page.getByTestId('canvas-node').filter({ hasText: 'Sync' }).first().dblclick();
		const output = page.getByTestId('output-panel');
		const hint = output.getByText(`the status "${odd}" is in no list`);
		await hint.first().waitFor();
		await picture('status-in-a-hint');
		expect(await output.locator('img[src="x"], a[href*="evil"]').count()).toBe(0);
	});
});
