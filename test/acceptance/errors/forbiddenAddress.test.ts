import { runSupercast, type RunResult } from '../../harness/engine';
import { TestCredentialsHelper } from '../../harness/engine/credentialsHelper';
import { forbidInternalAddresses } from '../../support/host';
import { type HttpServer, startHttpServer } from '../../support/httpServer';
import { useQuickRuntime } from '../../support/quickRuntime';

describe('if n8n forbids an internal address', () => {
	useQuickRuntime({ backoffMs: 1 });

	let server: HttpServer;
	let allow: (() => void) | undefined;

	beforeEach(async () => {
		server = await startHttpServer((_, response) => response.writeHead(404).end());
		allow = forbidInternalAddresses();
	});
	afterEach(async () => {
		allow?.();
		await server.close();
	});

	async function read(
		authentication: string,
		credential: TestCredentialsHelper,
	): Promise<RunResult['error']> {
		const parameters = { authentication, resource: 'channel', operation: 'get' };
		return (await runSupercast({ parameters, credential })).error;
	}

	function refuses(error: RunResult['error'], what: string): void {
		// Old versions have no such protection.
		if (allow === undefined) return;
		expect(error?.message).toBe(`n8n did not send the request ${what}`);
		expect(error?.description).toMatch(
			/The target ('localhost' \()?127\.0\.0\.1\)? is not allowed\./,
		);
		expect(error?.description).toContain('ask your n8n administrator');
		expect(error?.description).not.toContain('The node tried');
		expect(server.received).toEqual([]);
	}

	it.each(['127.0.0.1', 'localhost'])(
		'the node says so in the words of n8n, and does not try again: %s',
		async (host) => {
			if (allow === undefined) return;
			const baseUrl = `${server.origin.replace('127.0.0.1', host)}/api/v1`;
			const credential = { accessToken: 'a-token-of-the-tests', baseUrl, requestsPerMinute: 0 };
			refuses(
				await read('accessToken', new TestCredentialsHelper(credential)),
				'to Supercast while reading the channel',
			);
		},
	);

	it('the node says so of the address that issues tokens', async () => {
		if (allow === undefined) return;
		const credential = new TestCredentialsHelper({
			grantType: 'clientCredentials',
			clientId: 'the-client',
			clientSecret: 'the-client-secret',
			baseUrl: 'https://supercast.invalid/api/v1',
			accessTokenUrl: `${server.origin}/token`,
			requestsPerMinute: 0,
		});
		refuses(await read('oAuth2', credential), 'for a new token');
	});

	it('the node says so of the API, although the connection has a token', async () => {
		if (allow === undefined) return;
		const credential = new TestCredentialsHelper({
			grantType: 'authorizationCode',
			oauthTokenData: { access_token: 'a-token-of-the-tests', token_type: 'bearer' },
			baseUrl: `${server.origin}/api/v1`,
			accessTokenUrl: 'https://supercast.invalid/token',
			requestsPerMinute: 0,
		});
		refuses(await read('oAuth2', credential), 'to Supercast while reading the channel');
	});
});
