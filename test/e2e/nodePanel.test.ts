import type { Locator, Page } from 'playwright-core';

import { openEditor, type Editor } from '../../harness/browser/editor';
import type { WorkflowNode } from '../../harness/n8n/setup';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';
import { inARow, manualTrigger } from './support/workflows';

const credential = { id: 'panel', name: 'Supercast' };

let environment: E2eEnvironment;
let editor: Editor;
let page: Page;

beforeAll(async () => {
	environment = await startE2eEnvironment('node-panel', {
		sandbox: { subscribers: 2000 },
		credentials: ({ accessToken, baseUrl }) => [
			{
				...credential,
				type: 'supercastApi',
				data: { accessToken, baseUrl, requestsPerMinute: 0 },
			},
		],
	});
	editor = await openEditor(environment);
	page = editor.page;
	page.setDefaultTimeout(30_000);
});
afterAll(async () => {
	await editor?.close();
	await environment?.stop();
});

function supercast(name: string, parameters: Record<string, unknown>): WorkflowNode {
	return {
		id: name,
		name,
		type: 'n8n-nodes-supercast.supercast',
		typeVersion: 1,
		position: [300, 0],
		parameters,
		credentials: { supercastApi: credential },
	};
}

/** Opens the last of these nodes, which follow a start node. */
async function openLast(...nodes: WorkflowNode[]): Promise<void> {
	const placed = nodes.map((node, index) => ({ ...node, position: [300 * (index + 1), 0] }));
	const workflow = { ...inARow('Panel', [manualTrigger, ...placed]), id: undefined };
	const created = await environment.client.request('POST', '/workflows', workflow);
	await editor.openNode((created as { id: string }).id, nodes.at(-1)!.id as string);
}

const locatorOf = (name: string): Locator => page.getByTestId(`resource-locator-${name}`);

async function chooseFromList(name: string, search?: string): Promise<void> {
	await locatorOf(name).getByRole('textbox').first().click();
	if (search !== undefined)
		await page
			.locator('input[data-test-id="rlc-search"], [data-test-id="rlc-search"] input')
			.first()
			.fill(search);
	const items = page.getByTestId('rlc-item');
	await (search === undefined ? items : items.filter({ hasText: search })).first().click();
}

/** The editor hands over what was typed after a moment. Nothing in the page says when. */
async function handedOver(): Promise<void> {
	await page.waitForTimeout(1_000);
}

/** Chooses a mode and types. A text that begins with an equals sign becomes an expression. */
async function typeInto(name: string, mode: string, value: string): Promise<void> {
	await locatorOf(name).getByTestId('rlc-mode-selector').click();
	await page.getByTestId(`mode-${mode}`).locator('visible=true').click();
	await locatorOf(name).getByRole('textbox').last().fill(value);
	await handedOver();
}

async function fill(name: string, value: string): Promise<void> {
	await page.getByTestId(`parameter-input-${name}`).getByRole('textbox').first().fill(value);
}

/** Switches a field to an expression with the button above it, and writes one. */
async function fillExpression(name: string, expression: string): Promise<void> {
	const parameter = page
		.getByTestId('parameter-item')
		.filter({ has: page.getByTestId(`parameter-input-${name}`) });
	await parameter.hover();
	await parameter.getByTestId('radio-button-expression').click();
	await parameter.locator('.cm-content').click();
	await page.keyboard.insertText(expression);
	await handedOver();
}

/** Runs the node, and waits until its output shows this text. */
async function runAndSee(text: string): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	const output = page.getByTestId('output-panel');
	await output.getByText(text, { exact: false }).first().waitFor();
	await output.getByTestId('node-run-status-success').waitFor();
}

const person = (place: number) => environment.sandbox.state.subscribers[place]!;

/** One operation of each resource: the values to fill in by hand, and the expected output. */
const operations: Array<[string, string, () => Promise<void>, () => string]> = [
	['channel', 'get', async () => undefined, () => environment.sandbox.state.channel.subdomain],
	[
		'creator',
		'get',
		async () =>
			await typeInto(
				'creator',
				'email',
				`={{ "${environment.sandbox.state.creators[0]!.email}" }}`,
			),
		() => environment.sandbox.state.creators[0]!.email,
	],
	['episode', 'get', async () => await chooseFromList('episode'), () => 'title'],
	[
		'feed',
		'suspend',
		async () => await typeInto('subscriber', 'email', person(10).email),
		() => 'suspended',
	],
	['invite', 'getAll', async () => undefined, () => environment.sandbox.state.invites[0]!.email],
	[
		'question',
		'create',
		async () => await fillExpression('title', '{{ "Who " + "asks?" }}'),
		() => 'Who asks?',
	],
	['role', 'create', async () => await fill('name', 'Sound engineer'), () => 'Sound engineer'],
	[
		'subscriber',
		'get',
		async () => await chooseFromList('subscriber', person(1200).email.slice(3, -4)),
		() => person(1200).email,
	],
	['usageAlert', 'dismiss', async () => await chooseFromList('usageAlert'), () => 'dismissed'],
];

it.each(operations)(
	'%s: %s can be filled in by hand and run, and shows its output',
	async (...tried) => {
		const [resource, operation, fillIn, expected] = tried;
		await openLast(supercast('Supercast', { resource, operation }));
		await fillIn();
		await runAndSee(expected());
	},
);

it('finds someone among 2,000 by a part of the name', async () => {
	await openLast(supercast('Supercast', { resource: 'subscriber', operation: 'get' }));
	const { email } = person(999);
	await chooseFromList('subscriber', email.slice(0, -6));
	const chosen = page
		.getByTestId('rlc-input')
		.locator('input')
		.or(page.locator('input[data-test-id=rlc-input]'));
	expect(await chosen.first().inputValue()).toContain(email);
});

it('offers the fields of a node that never ran, and a dragged one has a value in the run', async () => {
	const { email } = person(20);
	const { requests } = environment.sandbox.stats();
	await openLast(
		supercast('Deactivate', {
			resource: 'feed',
			operation: 'deactivate',
			subscriber: { __rl: true, mode: 'email', value: email },
		}),
		supercast('Get', { resource: 'subscriber', operation: 'get' }),
	);
	const input = page.getByTestId('ndv-input-panel');
	await input.getByText('Usually outputs the following fields').waitFor();
	const field = input.getByText('subscriber_uuid', { exact: true });
	await dragTo(field, locatorOf('subscriber'));
	await locatorOf('subscriber').getByText('{{ $json.subscriber_uuid }}').waitFor();
	const mode = locatorOf('subscriber').getByTestId('rlc-mode-selector').locator('input');
	expect(await mode.inputValue()).toBe('By Email');
	expect(environment.sandbox.stats().requests).toBe(requests);
	await runAndSee(email);
	expect(person(20).state).toBe('deactivated');
});

async function dragTo(from: Locator, to: Locator): Promise<void> {
	const [start, end] = [await from.boundingBox(), await to.boundingBox()];
	await page.mouse.move(start!.x + start!.width / 2, start!.y + start!.height / 2);
	await page.mouse.down();
	await page.mouse.move(end!.x + end!.width / 2, end!.y + end!.height / 2, { steps: 20 });
	await page.mouse.up();
}

it.each([
	['subscriber', 'delete', 'This cannot be undone'],
	['usageAlert', 'suspend', 'This ends a paid subscription'],
	['feed', 'deactivate', 'their paid subscription may end too'],
])('%s: %s says in a notice what ends', async (resource, operation, words) => {
	await openLast(supercast('Supercast', { resource, operation }));
	await page.getByTestId('node-parameters').getByText(words).waitFor();
});

it('says after Get Many how many records there are', async () => {
	await openLast(supercast('Supercast', { resource: 'subscriber', operation: 'getAll' }));
	await runAndSee('50 of 2,000 subscribers');
});

it('offers every operation of subscribers to an agent but Sync', async () => {
	const tool = supercast('Tool', { resource: 'subscriber', operation: 'get' });
	await openLast({ ...tool, type: 'n8n-nodes-supercast.supercastTool' });
	await page.getByTestId('parameter-input-operation').click();
	await page.getByRole('option', { name: 'Get Many' }).waitFor();
	const offered = await page.getByRole('option').allInnerTexts();
	expect(offered.filter((text) => text.startsWith('Sync'))).toEqual([]);
	expect(offered.filter((text) => text.startsWith('Delete'))).toHaveLength(1);
});
