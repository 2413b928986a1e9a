import type { Page } from 'playwright-core';

/**
 * Opens the dialog for a new credential.
 *
 * @param url Address of n8n.
 * @param type The type's name in the list.
 */
export async function newCredential(page: Page, url: string, type: string): Promise<void> {
	await page.goto(`${url}/home/credentials/create`);
	await page.getByTestId('new-credential-type-select').locator('input').fill(type);
	await page.getByText(type, { exact: true }).click();
	await page.getByTestId('new-credential-type-button').click();
	await page.getByTestId('editCredential-modal').waitFor();
}

/** Types values into the fields of the dialog. */
export async function fillFields(page: Page, values: Record<string, string>): Promise<void> {
	for (const [name, value] of Object.entries(values)) {
		await page.getByTestId(`parameter-input-${name}`).locator('input').first().fill(value);
	}
}
