import type { Credential } from '../../harness/n8n/setup';
import type { MockServers } from '../../../simulators/memberships';
import { RESTRICTED_KEY } from '../../../simulators/memberships/stripe';
import type { Sandbox } from '../../../simulators/supercast';

/** Secrets of the credentials that the workflows use. */
export const secrets = {
	header: 'a secret header',
	bearer: 'a secret for agents',
	password: 'a password for support',
};

/** The credentials that the workflows use, each named after its type. */
export function credentials(
	{ accessToken, baseUrl }: Pick<Sandbox, 'accessToken' | 'baseUrl'>,
	smtpPort: number,
	{ origin, ghost, memberful, woocommerce }: MockServers,
	requestsPerMinute: number,
): Credential[] {
	// Memberful's key and the agents' secret are credentials of the same type.
	memberful.key = secrets.bearer;
	const { key: consumerKey, secret: consumerSecret } = woocommerce.key;
	const every: Record<string, Record<string, unknown>> = {
		supercastApi: { accessToken, baseUrl, requestsPerMinute },
		smtp: { host: '127.0.0.1', port: smtpPort, secure: false, disableStartTls: true },
		httpHeaderAuth: { name: 'x-secret', value: secrets.header },
		httpBasicAuth: { user: 'support', password: secrets.password },
		httpBearerAuth: { token: secrets.bearer },
		stripeApi: { secretKey: RESTRICTED_KEY },
		wooCommerceApi: { consumerKey, consumerSecret, url: origin },
		ghostAdminApi: { url: origin, apiKey: ghost.apiKey },
		oAuth2Api: {
			grantType: 'authorizationCode',
			authUrl: `${origin}/oauth2/authorize`,
			accessTokenUrl: `${origin}/api/oauth2/token`,
			clientId: 'a-client',
			clientSecret: 'a-secret',
			scope: 'campaigns campaigns.members campaigns.members[email]',
			authentication: 'body',
			oauthTokenData: { access_token: 'token-0', refresh_token: 'refresh-0', token_type: 'Bearer' },
		},
	};
	return Object.entries(every).map(([type, data]) => ({ id: type, name: type, type, data }));
}
