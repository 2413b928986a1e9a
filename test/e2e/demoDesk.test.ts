import type { Page } from 'playwright-core';

import { startDemo, type Demo } from '../../demo/startDemo';
import { openEditor, type Editor } from '../../harness/browser/editor';
import { chromiumPath } from './support/testEnvironment';

/** Two checks take 40 seconds, and more on a busy machine. */
const SOON_MS = 120_000;

let demo: Demo;
let editor: Editor;
let page: Page;

beforeAll(async () => {
	chromiumPath();
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

it('the desk shows within a minute that a member who pays gets a feed, which closes at the end', async () => {
	await page.goto(demo.desk.url);
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
	await page.goto(demo.desk.url);
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

it('says that nothing changes while Stripe is down', async () => {
	await page.goto(demo.desk.url);
	const before = await rows().allInnerTexts();
	await press('Stripe Is Down');
	await told(/could not read Stripe's list, so it changed nothing/);
	expect(await rows().allInnerTexts()).toEqual(before);
	await press('Stripe Is Up Again');
});
