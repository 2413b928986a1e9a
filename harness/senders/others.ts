import type { FastifyInstance } from 'fastify';

import { People, type SenderMember } from './people';

type Query = Record<string, string | undefined>;

/**
 * Stands in for Memberful's GraphQL API (https://memberful.com/help/integrate/advanced/memberful-api/,
 * https://github.com/mikeckennedy/memberful): pages with a cursor, errors with status 200.
 */
export class MemberfulStandIn {
	readonly people = new People('active', 'plan_1');

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.post('/api/graphql', (request) => {
			const { query } = request.body as { query: string };
			const after = /after: "([^"]*)"/.exec(query)?.[1] ?? '';
			const from = Number(Buffer.from(after, 'base64').toString() || 0);
			const size = Math.min(Number(/first: (\d+)/.exec(query)?.[1] ?? 20), 100);
			const end = from + size;
			return {
				data: {
					members: {
						edges: this.people.all.slice(from, end).map((one) => ({ node: memberfulMember(one) })),
						pageInfo: {
							hasNextPage: end < this.people.all.length,
							endCursor: Buffer.from(String(end)).toString('base64'),
						},
					},
				},
			};
		});
	}
}

function memberfulMember({ id, email, name, status }: SenderMember) {
	return {
		id,
		email,
		fullName: name,
		unrestrictedAccess: status === 'unrestricted',
		subscriptions: [{ active: status === 'active', plan: { name: 'Podcast' } }],
	};
}

/**
 * Stands in for Ghost's Admin API (https://docs.ghost.org/admin-api/members/overview): at most 100
 * per page (https://docs.ghost.org/changes), oldest first.
 */
export class GhostStandIn {
	readonly people = new People('paid', 'tier_1');

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.get('/ghost/api/admin/members/', (request) => {
			const { limit = '15', page = '1', filter } = request.query as Query;
			const since = Date.parse(`${/created_at:>'([^']+)'/.exec(filter ?? '')?.[1] ?? 0}Z`) || 0;
			const all = this.people.all.filter(
				(one) => (filter === undefined || one.status !== 'free') && one.created > since,
			);
			const size = Math.min(Number(limit), 100);
			const pages = Math.max(1, Math.ceil(all.length / size));
			const at = Number(page);
			return {
				members: all.slice((at - 1) * size, at * size).map(ghostMember),
				meta: {
					pagination: {
						page: at,
						limit: size,
						pages,
						total: all.length,
						next: at < pages ? at + 1 : null,
						prev: at > 1 ? at - 1 : null,
					},
				},
			};
		});
	}
}

function ghostMember({ id, email, name, status }: SenderMember) {
	return { id, email, name, status, tiers: [{ name: 'Gold' }], subscriptions: [] };
}

/**
 * Stands in for WooCommerce Subscriptions
 * (https://woocommerce.github.io/subscriptions-rest-api-docs/): at most 100 per page, and the
 * number of pages in a header
 * (https://developer.wordpress.org/rest-api/using-the-rest-api/pagination/).
 */
export class WooCommerceStandIn {
	readonly people = new People('active', '77');

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.get('/wp-json/wc/v3/subscriptions', async (request, reply) => {
			const { per_page: size = '10', page = '1', after = '' } = request.query as Query;
			const since = Date.parse(after) || 0;
			const all = this.people.all.filter(({ created }) => created > since);
			const by = Math.min(Number(size), 100);
			const at = Number(page);
			reply.header('x-wp-total', all.length);
			reply.header('x-wp-totalpages', Math.ceil(all.length / by));
			return await reply.send(all.slice((at - 1) * by, at * by).map(wooSubscription));
		});
	}
}

function wooSubscription({ id, email, name, status }: SenderMember) {
	const [first = '', last = ''] = name.split(' ');
	return {
		id: 5000 + Number(id),
		status,
		customer_id: Number(id),
		billing: { first_name: first, last_name: last, email },
		line_items: [{ product_id: 77, name: 'Podcast membership' }],
	};
}

/** Stands in for a system that exports its members as a CSV file. */
export class ListStandIn {
	readonly people = new People('active', '');

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.get('/members.csv', async (_request, reply) => {
			const rows = this.people.all
				.filter(({ status }) => status === 'active')
				.map(({ id, email, name, until = '' }) => [email, id, ...name.split(' '), until].join(','));
			const text = ['email,id,firstName,lastName,until', ...rows].join('\n');
			return await reply.type('text/csv').send(text);
		});
	}
}
