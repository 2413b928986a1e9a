import type { Credential } from '../../../harness/n8n/setup';
import type { Sandbox } from '../../../sandbox';

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
	origin: string,
	requestsPerMinute: number,
): Credential[] {
	const every: Record<string, Record<string, unknown>> = {
		supercastApi: { accessToken, baseUrl, requestsPerMinute },
		smtp: { host: '127.0.0.1', port: smtpPort, secure: false, disableStartTls: true },
		httpHeaderAuth: { name: 'x-secret', value: secrets.header },
		httpBasicAuth: { user: 'support', password: secrets.password },
		httpBearerAuth: { token: secrets.bearer },
		stripeApi: { secretKey: 'sk_test_key' },
		wooCommerceApi: { consumerKey: 'ck_key', consumerSecret: 'cs_secret', url: origin },
		ghostAdminApi: { url: origin, apiKey: '6489a1b2:00ff00ff00ff00ff' },
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
