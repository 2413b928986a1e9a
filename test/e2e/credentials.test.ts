import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { fillFields, newCredential } from '../harness/browser/newCredential';
import { runN8n } from '../harness/n8n/server';
import { addressesOf, chooseGrant, connectAccount } from './support/credentialDialog';
import { editor, environment, page, useEditor } from './support/editorTest';
import { filesWithSecrets } from './support/secrets';
import { chain, manualTrigger, readSteps } from './support/workflows';

describe('the dialogs', () => {
	/** When an OAuth2 token expires. */
	const TOKEN_TTL_S = 5;

	useEditor('credential-dialogs', { sandbox: { tokenTtlS: TOKEN_TTL_S } }, 60_000);

	describe('the dialog of an access token', () => {
		async function save(values: { accessToken: string; baseUrl: string }): Promise<void> {
			await newCredential(page, environment.server.url, 'Supercast API');
			await fillFields(page, values);
			await page.getByTestId('credential-save-button').click();
		}

		it('accepts a token that was pasted with "Bearer"', async () => {
			const { accessToken, baseUrl } = environment.sandbox;
			await save({ accessToken: `Bearer ${accessToken}`, baseUrl });
			await page.getByTestId('credentials-config-container-test-success').waitFor();
		});

		it('tells to add /api/v1 to an address without it', async () => {
			const { accessToken, origin } = environment.sandbox;
			await save({ accessToken, baseUrl: origin });
			const dialog = page.getByTestId('editCredential-modal');
			await dialog.getByText('More details').click();
			await dialog.getByText('Add /api/v1 to its end').first().waitFor();
		});
	});

	describe('the dialog of OAuth2', () => {
		const TYPE = 'Supercast OAuth2 API';
		const WRONG_SECRET = 'a-client-secret-that-is-wrong';

		async function newestCredential(): Promise<{ id: string; name: string }> {
			const all = (await environment.client.request('GET', '/credentials')) as Array<{
				id: string;
				name: string;
				createdAt: string;
			}>;
			return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0]!;
		}

		async function workflowWith(credential: { id: string; name: string }): Promise<string> {
			const workflow = chain('', manualTrigger, credential, readSteps);
			const named = { ...workflow, id: undefined, name: `With ${credential.name}` };
			return ((await environment.client.request('POST', '/workflows', named)) as { id: string }).id;
		}

		async function executionsOf(workflowId: string): Promise<string[]> {
			const filter = encodeURIComponent(JSON.stringify({ workflowId }));
			const found = await environment.client.request(
				'GET',
				`/executions?limit=50&filter=${filter}`,
			);
			return (found as { results: Array<{ status: string }> }).results.map(({ status }) => status);
		}

		/** Clicks "Execute workflow", and returns the final state of the execution. */
		async function runInEditor(workflowId: string): Promise<string> {
			const before = (await executionsOf(workflowId)).length;
			await editor.openWorkflow(workflowId);
			await page.getByTestId('execute-workflow-button').click();
			for (;;) {
				const all = await executionsOf(workflowId);
				const [latest = ''] = all;
				if (all.length > before && !['new', 'running'].includes(latest)) return latest;
				await page.waitForTimeout(200);
			}
		}

		async function storedTokens(id: string): Promise<Record<string, string>> {
			const file = join(environment.folder, 'exported.json');
			const flags = [`--id=${id}`, '--decrypted', `--output=${file}`];
			await runN8n(environment.server.instance, ['export:credentials', ...flags]);
			const [credential] = JSON.parse(readFileSync(file, 'utf8')) as Array<{
				data: { oauthTokenData: Record<string, string> };
			}>;
			rmSync(file);
			return credential!.data.oauthTokenData;
		}

		async function untilExpired(): Promise<void> {
			await page.waitForTimeout(TOKEN_TTL_S * 1000 + 200);
		}

		const issued = () => environment.sandbox.state.oauth.issued;

		describe('the authorization code', () => {
			let credential: { id: string; name: string };
			let workflowId: string;

			it('is connected in the editor by the owner, who authorizes the application', async () => {
				const { sandbox, server } = environment;
				await newCredential(page, server.url, TYPE);
				await fillFields(page, { authUrl: sandbox.authUrl, ...addressesOf(sandbox) });
				await connectAccount(page, 'quick-connect-button', sandbox.owner);
				expect(issued()).toEqual({ authorization_code: 1 });
				credential = await newestCredential();
				workflowId = await workflowWith(credential);
			});

			it('runs a workflow, even with an expired token, and stores the new refresh token', async () => {
				const connected = await storedTokens(credential.id);
				expect(await runInEditor(workflowId)).toBe('success');
				await untilExpired();
				expect(await runInEditor(workflowId)).toBe('success');
				const renewed = await storedTokens(credential.id);
				expect(renewed.refresh_token).not.toBe(connected.refresh_token);
				await untilExpired();
				expect(await runInEditor(workflowId)).toBe('success');
				expect(environment.sandbox.state.oauth).toMatchObject({
					refreshReuse: 0,
					familiesRevoked: 0,
				});
			});

			it('after the owner has revoked it, says in the editor what to do, and that works', async () => {
				environment.sandbox.controls.revokeTokens('oauth');
				expect(await runInEditor(workflowId)).toBe('error');
				await page.getByTestId('canvas-node').filter({ hasText: 'Supercast 1' }).dblclick();
				const message = page.getByTestId('node-error-message');
				await message.getByText('The Supercast connection is no longer valid').waitFor();
				await editor.openCredential(credential.id);
				await connectAccount(page, 'oauth-switch-account-button', environment.sandbox.owner);
				expect(await runInEditor(workflowId)).toBe('success');
			});
		});

		describe('client credentials', () => {
			async function create(more: Record<string, string> = {}): Promise<void> {
				await newCredential(page, environment.server.url, TYPE);
				await chooseGrant(page, 'Client Credentials');
				await fillFields(page, { ...addressesOf(environment.sandbox), ...more });
				await page.getByTestId('credential-save-button').click();
			}

			it('are tested when they are saved for the first time', async () => {
				await create();
				await page.getByTestId('credentials-config-container-test-success').waitFor();
			});

			it('say immediately that the secret is wrong', async () => {
				await create({ clientSecret: WRONG_SECRET });
				const modal = page.getByTestId('editCredential-modal');
				await modal.getByText('More details').click();
				await modal.getByText('Client authentication failed').waitFor();
				expect(await modal.innerText()).not.toContain(WRONG_SECRET);
			});
		});

		it('leaves no secret in any log, execution or other file of n8n', () => {
			expect(filesWithSecrets(environment, [WRONG_SECRET])).toEqual([]);
		});
	});
});
