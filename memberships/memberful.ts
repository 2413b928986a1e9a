import type { FastifyInstance } from 'fastify';

import { People, type SenderMember } from './people';

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
