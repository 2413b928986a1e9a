import { at, numberAt, recordsAt } from '../requests';
import { setStatusIn, type MembershipSystem } from '../system';
import { PatreonMockServer } from './server';

export * from './server';

/** Patreon. */
export const patreonSystem: MembershipSystem<PatreonMockServer> = {
	title: 'Patreon',
	file: 'patreon.json',
	host: 'www.patreon.com',
	create: () => new PatreonMockServer(),
	credential: ({ token }, address) => ({
		type: 'oAuth2Api',
		data: {
			grantType: 'authorizationCode',
			authUrl: `${address}/oauth2/authorize`,
			accessTokenUrl: `${address}/api/oauth2/token`,
			clientId: 'a-client',
			clientSecret: 'a-secret',
			scope: 'campaigns campaigns.members campaigns.members[email]',
			authentication: 'body',
			oauthTokenData: {
				access_token: `token-${token}`,
				refresh_token: `refresh-${token}`,
				token_type: 'Bearer',
			},
		},
	}),
	members: {
		of: ({ people }) => people,
		customerId: ({ id }) => `patreon-9${id}`,
		left: 'former_patron',
		setStatus: (server, member, status) => setStatusIn(server)(member, status),
	},
	list: {
		path: '/api/oauth2/v2/campaigns/77/members',
		request: ({ token }, { size, before }) => {
			const next = at(before, 'meta.pagination.cursors.next');
			const cursor = typeof next === 'string' ? { 'page[cursor]': next } : undefined;
			return {
				path: '/api/oauth2/v2/campaigns/77/members',
				query: {
					...{ include: 'user', 'fields[member]': 'email', 'page[count]': String(size) },
					...cursor,
				},
				headers: { authorization: `Bearer token-${token}` },
			};
		},
		records: recordsAt('data'),
		email: (record) => at(record, 'attributes.email'),
		goesOn: ({ json }) => typeof at(json, 'meta.pagination.cursors.next') === 'string',
		total: numberAt('meta.pagination.total'),
		empty: { data: [], meta: { pagination: { total: 0, cursors: { next: null } } } },
	},
	workflow: { prefix: 'patreon-', labels: ['OAuth Redirect URL'] },
};
