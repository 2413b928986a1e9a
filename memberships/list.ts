import type { FastifyInstance } from 'fastify';

import { People } from './people';

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
