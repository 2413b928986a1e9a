import type { Locator, Page } from 'playwright-core';

import type { WorkflowNode } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
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
});

describe('the form of Set Access', () => {
	/** A person whom Supercast does not know yet. */
	const EMAIL = 'jo@example.com';
	/** From the empty canvas to the published form. A field and a drag count as one click each. */
	const MOST_CLICKS = 18;

	let clicks: number;
	/** The public addresses of the two forms. */
	let openForm: string;
	let closeForm: string;

	beforeEach(() => {
		clicks = 0;
	});

	async function click(what: Locator): Promise<void> {
		clicks += 1;
		await what.click();
	}

	async function fill(name: string, value: string): Promise<void> {
		clicks += 1;
		await page.getByTestId(`parameter-input-${name}`).getByRole('textbox').fill(value);
	}

	async function choose(name: string, option: string): Promise<void> {
		await click(page.getByTestId(`parameter-input-${name}`));
		// The description of another option may contain the word.
		await click(page.getByRole('option', { name: new RegExp(`^\\s*${option}`) }));
	}

	/** Searches for a node in the list that is open, and adds it with this action. */
	async function addNode(search: string, node: string, action: string): Promise<void> {
		await page.getByTestId('node-creator-search-bar').fill(search);
		const items = page.getByTestId('item-iterator-item');
		await click(items.filter({ hasText: node }).first());
		await click(items.filter({ hasText: action }).first());
		await page.getByTestId('ndv').waitFor();
	}

	/** Fills in a form as a visitor. */
	async function submit(form: Page, email: string): Promise<void> {
		await form.locator('input[type=email]').fill(email);
		await form.locator('button[type=submit]').click();
		await form.getByText('Form Submitted').waitFor();
	}

	/** Starts on an empty canvas with a form that asks for an email. Returns its public address. */
	async function addForm(title: string): Promise<string> {
		await page.goto(`${environment.server.url}/workflow/new`);
		await click(page.getByTestId('canvas-add-button'));
		await addNode('form', 'n8n Form', 'On new n8n Form event');
		await fill('formTitle', title);
		await click(page.getByRole('button', { name: 'Add Form Element' }));
		await fill('fieldLabel', 'email');
		await choose('fieldType', 'Email');
		const details = page.getByTestId('ndv');
		await click(details.getByTestId('radio-button-production'));
		const address = await details.getByText(/^\s*http.*\/form\//).innerText();
		await click(page.getByTestId('ndv-close-button'));
		return address.trim();
	}

	/** Adds the node, and fills in Email with the field of a form that was sent once as a test. */
	async function addSetAccess(): Promise<void> {
		await click(page.getByTestId('canvas-handle-plus').first());
		await addNode('supercast', 'Supercast', 'Set access of subscriber');
		const test = page.context().waitForEvent('page');
		await click(page.getByText('Execute previous nodes'));
		const form = await test;
		await submit(form, 'test@example.com');
		await form.close();
		const email = page.getByTestId('ndv-input-panel').getByText('email', { exact: true });
		const target = page.getByTestId('parameter-input-email');
		await dragTo(email, target);
		await target.getByText('{{ $json.email }}').waitFor();
	}

	async function dragTo(from: Locator, to: Locator): Promise<void> {
		clicks += 1;
		await from.hover();
		await page.mouse.down();
		await to.hover();
		await to.hover({ position: { x: 40, y: 10 } });
		await page.mouse.up();
	}

	async function publish(): Promise<void> {
		await click(page.getByTestId('ndv-close-button'));
		await click(page.getByTestId('workflow-open-publish-modal-button'));
		await click(page.getByTestId('workflow-publish-button'));
		await page.getByText('Workflow published').first().waitFor();
	}

	/** Fills in a published form in a new tab. */
	async function visit(address: string): Promise<void> {
		const visitor = await page.context().newPage();
		await visitor.goto(address);
		await submit(visitor, EMAIL);
		await visitor.close();
	}

	/** Waits until the address of the person's feed gives this status. The form does not wait. */
	async function feedGives(status: number): Promise<void> {
		for (let waited = 0; waited < 30_000; waited += 200) {
			const address = environment.sandbox.state.feedUrl(EMAIL);
			if (address !== undefined && (await ask(address)).status === status) return;
			await page.waitForTimeout(200);
		}
		throw new Error(`The feed of ${EMAIL} did not give ${status}.`);
	}

	it('opens the feed of a person who fills in a form, which is built by hand on an empty canvas', async () => {
		const before = environment.sandbox.state.subscribers.length;
		openForm = await addForm('Open my feed');
		await addSetAccess();
		await publish();
		expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
		expect(environment.sandbox.state.subscribers).toHaveLength(before);
		await visit(openForm);
		await feedGives(200);
		expect(environment.sandbox.state.subscriber(EMAIL)).toMatchObject({ state: 'available' });
	});

	it('closes the feed of a person who fills in a second form', async () => {
		closeForm = await addForm('Close my feed');
		await addSetAccess();
		await choose('access', 'Close');
		await publish();
		expect(clicks).toBeLessThanOrEqual(MOST_CLICKS + 2);
		await feedGives(200);
		await visit(closeForm);
		await feedGives(403);
	});

	it('opens the same feed again with the first form', async () => {
		const address = environment.sandbox.state.feedUrl(EMAIL);
		await visit(openForm);
		await feedGives(200);
		expect(environment.sandbox.state.feedUrl(EMAIL)).toBe(address);
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
});
