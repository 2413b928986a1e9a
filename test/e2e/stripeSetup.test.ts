import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { closeNode, openEditor, type Editor } from '../../harness/browser/editor';
import { startMailbox, type Mailbox } from '../../harness/mailbox';
import { root } from '../../harness/system/paths';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';
import { senders as systems } from './workflows/cases';
import { registration } from './workflows/cases/stripeApi';
import { secrets, until } from './workflows/kit';
import { startSenders, type Senders } from './workflows/senders';

/** The most clicks that docs/recipe-stripe.md promises. */
const MOST_CLICKS = 25;

let mailbox: Mailbox;
let senders: Senders;
let environment: E2eEnvironment;
let editor: Editor;
let page: Page;
let clicks = 0;

beforeAll(async () => {
	mailbox = await startMailbox();
	senders = await startSenders();
	environment = await startE2eEnvironment('stripe-setup', {
		env: {
			NODE_OPTIONS: `--require ${join(__dirname, 'workflows', 'redirect.cjs')}`,
			SENDERS_ORIGIN: senders.origin,
		},
	});
	editor = await openEditor(environment);
	page = editor.page;
	page.setDefaultTimeout(20_000);
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto(`${environment.server.url}/home/workflows`);
});
afterAll(async () => {
	await editor?.close();
	await environment?.stop();
	await senders?.close();
	await mailbox?.close();
});

/** Clicks as a person does, and counts it. A double click counts as one. */
async function click(target: Locator, times: 'double' | 'once' = 'once'): Promise<void> {
	await (times === 'double' ? target.dblclick() : target.click());
	clicks++;
}

const node = (name: string): Locator =>
	page.getByTestId('canvas-node').filter({ hasText: name }).first();
const field = (name: string): Locator =>
	page.getByTestId(`parameter-input-${name}`).locator('input').first();

/** Pastes a workflow from a file on the empty canvas. */
async function paste(file: string): Promise<void> {
	const text = readFileSync(join(root, 'workflows', file), 'utf8');
	const here = text.replaceAll('https://api.stripe.com', senders.origin);
	await page.getByText('Add first step').waitFor();
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(here)})`);
	await saved(async () => await page.keyboard.press('Control+v'));
	await page.getByTestId('canvas-node').first().waitFor();
}

/** Does something, and waits until n8n has saved the workflow. */
async function saved(change: () => Promise<void>): Promise<void> {
	const answer = page.waitForResponse(
		(response) =>
			/\/rest\/workflows(\/\w+)?(\?|$)/.test(response.url()) &&
			['PATCH', 'POST'].includes(response.request().method()),
	);
	await change();
	await answer;
}

/** Creates a credential from within a node. What a test needs and a person doesn't is not counted. */
async function connect(
	nodeName: string,
	label: string,
	fillIn: () => Promise<void>,
	uncounted: () => Promise<void> = async () => undefined,
): Promise<void> {
	await click(node(nodeName), 'double');
	await click(page.getByText(label));
	await page.getByTestId('editCredential-modal').waitFor();
	await fillIn();
	await uncounted();
	// The dialog takes over what was typed after a moment.
	await page.waitForTimeout(1_000);
	await click(page.getByTestId('credential-save-button'));
	await page.getByTestId('editCredential-modal').waitFor({ state: 'hidden' });
	await closeNode(page);
}

/** Fills in values of the node Settings, with a click for each. */
async function fillSettings(values: Record<string, string>): Promise<void> {
	await click(node('Settings'), 'double');
	await saved(async () => {
		for (const [name, value] of Object.entries(values)) {
			const assignment = page.getByTestId('assignment').filter({
				has: page.locator(`input[value="${name}"]`),
			});
			await click(assignment.getByTestId('assignment-value').getByRole('textbox').first());
			await page.keyboard.press('Control+a');
			await page.keyboard.type(value);
		}
	});
	await closeNode(page);
}

async function publish(): Promise<void> {
	await click(page.getByRole('button', { name: 'Publish' }).first());
	await page
		.getByRole('dialog')
		.filter({ hasText: 'Version name' })
		.locator('input:focus')
		.waitFor();
	const published = page.waitForResponse((response) => response.url().endsWith('/activate'));
	await page.keyboard.press('Enter');
	expect((await published).status()).toBe(200);
	await page.keyboard.press('Escape');
}

it(`sets up Stripe from nothing with at most ${MOST_CLICKS} clicks, and a payment opens a feed`, async () => {
	const stripe = systems.find(({ name }) => name === 'Stripe')!;
	for (const [path, reply] of Object.entries(registration)) senders.replies.set(path, reply);
	// What n8n tests the credential with.
	senders.replies.set('/v1/charges', { body: { data: [] } });
	await click(page.getByText('Build a workflow'));
	await paste('set-access.json');
	await connect(
		'Find by Email',
		'Connect to Supercast',
		async () => {
			await click(field('accessToken'));
			await page.keyboard.type(environment.sandbox.accessToken);
		},
		async () => {
			await field('baseUrl').fill(environment.sandbox.baseUrl);
			await field('baseUrl').blur();
		},
	);
	await connect(
		'Send Email',
		'Connect to SMTP',
		async () => {
			await click(field('user'));
			await page.keyboard.press('Tab');
			await page.keyboard.press('Tab');
			await page.keyboard.type('127.0.0.1');
		},
		async () => {
			await field('port').fill(String(mailbox.port));
			for (const name of ['secure', 'disableStartTls'])
				await page.getByTestId(`parameter-input-${name}`).locator('.el-switch').click();
		},
	);
	await fillSettings({ mailFrom: 'podcast@example.com', tellWhom: 'me@example.com' });
	await publish();

	await click(page.getByTestId('universal-add'));
	await click(page.getByText('New workflow', { exact: true }));
	await paste('stripe.json');
	await connect('Stripe Event', 'Connect to Stripe', async () => {
		await click(field('secretKey'));
		await page.keyboard.type('sk_test_key');
	});
	await click(node('Set Access'), 'double');
	await click(page.getByTestId('resource-locator-workflowId').getByRole('textbox').first());
	await saved(async () => {
		await click(page.getByTestId('rlc-item').filter({ hasText: 'Set Access' }));
	});
	await closeNode(page);
	const { products } = stripe.settings(senders.origin) as { products: string };
	await fillSettings({ products });
	await publish();
	expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);

	const [paid] = stripe.cases;
	for (const [path, reply] of Object.entries(paid!.says)) senders.replies.set(path, reply);
	const asked = senders.asked.find(({ path }) => path === '/v1/webhook_endpoints');
	const address = new URLSearchParams(asked?.body).get('url') ?? '';
	const body = JSON.stringify(paid!.body);
	const headers = stripe.sign(body, secrets.hmac, paid!.headers);
	const answer = await fetch(address, {
		method: 'POST',
		body,
		headers: { 'content-type': 'application/json', ...headers },
	});
	expect(answer.status).toBe(200);
	const subscribed = () =>
		environment.sandbox.state.subscribers.find(({ email }) => email === stripe.email);
	await until('the feed is open', () => subscribed()?.state === 'available');
	await until('the member gets the address', () => mailbox.mails.length > 0);
});
