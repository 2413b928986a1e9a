import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { openEditor, type Editor } from '../../harness/browser/editor';
import { cacheFolder } from '../../harness/system/paths';
import { readWorkflowFile } from '../workflows/files';
import { chromiumPath, startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';

/** Each member workflow as n8n shows it first, at 1440 x 900. */
const FILES = [
	'stripe',
	'patreon',
	'memberful',
	'ghost',
	'woocommerce',
	'any-list',
	'stripe-and-patreon',
];
/** Below this height of a line in pixels, names are hard to read. */
const READABLE = 10;

let environment: E2eEnvironment;
let editor: Editor;

beforeAll(async () => {
	chromiumPath();
	environment = await startE2eEnvironment('canvas');
	editor = await openEditor(environment);
	editor.page.setDefaultTimeout(30_000);
});
afterAll(async () => {
	await editor?.close();
	await environment?.stop();
});

/** Notes that hide a part of their text, and by how many pixels. Runs in the page. */
const CUT_OFF = `
	[...document.querySelectorAll('[data-test-id="sticky"]')].flatMap((note) => {
		const hidden = ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight;
		const most = Math.max(...[note, ...note.querySelectorAll('div')].map(hidden));
		return most > 8 ? [note.textContent.trim().slice(0, 20) + ': ' + most] : [];
	})`;

it.each(FILES)('%s.json: every name is readable, and the button starts the check', async (file) => {
	const workflow = readWorkflowFile(`${file}.json`);
	const made = await environment.client.request('POST', '/workflows', {
		...workflow,
		id: undefined,
	});
	const { page } = editor;
	await editor.openWorkflow((made as { id: string }).id);
	await page.waitForTimeout(2_500);
	const folder = join(cacheFolder, 'pictures');
	mkdirSync(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `canvas-${file}.png`) });

	const pane = page.locator('.vue-flow__transformationpane');
	const zoom = Number(/scale\(([\d.]+)\)/.exec((await pane.getAttribute('style')) ?? '')?.[1]);
	const name = page
		.locator('[data-test-id="canvas-node"][data-node-name="Sync"]')
		.getByText('Sync');
	const height = (await name.first().boundingBox())?.height;
	const box = await page.locator('.vue-flow__node').first().boundingBox();
	const button = (await page.getByTestId('execute-workflow-button').textContent()) ?? '';
	process.stdout.write(`${JSON.stringify({ file, zoom, height })}\n`);
	expect(button).toContain('from Every 5 Minutes');
	// The first note is in sight, at the left.
	expect(box?.x).toBeGreaterThan(0);
	expect(height).toBeGreaterThanOrEqual(READABLE);
	expect(await page.evaluate(CUT_OFF)).toEqual([]);
});
