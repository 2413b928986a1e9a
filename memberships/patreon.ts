import type { FastifyInstance } from 'fastify';

import { People, type SenderMember } from './people';

/** The tier of the stand-in's members. */
export const TIER = '501';
/** The campaign of the stand-in's owner. */
const CAMPAIGN = '77';

interface Query {
	'page[cursor]'?: string;
	'fields[member]'?: string;
	[name: string]: string | undefined;
}

/**
 * Stands in for Patreon's API (https://docs.patreon.com/): pages with a cursor, only the requested
 * fields, and tokens that expire. A refresh token works only once.
 */
export class PatreonStandIn {
	readonly people = new People('active_patron', TIER);
	pageSize = 1000;
	/** Whether the first page says that it is the last one. */
	endsEarly = false;
	/** The number of the valid token. */
	token = 0;

	/** Makes the current access token invalid. */
	expire(): void {
		this.token += 1;
	}

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.post('/api/oauth2/token', (request, reply) => {
			const { refresh_token: spent } = request.body as Record<string, string>;
			if (spent !== `refresh-${this.token - 1}`)
				return reply.code(400).send({ error: 'invalid_grant' });
			return {
				access_token: `token-${this.token}`,
				refresh_token: `refresh-${this.token}`,
				token_type: 'Bearer',
				expires_in: 2_678_400,
			};
		});
		app.addHook('preHandler', async (request, reply) => {
			if (!request.url.startsWith('/api/oauth2/v2')) return;
			if (request.headers.authorization === `Bearer token-${this.token}`) return;
			await reply.code(401).send({ errors: [{ title: 'Unauthorized' }] });
		});
		app.get('/api/oauth2/v2/campaigns/:id/members', async (request, reply) => {
			const page = this.page(request.query as Query);
			if (page === undefined)
				return await reply.code(400).send({ errors: [{ title: 'Bad cursor' }] });
			return page;
		});
		app.get('/api/oauth2/v2/campaigns', () => ({
			data: [{ type: 'campaign', id: CAMPAIGN }],
			included: [{ type: 'tier', id: TIER, attributes: { title: 'Listener' } }],
		}));
	}

	/** One page, or undefined if the cursor is not one of the stand-in's. */
	private page(query: Query) {
		const from = Number(Buffer.from(query['page[cursor]'] ?? '', 'base64').toString() || 0);
		if (Number.isNaN(from)) return undefined;
		const { all } = this.people;
		const end = from + this.pageSize;
		const next = end < all.length ? Buffer.from(String(end)).toString('base64') : null;
		return {
			data: all.slice(from, end).map((member) => shown(member, query)),
			meta: { pagination: { total: all.length, cursors: { next: this.endsEarly ? null : next } } },
		};
	}
}

function shown(member: SenderMember, query: Query) {
	const attributes = {
		email: member.email,
		full_name: member.name,
		patron_status: member.status,
		last_charge_status: member.status === 'declined_patron' ? 'Declined' : 'Paid',
		is_gifted: false,
	};
	const wanted = query['fields[member]']?.split(',') ?? [];
	return {
		type: 'member',
		id: member.id,
		attributes: Object.fromEntries(
			Object.entries(attributes).filter(([key]) => wanted.includes(key)),
		),
		relationships: {
			user: { data: { type: 'user', id: `9${member.id}` } },
			currently_entitled_tiers: { data: member.products.map((id) => ({ type: 'tier', id })) },
		},
	};
}
