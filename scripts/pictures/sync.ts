import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openEditor } from '../../harness/browser/editor';
import { startEnvironment } from '../../harness/environment';
import { endOnSignals } from '../../harness/system/ending';
import { root } from '../../harness/system/paths';
import { step } from '../../harness/system/progress';

/**
 * Goes through the first run that docs/sync.md describes, as a new user does it in the editor, and takes
 * a picture of each result.
 *
 * Usage: tsx scripts/pictures/sync.ts [--folder docs/images/sync]
 */
const options = {
	folder: { type: 'string', default: join(root, 'docs', 'images', 'sync') },
} as const;

const ending = endOnSignals();
const SYNC = 'Sync Subscribers';

/** Twelve members, as a membership system exports them. */
function csvOf(count: number): string {
	const names = [
		'Ann',
		'Bob',
		'Cleo',
		'Dan',
		'Eve',
		'Finn',
		'Gus',
		'Hal',
		'Ivo',
		'Jo',
		'Kim',
		'Leo',
	];
	const rows = names.slice(0, count).map((name, index) => {
		return `${name.toLowerCase()}@example.com,m-${index + 1},${name}`;
	});
	return ['email,id,firstName', ...rows].join('\n');
}

async function main(): Promise<void> {
	const { folder } = parseArgs({ options }).values;
	mkdirSync(folder, { recursive: true });
	const environment = await startEnvironment();
	const editor = await step('Opening the editor', async () => await openEditor(environment));
	const { page } = editor;
	await step(
		'Importing the workflow',
		async () => await importWorkflow(page, environment.server.url),
	);
	await step('A dry run', async () => {
		await openSync(page);
		await closeDetails(page);
		await upload(page, csvOf(12));
		await picture(page, join(folder, 'dry-run.png'));
	});
	await step('A real run', async () => {
		await page.getByTestId('parameter-input-dryRun').locator('.el-switch').click();
		await closeDetails(page);
		await upload(page, csvOf(12));
		await picture(page, join(folder, 'real-run.png'));
	});
	await step('A run that is refused', async () => {
		await chooseClose(page);
		await closeDetails(page);
		await upload(page, csvOf(8));
		await picture(page, join(folder, 'refused-run.png'));
	});
	await editor.close();
	await environment.stop();
}

/** From the file, as a person does; and without the start that is not needed. */
async function importWorkflow(page: Page, address: string): Promise<void> {
	await page.goto(`${address}/workflow/new`);
	await page.getByTestId('workflow-menu').click();
	await page
		.locator('[data-test-id="workflow-import-input"]')
		.setInputFiles(join(root, 'workflows', 'import-members.json'));
	await page.getByTestId('canvas-node').filter({ hasText: SYNC }).waitFor();
	await page.keyboard.press('Escape');
	for (const name of ['Import Now', 'Get Rows']) {
		await page.getByTestId('canvas-node').filter({ hasText: name }).click();
		await page.keyboard.press('Delete');
	}
}

async function openSync(page: Page): Promise<void> {
	await page.getByTestId('canvas-node').filter({ hasText: SYNC }).dblclick();
	await page.getByTestId('ndv').waitFor();
	const select = page.getByTestId('node-credentials-select').locator('input').first();
	if ((await select.inputValue()) === '') {
		await select.click();
		await page.getByTestId('node-credentials-select-item-supercastSandbox').click();
	}
}

async function closeDetails(page: Page): Promise<void> {
	await page.keyboard.press('Escape');
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Closing is on, and so is closing of those who were created just now. */
async function chooseClose(page: Page): Promise<void> {
	await page.getByTestId('parameter-input-close').click();
	await page
		.locator('.el-select-dropdown__item:visible', { hasText: 'With a Customer ID' })
		.click();
	await page.getByTestId('collection-parameter').last().getByText('Add option').click();
	await page.locator('.el-select-dropdown__item:visible', { hasText: 'Grace Hours' }).click();
	await page.getByTestId('parameter-input-graceHours').locator('input').fill('0');
}

/** Runs the workflow with a file, and opens the node when it has ended. */
async function upload(page: Page, csv: string): Promise<void> {
	const opened = page.context().waitForEvent('page');
	await page.getByTestId('execute-workflow-button').click();
	const form = await opened;
	await form
		.locator('input[type="file"]')
		.setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
	await form.locator('#submit-btn').click();
	await form.waitForTimeout(4_000);
	await form.close();
	await page.bringToFront();
	await page.waitForTimeout(3_000);
	await page.getByTestId('canvas-node').filter({ hasText: SYNC }).dblclick();
	await page.getByTestId('ndv').waitFor();
}

/** Animations: nothing in the page says when the last one is over. */
async function picture(page: Page, file: string): Promise<void> {
	for (const close of await page.locator('.el-notification__closeBtn').all()) await close.click();
	await page.mouse.move(0, 0);
	await page.waitForTimeout(1_500);
	await page.screenshot({ path: file });
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
