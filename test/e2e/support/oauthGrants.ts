import type { Credential } from '../../harness/n8n/setup';
import type { LogEntry, Sandbox } from '../../../simulators/supercast';
import { connect } from '../../simulators/supercast/oauthHelpers';

/** One credential, and the grant in its token requests. */
export interface Grant {
	/** ID of the credential, and the path of the webhook that uses it. */
	path: string;
	requested: 'refresh_token' | 'client_credentials';
	credential: (sandbox: Sandbox) => Promise<Credential>;
}

/** A credential for each grant. No limit slows them down. */
export const grants: Grant[] = [
	{
		path: 'authorizationCode',
		requested: 'refresh_token',
		credential: async (sandbox) => {
			const { body: oauthTokenData } = await connect(sandbox);
			const data = { grantType: 'authorizationCode', oauthTokenData };
			return credentialOf(sandbox, 'authorizationCode', data);
		},
	},
	{
		path: 'clientCredentials',
		requested: 'client_credentials',
		credential: async (sandbox) =>
			credentialOf(sandbox, 'clientCredentials', { grantType: 'clientCredentials' }),
	},
];

/** The token requests that a sandbox has received, without those that only look for a redirect. */
export function tokenRequests(sandbox: Sandbox, grant: Grant['requested']): LogEntry[] {
	return sandbox.state.requests.filter(({ route, body }) => {
		const { grant_type: asked, ...others } = (body ?? {}) as { grant_type?: string };
		const isCheck = asked === 'refresh_token' && !('refresh_token' in others);
		return route === 'POST /oauth/token' && asked === grant && !isCheck;
	});
}

function credentialOf(sandbox: Sandbox, id: string, data: object): Credential {
	const { clientId, clientSecret, authUrl, accessTokenUrl, baseUrl } = sandbox;
	const fields = {
		clientId,
		clientSecret,
		authUrl,
		accessTokenUrl,
		baseUrl,
		scope: 'public write',
	};
	const all = { ...fields, requestsPerMinute: 0, ...data };
	return { id, name: id, type: 'supercastOAuth2Api', data: all };
}
