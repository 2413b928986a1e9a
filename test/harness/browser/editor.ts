import { chromium, selectors, type Browser, type Page } from 'playwright-core';
import type { Environment } from '../environment';
import { findBrowser } from './findBrowser';

/** A running n8n, and a session on it. */
export type RunningN8n = Pick<Environment, 'server' | 'client'>;

/** n8n's editor in a browser, logged in. */
export interface Editor {
	page: Page;
	/** Opens a workflow and waits until its canvas is drawn. */
	openWorkflow: (id: string) => Promise<void>;
	/** Opens the details of a node in a workflow. */
	openNode: (workflowId: string, nodeId: string) => Promise<void>;
	/** Opens the dialog of a credential. */
	openCredential: (id: string) => Promise<void>;
	close: () => Promise<void>;
}

const size = { width: 1440, height: 900 };
/**
 * The tests and the screenshots need none of the features that are disabled here.
 */
const chromiumFlags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Starts a headless Chromium. */
export async function startBrowser(): Promise<Browser> {
	const executablePath = findBrowser();
	// This process handles signals itself. The browser always ends together with it.
	const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
	return await chromium.launch({ executablePath, args: chromiumFlags, ...signals });
}

/** Opens the editor of a running n8n in a headless Chromium. */
export async function openEditor(environment: RunningN8n): Promise<Editor> {
	selectors.setTestIdAttribute('data-test-id');
	const browser = await startBrowser();
	const page = await loggedInPage(browser, environment);
	const address = environment.server.url;
	return {
		page,
		openWorkflow: async (id) => {
			await page.goto(`${address}/workflow/${id}`);
			await page.getByTestId('canvas-node').first().waitFor();
		},
		openNode: async (workflowId, nodeId) => {
			await page.goto(`${address}/workflow/${workflowId}/${nodeId}`);
			await page.getByTestId('ndv').waitFor();
		},
		openCredential: async (id) => {
			await page.goto(`${address}/home/credentials/${id}`);
			await page.getByTestId('editCredential-modal').waitFor();
		},
		close: async () => await browser.close(),
	};
}

async function loggedInPage(browser: Browser, environment: RunningN8n): Promise<Page> {
	const context = await browser.newContext({ viewport: size, deviceScaleFactor: 2 });
	const [name = '', value = ''] = environment.client.cookie.split('=', 2);
	await context.addCookies([{ name, value, url: environment.server.url }]);
	return await context.newPage();
}
