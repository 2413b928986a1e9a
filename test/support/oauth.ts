import type { Sandbox } from '../../simulators/supercast';
import { connect } from '../simulators/supercast/oauthHelpers';
import { TestCredentialsHelper } from '../harness/engine/credentialsHelper';

let credentials = 0;

/** A credential with the grant type Client Credentials that nobody has used yet. */
export function clientCredentials(sandbox: Sandbox, more: object = {}): TestCredentialsHelper {
	return store(sandbox, { grantType: 'clientCredentials', ...more });
}

/** A credential that the owner has authorized, with the tokens that n8n stored then. */
export async function connected(
	sandbox: Sandbox,
	{ scope = 'public write', ...more }: { scope?: string; [field: string]: unknown } = {},
): Promise<TestCredentialsHelper> {
	const { body: oauthTokenData } = await connect(sandbox, { scope });
	return store(sandbox, { grantType: 'authorizationCode', oauthTokenData, scope, ...more });
}

/** A credential whose owner has not authorized anything. */
export function notConnected(sandbox: Sandbox, more: object = {}): TestCredentialsHelper {
	return store(sandbox, { grantType: 'authorizationCode', ...more });
}

/** The tokens that a store holds now. */
export function tokensIn({ stored }: TestCredentialsHelper): Record<string, string> {
	return (stored.oauthTokenData ?? {}) as Record<string, string>;
}

function store(sandbox: Sandbox, more: object): TestCredentialsHelper {
	const { clientId, clientSecret, authUrl, accessTokenUrl, baseUrl } = sandbox;
	const addresses = { authUrl, accessTokenUrl, baseUrl };
	const data = { clientId, clientSecret, ...addresses, requestsPerMinute: 0, ...more };
	return new TestCredentialsHelper(data, `oauth-${++credentials}`);
}
