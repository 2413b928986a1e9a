import type { Page } from 'playwright-core';

import { openEditor, type Editor } from '../../harness/browser/editor';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';
import { inARow, manualTrigger } from './support/workflows';

/** n8n's search shows about this many results without scrolling. */
const IN_SIGHT = 5;

/** What people type who have never seen the node. */
const WORDS = [
	...['set access', 'open feed', 'close feed', 'revoke access', 'private podcast', 'podcast feed'],
	...['private rss', 'patron', 'member', 'membership', 'subscriber', 'subscription', 'cancel'],
	...['unsubscribe', 'payment failed', 'sync', 'podcast'],
];

let environment: E2eEnvironment;
let editor: Editor;
let page: Page;

beforeAll(async () => {
	environment = await startE2eEnvironment('node-search');
	editor = await openEditor(environment);
	page = editor.page;
	page.setDefaultTimeout(30_000);
});
afterAll(async () => {
	await editor?.close();
	await environment?.stop();
});

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
