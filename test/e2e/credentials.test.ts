import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';

import { fillFields, newCredential } from '../harness/browser/newCredential';
import { runN8n } from '../harness/n8n/server';
import { ask } from '../harness/system/http';
import { addressesOf, chooseGrant, connectAccount } from './support/credentialDialog';
import { editor, environment, page, useEditor } from './support/editorTest';
import { grants, tokenRequests } from './support/oauthGrants';
import { filesWithSecrets } from './support/secrets';
import { type E2eEnvironment, startE2eEnvironment } from './support/testEnvironment';
import { chain, manualTrigger, readSteps, webhook } from './support/workflows';

describe('the dialogs', () => {
	/** When an OAuth2 token expires. */
	const TOKEN_TTL_S = 5;

	useEditor('credential-dialogs', { sandbox: { tokenTtlS: TOKEN_TTL_S } }, 60_000);

	describe('the dialog of an access token', () => {
		let website: Server;

		beforeAll(async () => {
			website = createServer((_, response) => {
				response.setHeader('content-type', 'text/html');
				response.end('<!doctype html><title>Welcome</title>');
			});
			await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
		});
		afterAll(() => void website?.close());

		/** Does what the editor does when someone saves a credential: stores it, and asks n8n to test it. */
		async function tryOut(
			data: Record<string, unknown>,
		): Promise<{ status: string; message: string }> {
			const { sandbox, client } = environment;
			const type = 'supercastApi';
			const complete = { baseUrl: sandbox.baseUrl, requestsPerMinute: 100, ...data };
			const credential = { name: 'Tried', type, data: complete };
			const { id } = (await client.request('POST', '/credentials', credential)) as { id: string };
			const answer = await client.request('POST', '/credentials/test', {
				credentials: { id, ...credential },
			});
			return answer as { status: string; message: string };
		}

		describe('the test of an access token', () => {
			it.each(['accessToken', 'readOnlyToken'] as const)('passes with the %s', async (token) => {
				const accessToken = environment.sandbox[token];
				expect(await tryOut({ accessToken })).toMatchObject({ status: 'OK' });
				expect(await tryOut({ accessToken: ` ${accessToken}\n` })).toMatchObject({ status: 'OK' });
				const baseUrl = `${environment.sandbox.baseUrl}/`;
				expect(await tryOut({ accessToken, baseUrl })).toMatchObject({ status: 'OK' });
			});

			it('says in a sentence that a token is wrong, without showing it', async () => {
				const { status, message } = await tryOut({ accessToken: 'a-token-that-nobody-made' });
				expect(status).toBe('Error');
				expect(message).toContain('Supercast does not recognize this access token');
				expect(message).toContain('https://your-channel.supercast.tech/api/v1');
				expect(message).not.toContain('a-token-that-nobody-made');
			});

			it.each([
				[
					'a website',
					() => `http://127.0.0.1:${(website.address() as AddressInfo).port}/api/v1`,
					'does not point to',
				],
				['a wrong version', () => `${environment.sandbox.origin}/api/v9`, 'does not point to'],
				['plain http to another host', () => 'http://supercast.tech/api/v1', 'not secure'],
				['no address', () => 'supercast', 'not a web address'],
				['without https://', () => 'supercast.tech/api/v1', 'Start it with https://'],
				['one of a server that is down', () => 'http://127.0.0.1:9/api/v1', 'was refused'],
				['an unknown name', () => 'https://supercast.invalid/api/v1', 'could not be reached'],
			])('says in a sentence that the Base URL is %s', async (_, baseUrl, words) => {
				const { accessToken } = environment.sandbox;
				const { status, message } = await tryOut({ accessToken, baseUrl: baseUrl() });
				expect(status).toBe('Error');
				expect(message).toContain(words);
			});
		});

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
	});

	describe('the dialog of OAuth2', () => {
		const TYPE = 'Supercast OAuth2 API';
		const WRONG_SECRET = 'a-client-secret-that-is-wrong';
		/** `PICTURES=docs/images npm run test:e2e -- credentials` takes the pictures of the documentation. */
		const { PICTURES } = process.env;

		interface Pictured {
			screenshot: (options: { path: string }) => Promise<unknown>;
		}

		async function picture(name: string, of: Pictured): Promise<void> {
			if (PICTURES === undefined) return;
			mkdirSync(PICTURES, { recursive: true });
			await page.waitForTimeout(500);
			await of.screenshot({ path: join(resolve(PICTURES), `${name}.png`) });
		}

		const dialog = () => page.getByTestId('editCredential-modal');

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
				await picture('oauth2-new-credential', dialog());
				await fillFields(page, { authUrl: sandbox.authUrl, ...addressesOf(sandbox) });
				await connectAccount(page, 'quick-connect-button', sandbox.owner, async (consent) => {
					await picture('oauth2-consent', consent);
				});
				await picture('oauth2-connected', dialog());
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
				await picture('oauth2-revoked', page);
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
				await picture('oauth2-client-credentials', dialog());
			});

			it('run a workflow, even with an expired token', async () => {
				const credential = await newestCredential();
				const workflowId = await workflowWith(credential);
				expect(await runInEditor(workflowId)).toBe('success');
				const before = await storedTokens(credential.id);
				await untilExpired();
				expect(await runInEditor(workflowId)).toBe('success');
				expect((await storedTokens(credential.id)).access_token).not.toBe(before.access_token);
			});

			it('say immediately that the secret is wrong', async () => {
				await create({ clientSecret: WRONG_SECRET });
				const modal = dialog();
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

describe('OAuth2 under load', () => {
	/** In the nightly run, `EXPIRIES` is 20. */
	const EXPIRIES = Number(process.env.EXPIRIES ?? 8);
	const AT_ONCE = 50;

	let environment: E2eEnvironment;

	beforeAll(async () => {
		environment = await startE2eEnvironment('oauth-load', {
			sandbox: { logSize: 100_000 },
			credentials: async (sandbox) =>
				await Promise.all(grants.map(async ({ credential }) => await credential(sandbox))),
			workflows: grants.map(({ path }) =>
				chain(path, webhook(path), { id: path, name: path }, readSteps),
			),
		});
	});
	afterAll(async () => await environment?.stop());

	async function runOnce(path: string): Promise<number> {
		return (await ask(`${environment.server.url}/webhook/${path}`, { method: 'POST', json: {} }))
			.status;
	}

	/** What the editor shows of executions that did not succeed. */
	async function failures(): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ status: ['error', 'crashed'] }));
		const found = await environment.client.request('GET', `/executions?limit=5&filter=${filter}`);
		const { results } = found as { results: Array<{ id: string }> };
		return await Promise.all(
			results.map(async ({ id }) => {
				const execution = await environment.client.request('GET', `/executions/${id}`);
				const { data } = execution as { data: string };
				return /"([^"]*\[item \d+, [^\]]*\])"/.exec(data)?.[1] ?? data.slice(0, 2000);
			}),
		);
	}

	describe.each(grants)(
		'$path: rounds of 50 executions at the same time',
		({ path, requested }) => {
			it('fails none, uses no token twice, and requests one token at each expiry', async () => {
				environment.sandbox.reset();
				const statuses: Record<number, number> = {};
				const started = Date.now();
				for (let expiry = 0; expiry < EXPIRIES; expiry++) {
					let answered = 0;
					const wave = Array.from({ length: AT_ONCE }, async () => {
						const status = await runOnce(path);
						statuses[status] = (statuses[status] ?? 0) + 1;
						answered += 1;
						// The token expires in the middle of a round.
						if (answered === AT_ONCE / 5) environment.sandbox.controls.expireTokens();
					});
					await Promise.all(wave);
				}
				const seconds = Math.round((Date.now() - started) / 1000);
				const requests = tokenRequests(environment.sandbox, requested);
				const { refreshReuse, familiesRevoked } = environment.sandbox.state.oauth;
				process.stdout.write(
					`${path}: ${JSON.stringify(statuses)} in ${seconds} s, ${requests.length} token requests\n`,
				);
				expect(await failures()).toEqual([]);
				expect(Object.keys(statuses)).toEqual(['200']);
				expect({ refreshReuse, familiesRevoked }).toEqual({ refreshReuse: 0, familiesRevoked: 0 });
				expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200));
				// More than one token at each expiry, and at the start, would be one too many.
				expect(requests.length).toBeGreaterThanOrEqual(EXPIRIES - 1);
				expect(requests.length).toBeLessThanOrEqual(EXPIRIES + 1);
			});
		},
	);

	it('leaves no secret in any log, execution or other file of n8n', () => {
		expect(environment.sandbox.state.secrets.length).toBeGreaterThan(2 * EXPIRIES);
		expect(filesWithSecrets(environment)).toEqual([]);
	});
});
