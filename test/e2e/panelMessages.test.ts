import type { Page } from 'playwright-core';

import { openEditor, type Editor } from '../../harness/browser/editor';
import type { WorkflowNode } from '../../harness/n8n/setup';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';
import { inARow, manualTrigger } from './support/workflows';

const credential = { id: 'panel', name: 'Supercast' };

let environment: E2eEnvironment;
let editor: Editor;
let page: Page;

beforeAll(async () => {
	environment = await startE2eEnvironment('panel-messages', {
		credentials: ({ accessToken, baseUrl }) => [
			{ ...credential, type: 'supercastApi', data: { accessToken, baseUrl, requestsPerMinute: 0 } },
		],
	});
	editor = await openEditor(environment);
	page = editor.page;
	page.setDefaultTimeout(60_000);
});
afterAll(async () => {
	await editor?.close();
	await environment?.stop();
});

/** Runs the node for five people, of whom the third and the last are unknown to Supercast. */
async function runForFive(node: Partial<WorkflowNode>): Promise<void> {
	const known = environment.sandbox.state.subscribers.slice(0, 3).map(({ email }) => email);
	const emails = [known[0], known[1], 'no@example.com', known[2], 'nobody@example.com'];
	const supercast: WorkflowNode = {
		id: 'node',
		name: 'Supercast',
		type: 'n8n-nodes-supercast.supercast',
		typeVersion: 1,
		position: [300, 0],
		credentials: { supercastApi: credential },
		parameters: {
			resource: 'subscriber',
			operation: 'get',
			subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		},
		...node,
	};
	const workflow = {
		...inARow('Messages', [manualTrigger, supercast]),
		id: undefined,
		pinData: { [manualTrigger.name]: emails.map((email) => ({ json: { email } })) },
	};
	const created = await environment.client.request('POST', '/workflows', workflow);
	await editor.openNode((created as { id: string }).id, 'node');
	await page.getByTestId('node-execute-button').click();
}

it('says above the output how many items failed and why, if the node continues', async () => {
	await runForFive({ onError: 'continueRegularOutput' });
	const output = page.getByTestId('output-panel');
	await output
		.getByText(/^2 of 5 items failed: Supercast has no subscriber "no@example\.com"/)
		.waitFor();
	await output.getByTestId('node-run-status-success').waitFor();
});

it('names the item once, with a number that does not mislead, if the node stops', async () => {
	await runForFive({});
	const message = page.getByTestId('output-panel').getByTestId('node-error-message');
	await message.waitFor();
	const text = await message.innerText();
	expect(text).toContain('[item 2, counted from 0]');
	expect(text.match(/item 2/g)).toHaveLength(1);
});

it('says that an expression has no value, instead of that the fields are empty', async () => {
	await runForFive({
		parameters: {
			resource: 'subscriber',
			operation: 'setAccess',
			access: 'open',
			email: '={{ $json.person.email.trim() }}',
		},
	});
	const message = page.getByTestId('output-panel').getByTestId('node-error-message');
	await message.waitFor();
	expect(await message.innerText()).toContain("The expression in 'Email' returned no value");
});
