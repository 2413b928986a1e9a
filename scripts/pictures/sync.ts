import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { closeNode, openEditor } from '../../harness/browser/editor';
import { startEnvironment } from '../../harness/environment';
import { endOnSignals } from '../../harness/system/ending';
import { root } from '../../harness/system/paths';
import { step } from '../../harness/system/progress';
import { closeNotifications, pictureOf, settle } from './clip';

/**
 * Goes through the first run that docs/sync.md describes, in a real editor, and takes a picture of a
 * dry run, and of a run that Sync refuses.
 *
 * Usage: npm run pictures:sync [-- --folder docs/images/sync]
 */
const options = {
	folder: { type: 'string', default: join(root, 'docs', 'images', 'sync') },
} as const;

const ending = endOnSignals();
const SYNC = 'Sync Subscribers';
const NAMES = 'Ann Bob Cleo Dan Eve Finn Gus Hal Ivo Jo Kim Leo'.split(' ');

/** The first of twelve members, as a membership system exports them. */
function members(count: number): string {
	const rows = NAMES.slice(0, count).map(
		(name, index) => `${name.toLowerCase()}@example.com,m-${index + 1},${name}`,
	);
	return ['email,id,firstName', ...rows].join('\n');
}

async function main(): Promise<void> {
	const { folder } = parseArgs({ options }).values;
	mkdirSync(folder, { recursive: true });
	const environment = await startEnvironment();
	const editor = await step('Opening the editor', async () => await openEditor(environment));
	const { page } = editor;
	await page.setViewportSize({ width: 1180, height: 760 });
	await step('Importing the workflow', async () => {
		await importWorkflow(page, environment.server.url);
	});
	await step('A dry run', async () => {
		await openSync(page);
		await chooseCredential(page);
		await closeNode(page);
		await upload(page, members(12));
		await page.getByTestId('output-panel').getByText('Dry run:').waitFor();
		await picture(page, join(folder, 'dry-run.png'));
	});
	await step('A real run', async () => {
		await page.getByTestId('parameter-input-dryRun').locator('.el-switch').click();
		await closeNode(page);
		await upload(page, members(12));
	});
	await step('A run that is refused', async () => {
		await closeLeavers(page);
		await closeNode(page);
		await upload(page, members(8));
		await page.getByTestId('output-panel').getByText('Sync would close').first().waitFor();
		await picture(page, join(folder, 'refused-run.png'));
	});
	await editor.close();
	await environment.stop();
}

/** From the file, as a person does it, and without the start that the CSV file does not need. */
async function importWorkflow(page: Page, address: string): Promise<void> {
	await page.goto(`${address}/workflow/new`);
	await page
		.locator('[data-test-id="workflow-import-input"]')
		.setInputFiles(join(__dirname, 'sync.json'));
	await node(page, SYNC).waitFor();
	await page.keyboard.press('Escape');
	for (const name of ['Import Now', 'Get Rows']) {
		await node(page, name).click();
		await page.keyboard.press('Delete');
	}
}

const node = (page: Page, name: string) =>
	page.getByTestId('canvas-node').filter({ hasText: name });

async function openSync(page: Page): Promise<void> {
	await node(page, SYNC).dblclick();
	await page.getByTestId('ndv').waitFor();
}

async function chooseCredential(page: Page): Promise<void> {
	const select = page.getByTestId('node-credentials-select').locator('input').first();
	if ((await select.inputValue()) !== '') return;
	await select.click();
	await page.getByTestId('node-credentials-select-item-supercastSandbox').click();
}

/** Lets Sync close feeds, and those of the subscribers that it has just created too. */
async function closeLeavers(page: Page): Promise<void> {
	await page.getByTestId('parameter-input-close').click();
	await page.getByRole('option', { name: 'With a Customer ID' }).click();
	await page.getByPlaceholder('Add Option').or(page.getByText('Add Option')).last().click();
	await page.getByRole('option', { name: 'Grace Hours' }).click();
	await page.getByTestId('parameter-input-graceHours').locator('input').fill('0');
}

/** Runs the workflow with a file, and opens the node when the execution has ended. */
async function upload(page: Page, csv: string): Promise<void> {
	const opened = page.context().waitForEvent('page');
	await page.getByTestId('execute-workflow-button').click();
	const form = await opened;
	await form
		.locator('input[type="file"]')
		.setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
	await form.locator('#submit-btn').click();
	await page.bringToFront();
	await page
		.getByText(/Workflow executed successfully|Problem in node/)
		.first()
		.waitFor();
	await form.close();
	await openSync(page);
}

async function picture(page: Page, file: string): Promise<void> {
	await closeNotifications(page);
	await settle(page);
	await pictureOf(page, ['node-parameters', 'output-panel'], file);
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
