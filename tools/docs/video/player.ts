import { join } from 'node:path';
import type { Page } from 'playwright-core';

import { fillFields, newCredential } from '../../../test/harness/browser/newCredential';
import type { SandboxAddress } from '../../../test/harness/sandbox';
import { ask } from '../../../test/harness/system/http';
import { storyboard } from '../../../test/harness/storyboard';

/** Where the film plays. */
export interface Stage {
	page: Page;
	/** Address of n8n. */
	url: string;
	sandbox: SandboxAddress;
	/** For a picture of the end of each scene. */
	folder: string;
}

/** Time to read what has just appeared. */
const LOOK_MS = 2_500;
const PACKAGE = 'n8n-nodes-supercast';
const EMAIL = 'jane@example.com';
/** The trigger polls every minute. */
const POLL_PATIENCE_MS = 130_000;

/** Plays the scenes of the storyboard, in their order. */
export class Player {
	private listening = '';

	constructor(private readonly stage: Stage) {}

	async play(name: keyof typeof storyboard): Promise<void> {
		const { page, folder } = this.stage;
		await this.caption(storyboard[name].caption);
		try {
			await this[name]();
		} catch (error) {
			await page.screenshot({ path: join(folder, `failed-${name}.png`) });
			throw error;
		}
		await this.look();
		await page.screenshot({ path: join(folder, `${name}.png`) });
	}

	async install(): Promise<void> {
		const { page } = this.stage;
		await this.goTo('/settings/community-nodes', storyboard.install.caption);
		await page.getByRole('button', { name: 'Install a community node' }).click();
		await page.getByTestId('package-name-input').pressSequentially(PACKAGE, { delay: 60 });
		await page.getByTestId('user-agreement-checkbox').click();
		await this.look();
		await page.getByTestId('install-community-package-button').click();
		await page.getByTestId('community-package-card').waitFor({ timeout: 120_000 });
	}

	async credential(): Promise<void> {
		const { page, url, sandbox } = this.stage;
		await newCredential(page, url, 'Supercast API');
		await this.caption(storyboard.credential.caption);
		const { accessToken, baseUrl } = sandbox;
		await fillFields(page, { accessToken, baseUrl });
		await this.look();
		await page.getByTestId('credential-save-button').click();
		await page.getByText('Connection tested successfully').waitFor();
	}

	async trigger(): Promise<void> {
		const { page, sandbox } = this.stage;
		await this.addNode('On usage alert created', storyboard.trigger.caption);
		await this.look();
		await page.getByTestId('ndv-close-button').click();
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
		await page.getByText('Workflow published').first().waitFor();
		this.listening = new URL(page.url()).pathname;
		// By the next poll, Supercast has a new alert.
		await raiseAlert(sandbox);
	}

	async read(): Promise<void> {
		await this.addNode('Get many subscribers', storyboard.read.caption);
		await this.run('email');
	}

	async open(): Promise<void> {
		await this.addNode('Create or update subscriber', storyboard.open.caption);
		const field = this.stage.page.getByTestId('parameter-input-email').getByRole('textbox');
		await field.first().pressSequentially(EMAIL, { delay: 40 });
		await this.run(EMAIL);
	}

	async close(): Promise<void> {
		await this.addNode('Deactivate feed', storyboard.close.caption);
		await this.fillSubscriber(EMAIL);
		await this.run('inactive');
	}

	async message(): Promise<void> {
		await this.fillSubscriber(`not-${EMAIL}`);
		await this.run(`not-${EMAIL}`);
	}

	async fires(): Promise<void> {
		const { page } = this.stage;
		const id = this.listening.split('/').at(-1);
		await this.goTo(`/workflow/${id}/executions`, storyboard.fires.caption);
		// n8n keeps a hidden copy of the list.
		const listed = page.getByText('Succeeded in').locator('visible=true');
		await listed.first().waitFor({ timeout: POLL_PATIENCE_MS });
	}

	/** Starts a new workflow with a trigger or an action of the node, and opens it. */
	private async addNode(action: string, caption: string): Promise<void> {
		const { page } = this.stage;
		await this.goTo('/workflow/new', caption);
		await page.getByTestId('canvas-add-button').click();
		await page.getByTestId('node-creator-search-bar').pressSequentially('Supercast', { delay: 60 });
		const items = page.getByTestId('item-iterator-item');
		await items.filter({ hasText: 'Supercast' }).first().click();
		const item = items.filter({ hasText: action }).first();
		const actions = page.getByText(/^Actions \(/);
		await actions.waitFor();
		if (!(await item.isVisible())) await actions.click();
		await item.click();
		await page.getByTestId('ndv').waitFor();
	}

	/** Selects a subscriber by email, in the open node. */
	private async fillSubscriber(email: string): Promise<void> {
		const { page } = this.stage;
		const locator = page.getByTestId('resource-locator-subscriber');
		await locator.getByTestId('rlc-mode-selector').click();
		await page.getByTestId('mode-email').locator('visible=true').click();
		await locator.getByRole('textbox').last().fill(email);
	}

	/** Runs the open node, and waits for a text in its output. */
	private async run(text: string): Promise<void> {
		const { page } = this.stage;
		await this.look();
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('output-panel').getByText(text).first().waitFor();
	}

	/** Opens a page of n8n. The page has no caption yet, so this shows one. */
	private async goTo(path: string, caption: string): Promise<void> {
		await this.stage.page.goto(`${this.stage.url}${path}`);
		await this.caption(caption);
	}

	private async look(): Promise<void> {
		await this.stage.page.waitForTimeout(LOOK_MS);
	}

	/** Shows a sentence at the bottom of the page. */
	private async caption(text: string): Promise<void> {
		await this.stage.page.evaluate(`(() => {
			const id = 'video-caption';
			const box = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'));
			box.id = id;
			box.textContent = ${JSON.stringify(text)};
			box.style.cssText = 'position:fixed;left:50%;bottom:28px;transform:translateX(-50%);z-index:99999;pointer-events:none;background:#1c1340e6;color:#fff;font:20px/1.4 sans-serif;padding:10px 22px;border-radius:10px;max-width:80%;text-align:center';
		})()`);
	}
}

/** Makes Supercast flag a feed, as if its address were shared. */
async function raiseAlert({ baseUrl }: SandboxAddress): Promise<void> {
	const address = new URL('/_sandbox/usage-alerts', baseUrl);
	await ask(String(address), { method: 'POST', json: { count: 1 } });
}
