import type { Locator, Page } from 'playwright-core';

import { openEditor, type Editor } from '../../harness/browser/editor';
import { ask } from '../../harness/system/http';
import { chromiumPath, startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';

/** A person whom Supercast does not know yet. */
const EMAIL = 'jo@example.com';
/** From the empty canvas to the published form. A field and a drag count as one click each. */
const MOST_CLICKS = 18;

let environment: E2eEnvironment;
let editor: Editor;
let page: Page;
let clicks: number;
/** The public addresses of the two forms. */
let openForm: string;
let closeForm: string;

beforeAll(async () => {
	chromiumPath();
	environment = await startE2eEnvironment('set-access-form', {
		sandbox: { subscribers: 3 },
		credentials: ({ accessToken, baseUrl }) => [
			{
				id: 'form',
				name: 'Supercast',
				type: 'supercastApi',
				data: { accessToken, baseUrl, requestsPerMinute: 0 },
			},
		],
	});
	editor = await openEditor(environment);
	page = editor.page;
	page.setDefaultTimeout(30_000);
});
beforeEach(() => {
	clicks = 0;
});
afterAll(async () => {
	await editor?.close();
	await environment?.stop();
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
	await click(page.getByRole('option', { name: option }));
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
