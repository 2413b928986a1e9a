import type { FastifyInstance } from 'fastify';

import { People, type SenderMember } from './people';

type Query = Record<string, string | undefined>;

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
