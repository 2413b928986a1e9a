import type { Locator } from 'playwright-core';

import type { WorkflowNode } from '../harness/n8n/setup';
import { editor, environment, page, useEditor } from './support/editorTest';
import { inARow, manualTrigger } from './support/workflows';

const credential = { id: 'panel', name: 'Supercast' };

useEditor('node-panel', {
	sandbox: { subscribers: 2000 },
	credentials: ({ accessToken, baseUrl }) => [
		{
			...credential,
			type: 'supercastApi',
			data: { accessToken, baseUrl, requestsPerMinute: 0 },
		},
	],
});

describe('the panel of the node', () => {
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

	it('offers every operation of subscribers to an agent but Sync', async () => {
		const tool = supercast('Tool', { resource: 'subscriber', operation: 'get' });
		await openLast({ ...tool, type: 'n8n-nodes-supercast.supercastTool' });
		await page.getByTestId('parameter-input-operation').click();
		await page.getByRole('option', { name: 'Get Many' }).waitFor();
		const offered = await page.getByRole('option').allInnerTexts();
		expect(offered.filter((text) => text.startsWith('Sync'))).toEqual([]);
		expect(offered.filter((text) => text.startsWith('Delete'))).toHaveLength(1);
	});
});

describe('messages after a run', () => {
	beforeAll(() => page.setDefaultTimeout(60_000));

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
		expect(text).toContain('[item 2, the 3rd of 5]');
		expect(text.match(/item 2/g)).toHaveLength(1);
	});

	it('shows a status as the system has written it, and no elements', async () => {
		const status = '<none><img src="x"><a href="https://evil.example">win</a>';
		await runForFive({
			parameters: {
				...{ resource: 'subscriber', operation: 'setAccess', email: '={{ $json.email }}' },
				...{ access: 'byStatus', status, openFor: 'active', closeFor: 'canceled' },
			},
		});
		const output = page.getByTestId('output-panel');
		const hints = output.getByRole('alert');
		await hints.getByText(`the status "${status}" is in no list`).first().waitFor();
		expect(await output.locator('img[src="x"], a[href*="evil"]').count()).toBe(0);
	});
});
