import { at, numberAt, recordsAt } from '../requests';
import type { MembershipSystem, RecordCase } from '../system';
import { patreonBoundaries } from './boundaries';
import { PatreonMockServer } from './server';

export * from './server';

const PAID = { id: '501', type: 'tier', attributes: { title: 'Listener', amount_cents: 500 } };
const FREE = { id: '1', type: 'tier', attributes: { title: 'Free', amount_cents: 0 } };

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** A page with one patron, and the tiers to which Patreon says that they are entitled. */
function page(status: string | null, more: object = {}, tiers: string[] = []) {
	const patron = {
		id: 'm-1',
		attributes: {
			email: 'ana@example.com',
			full_name: 'Ana Bell',
			patron_status: status,
			currently_entitled_amount_cents: 0,
			last_charge_date: daysAgo(3),
			...more,
		},
		relationships: {
			user: { data: { id: '9' } },
			currently_entitled_tiers: { data: tiers.map((id) => ({ id, type: 'tier' })) },
		},
	};
	return { data: [patron] };
}

const total = (meta: object) => ({ ...page('active_patron'), meta: { ...meta } });

/** Patrons who are not active, or have no tier. */
const records: RecordCase[] = [
	{
		// So that another customer ID is the same person.
		name: 'a declined patron keeps the email',
		page: page('declined_patron'),
		access: 'keep',
		fields: { email: 'ana@example.com', customerId: 'patreon-9' },
	},
	...(
		[
			['declined 13 days ago', 'declined_patron', { last_charge_date: daysAgo(13) }, [], 'keep'],
			['declined 15 days ago', 'declined_patron', { last_charge_date: daysAgo(15) }, [], 'close'],
			['declined at no date', 'declined_patron', { last_charge_date: null }, [], 'keep'],
			['a former patron', 'former_patron', {}, [], 'close'],
			['someone who never paid', null, {}, [], 'close'],
			['someone with the free tier', null, {}, ['1'], 'close'],
		] as const
	).map(([name, status, more, tiers, access]) => ({
		...{ name, page: page(status, more, [...tiers]), access },
	})),
	...(
		[
			['a former patron with a tier', 'former_patron', {}, ['501']],
			['someone who never paid, with a tier', null, {}, ['501']],
			[
				'a former patron with an amount',
				'former_patron',
				{ currently_entitled_amount_cents: 500 },
				[],
			],
			[
				'someone who never paid, with an amount',
				null,
				{ currently_entitled_amount_cents: 500 },
				['1'],
			],
			['a former patron with a deleted tier', 'former_patron', {}, ['a deleted tier']],
			[
				'declined 40 days ago, with a tier',
				'declined_patron',
				{ last_charge_date: daysAgo(40) },
				['501'],
			],
		] as const
	).map(([name, status, more, tiers]) => ({
		...{ name, page: page(status, more, [...tiers]), access: 'unclear' as const },
		status: /, (?:entitled|paid tier)/,
	})),
	{
		name: 'an active patron without a tier',
		page: page('active_patron'),
		access: 'open',
		status: 'active_patron, no tier',
	},
];

/** Patreon. */
export const patreonSystem: MembershipSystem<PatreonMockServer> = {
	title: 'Patreon',
	file: 'patreon.json',
	host: 'www.patreon.com',
	create: () => new PatreonMockServer(),
	credential: ({ token }, origin) => ({
		type: 'oAuth2Api',
		data: {
			grantType: 'authorizationCode',
			authUrl: `${origin}/oauth2/authorize`,
			accessTokenUrl: `${origin}/api/oauth2/token`,
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
	workflow: {
		prefix: 'patreon-',
		reader: 'Read All Members',
		boundaries: patreonBoundaries,
		ran: { 'Read My Campaign': [{ included: [PAID, FREE] }] },
		statuses: {
			page: (status) =>
				page(status === 'null' ? null : status, {}, status === 'active_patron' ? ['501'] : []),
			product: { word: 'tier', name: '501', moved: () => page('active_patron', {}, ['502']) },
		},
		records,
		totals: [
			{
				name: 'the total that Patreon names',
				page: total({ pagination: { total: 7 } }),
				expected: 7,
			},
			{ name: 'no total', page: total({}), expected: 'unknown' },
		],
		choices: { only: '999', told: 'Tiers at Patreon: Listener (501)' },
	},
};
