import type { Locator, Page } from 'playwright-core';

import { openEditor, type Editor } from '../../harness/browser/editor';
import { ask } from '../../harness/system/http';
import { chromiumPath, startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';

/** From the empty canvas of a new n8n to the closed feed, the credential included. */
const MOST_CLICKS = 12;
const EMAIL = 'jo@example.com';

let environment: E2eEnvironment;
let editor: Editor;
let page: Page;
let clicks = 0;

beforeAll(async () => {
	chromiumPath();
	environment = await startE2eEnvironment('first-minutes', { sandbox: { subscribers: 3 } });
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

/** A field that someone clicks on and fills in. */
async function fill(name: string, value: string): Promise<void> {
	clicks += 1;
	await page.getByTestId(`parameter-input-${name}`).locator('input, textarea').first().fill(value);
}

/** Someone reads this before the next click. */
async function read(words: string | RegExp, within: Locator = page.locator('body')): Promise<void> {
	await within.getByText(words).first().waitFor();
}

/** Adds a member, as a membership system does. Returns the address of the feed. */
async function addMember(): Promise<string> {
	const { accessToken, baseUrl, state } = environment.sandbox;
	await ask(`${baseUrl}/subscribers`, {
		method: 'POST',
		headers: { authorization: `Bearer ${accessToken}` },
		json: { subscriber: { email: EMAIL, customer_id: 'cus_jo' } },
	});
	return state.feedUrl(EMAIL)!;
}

/** Types a word into n8n's search, and adds the node with one of its actions. No trigger is needed. */
async function addAction(word: string, action: string): Promise<void> {
	await page.goto(`${environment.server.url}/workflow/new`);
	await click(page.getByTestId('canvas-add-button'));
	await page.getByTestId('node-creator-search-bar').fill(word);
	const items = page.getByTestId('item-iterator-item');
	await read(/Manage subscribers and private podcast feeds in Supercast/, items);
	await click(items.filter({ hasText: 'Supercast' }).first());
	await click(page.getByText(/^Actions \(\d+\)/));
	await click(items.filter({ hasText: action }).first());
	await page.getByTestId('ndv').waitFor();
}

async function connect(): Promise<void> {
	const { accessToken, baseUrl } = environment.sandbox;
	await click(page.getByText('Connect to Supercast'));
	const dialog = page.getByTestId('editCredential-modal');
	await read('In Supercast, open Settings, then API, and choose Generate Token.', dialog);
	await fill('accessToken', accessToken);
	// With the real Supercast, the address is there already.
	await fill('baseUrl', baseUrl);
	await click(page.getByTestId('credential-save-button'));
	await dialog.waitFor({ state: 'hidden' });
}

it(`closes a feed with ${MOST_CLICKS} clicks, from the empty canvas of a new n8n`, async () => {
	const feed = await addMember();
	expect((await ask(feed)).status).toBe(200);

	await addAction('cancel', 'Set access of subscriber');
	await connect();
	await read('Enter an email, a customer ID or both.');
	await click(page.getByTestId('parameter-input-access'));
	await read('The person has canceled: close their private feeds');
	await click(page.getByRole('option', { name: 'Close' }));
	await fill('email', EMAIL);
	await click(page.getByTestId('node-execute-button'));
	const output = page.getByTestId('output-panel');
	for (const words of ['close', 'closed', EMAIL, 'deactivated', 'available']) {
		await output.getByText(words, { exact: true }).first().waitFor();
	}

	expect((await ask(feed)).status).toBe(403);
	expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

it.each(['payment failed', 'podcast', 'membership'])(
	'finds the node and its actions by the words "%s"',
	async (word) => {
		await addAction(word, 'Deactivate feed of subscriber');
		await read('If Supercast bills this subscriber, their paid subscription may end too.');
		expect(clicks).toBe(4);
	},
);

it('says why a feed stays open, when someone has a plan at Supercast', async () => {
	const subscriber = environment.sandbox.state.subscribers[0]!;
	Object.assign(subscriber, { plan_id: 42, state: 'available' });
	await addAction('membership', 'Set access of subscriber');
	await click(page.getByTestId('parameter-input-access'));
	await click(page.getByRole('option', { name: 'Close' }));
	await fill('email', subscriber.email);
	await click(page.getByTestId('node-execute-button'));
	await read(
		/they have a plan at Supercast, so their feed stays open\. If the plan has ended too/,
		page.getByTestId('output-panel'),
	);
});
