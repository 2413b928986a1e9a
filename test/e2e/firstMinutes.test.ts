import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

import { type Demo, startDemo } from '../../simulators/demo/startDemo';
import { type Editor, openEditor } from '../harness/browser/editor';
import { findBrowser } from '../harness/browser/findBrowser';
import type { Workflow } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
import { root } from '../harness/system/paths';
import { brokenBy, rules } from '../workflows/n8n3Rules';
import { samples } from '../workflows/n8n3Samples';
import { editor, environment, page, useEditor } from './support/editorTest';
import { inARow, manualTrigger } from './support/workflows';

// Not for the dashboard, which has an n8n of the demo.
useEditor('first-minutes', { sandbox: { subscribers: 3 } });

describe('the first minutes', () => {
	/** From the empty canvas of a new n8n to the closed feed, the credential included. */
	const MOST_CLICKS = 12;
	const EMAIL = 'jo@example.com';

	let clicks = 0;

	async function click(what: Locator): Promise<void> {
		clicks += 1;
		await what.click();
	}

	/** A field that someone clicks on and fills in. */
	async function fill(name: string, value: string): Promise<void> {
		clicks += 1;
		await page
			.getByTestId(`parameter-input-${name}`)
			.locator('input, textarea')
			.first()
			.fill(value);
	}

	/** Someone reads this before the next click. */
	async function read(
		words: string | RegExp,
		within: Locator = page.locator('body'),
	): Promise<void> {
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
		await read('The record gives no access');
		await click(page.getByRole('option', { name: /^Close/ }));
		await fill('email', EMAIL);
		await click(page.getByTestId('node-execute-button'));
		const output = page.getByTestId('output-panel');
		for (const words of ['close', 'closed', EMAIL, 'deactivated', 'available']) {
			await output.getByText(words, { exact: true }).first().waitFor();
		}

		expect((await ask(feed)).status).toBe(403);
		expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
	});
});

describe('the search for nodes', () => {
	/** n8n's search shows about this many results without scrolling. */
	const IN_SIGHT = 5;

	/** What people type who have never seen the node. */
	const WORDS = [
		...[
			'set access',
			'open feed',
			'close feed',
			'revoke access',
			'private podcast',
			'podcast feed',
		],
		...['private rss', 'patron', 'member', 'membership', 'subscriber', 'subscription', 'cancel'],
		...['unsubscribe', 'payment failed', 'sync', 'podcast', 'membership ended'],
		...['new usage alert', 'state changes', 'subscriber changed'],
	];

	/** Types a text into the search that is open. Returns the names of the first nodes that it finds. */
	async function resultsFor(text: string): Promise<string[]> {
		await page.getByTestId('node-creator-search-bar').fill(text);
		// The list follows the text after a moment. Nothing in the page says when.
		await page.waitForTimeout(700);
		const names = page.getByTestId('node-creator-item-name');
		return (await names.allInnerTexts()).slice(0, IN_SIGHT);
	}

	/** The words that do not find the node. */
	async function wordsWithoutResult(): Promise<string[]> {
		const missed: string[] = [];
		for (const word of WORDS) {
			const names = await resultsFor(word);
			if (!names.includes('Supercast')) missed.push(`${word}: ${names.join()}`);
		}
		return missed;
	}

	it('finds the node by each word as the first step of an empty workflow', async () => {
		await page.goto(`${environment.server.url}/workflow/new`);
		await page.getByTestId('canvas-add-button').click();
		expect(await wordsWithoutResult()).toEqual([]);
	});

	it('finds the node by each word as the next step of a workflow', async () => {
		const workflow = { ...inARow('Search', [manualTrigger]), id: undefined };
		const created = await environment.client.request('POST', '/workflows', workflow);
		await editor.openWorkflow((created as { id: string }).id);
		await page.getByTestId('node-creator-plus-button').click();
		expect(await wordsWithoutResult()).toEqual([]);
	});
});

describe('the dashboard of the demo', () => {
	/** Two sync runs take 40 seconds, and more on a busy machine. */
	const SOON_MS = 120_000;

	let demo: Demo;
	let editor: Editor;
	let page: Page;

	beforeAll(async () => {
		findBrowser();
		demo = await startDemo();
		editor = await openEditor(demo.environment);
		page = editor.page;
		page.setDefaultTimeout(SOON_MS);
	});
	afterAll(async () => {
		await editor?.close();
		await demo?.stop();
	});

	async function press(label: string): Promise<void> {
		await page.getByRole('button', { name: label, exact: true }).click();
	}

	/** Waits for a sentence about what happened. */
	async function told(words: RegExp): Promise<void> {
		await page.locator('.story').getByText(words).first().waitFor();
	}

	const rows = () => page.locator('.row');

	it('the dashboard shows within a minute that a member who pays gets a feed, which closes at the end', async () => {
		await page.goto(demo.dashboard.url);
		await told(/8 feeds opened, because these members pay at Stripe\./);

		await press('A Member Pays');
		await told(/The feed of new\.member\.\d@example\.com opened, because this member pays/);
		expect(await rows().first().innerText()).toMatch(/new\.member\.\d@example\.com\s+pays[^]*open/);
		const feed = await rows().first().getByText('try the feed').getAttribute('href');
		expect((await fetch(feed!)).status).toBe(200);

		await press('A Member Cancels');
		await told(/The feed of new\.member\.\d@example\.com closed, because the membership/);
		expect(await rows().first().innerText()).toMatch(/canceled[^]*closed/);
		expect((await fetch(feed!)).status).toBe(403);
	});

	it('leads to the run in n8n that closed the feed', async () => {
		await page.goto(demo.dashboard.url);
		const lines = page.locator('.story').locator('p, li');
		const line = lines.filter({ hasText: /closed, because/ }).first();
		const opened = page.context().waitForEvent('page');
		await line.getByText('See the run in n8n').click();
		const run = await opened;
		await run.waitForURL(/\/workflow\/\w+\/executions\/\d+/);
		const details = run.getByTestId(/^execution-preview-details-/);
		await details.waitFor({ timeout: SOON_MS });
		expect(await details.innerText()).toMatch(/^(Succeeded|Success)/m);
		await run.close();
	});
});

describe("n8n's report before n8n 3", () => {
	/**
	 * n8n's migration report for version 3 (**Settings** > **Migration report**), on the workflows
	 * to import, and on broken ones. These tests check that our rules find the same.
	 */
	const folder = join(root, 'workflows');
	const workflows = readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Workflow);
	const broken: Workflow[] = Object.entries(samples).flatMap(([rule, sample]) =>
		sample.broken.map((workflow, index) => ({ ...workflow, name: `${rule} ${index}` })),
	);

	/** n8n's report has a file for it. The rest is only in n8n's documentation. */
	function isKnownToReport({ name, nodes }: Workflow): boolean {
		const { source } = rules[name.replace(/ \d+$/, '')]!;
		if (nodes[0]!.type === '@n8n/n8n-nodes-langchain.code') return false;
		return source.includes('.rule.ts') && !source.includes('import-url');
	}

	let found: Set<string>;

	interface Report {
		report: { workflowResults: Array<{ ruleId: string }> };
	}

	beforeAll(async () => {
		const { request } = environment.client;
		for (const { name, nodes, connections, settings = {} } of [...workflows, ...broken]) {
			await request('POST', '/workflows', { name, nodes, connections, settings });
		}
		const path = '/breaking-changes/report';
		const { report } = (await request('POST', `${path}/refresh?version=v3`)) as Report;
		const affected = await Promise.all(
			report.workflowResults.map(
				async ({ ruleId }) =>
					(await request('GET', `${path}/${ruleId}`)) as {
						affectedWorkflows: Array<{ name: string }>;
					},
			),
		);
		found = new Set(
			affected.flatMap(({ affectedWorkflows }) => affectedWorkflows.map(({ name }) => name)),
		);
	});

	it('finds each sample that our rules call broken', () => {
		const known = broken.filter(isKnownToReport).map(({ name }) => name);
		expect(known.length).toBeGreaterThan(40);
		expect(known.filter((name) => !found.has(name))).toEqual([]);
	});

	it('finds in the workflows to import exactly what our rules find', () => {
		for (const workflow of workflows) {
			expect([workflow.name, found.has(workflow.name)]).toEqual([
				workflow.name,
				brokenBy(workflow).length > 0,
			]);
		}
	});
});
