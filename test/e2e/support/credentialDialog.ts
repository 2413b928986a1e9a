import type { Editor } from '../../harness/browser/editor';
import type { Sandbox } from '../../../simulators/supercast';

type Page = Editor['page'];

/** Chooses a grant type by its label. */
export async function chooseGrant(page: Page, label: string): Promise<void> {
	await page.getByTestId('parameter-input-grantType').click();
	await page.getByRole('option', { name: label }).click();
}

/** The fields that every credential for a sandbox needs. */
export function addressesOf({ accessTokenUrl, baseUrl, clientId, clientSecret }: Sandbox) {
	return { accessTokenUrl, baseUrl, clientId, clientSecret };
}

/** Clicks the button that connects. Then logs in and authorizes as the owner. */
export async function connectAccount(
	page: Page,
	buttonTestId: string,
	owner: Sandbox['owner'],
): Promise<void> {
	const button = page.getByTestId(buttonTestId);
	const [popup] = await Promise.all([page.context().waitForEvent('page'), button.click()]);
	const closed = popup.waitForEvent('close');
	const login = popup.locator('input[name=email]');
	const authorize = popup.locator('button[value=authorize]');
	await login.or(authorize).waitFor();
	if (await login.isVisible()) {
		await login.fill(owner.email);
		await popup.locator('input[name=password]').fill(owner.password);
		await popup.locator('button[name=login]').click();
	}
	await authorize.waitFor();
	await authorize.click();
	await closed;
	await page.getByTestId('oauth-connect-success-banner').waitFor();
}
