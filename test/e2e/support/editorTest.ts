import type { Page } from 'playwright-core';

import { type Editor, openEditor } from '../../harness/browser/editor';
import { findBrowser } from '../../harness/browser/findBrowser';
import { type E2eEnvironment, type E2eOptions, startE2eEnvironment } from './testEnvironment';

/** The n8n of the running tests, and the browser that is logged in to it. */
export let environment: E2eEnvironment;
export let editor: Editor;
export let page: Page;

/**
 * Starts n8n and opens its editor for a file or a part of it. Closes both at the end.
 *
 * @param name The name of the environment's folder.
 * @param patienceMs How long the page waits for something to appear, in milliseconds.
 */
export function useEditor(name: string, options: E2eOptions = {}, patienceMs = 30_000): void {
	beforeAll(async () => {
		findBrowser();
		environment = await startE2eEnvironment(name, options);
		editor = await openEditor(environment);
		page = editor.page;
		page.setDefaultTimeout(patienceMs);
	});
	afterAll(async () => {
		await editor?.close();
		await environment?.stop();
	});
}
