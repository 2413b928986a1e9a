import type { FastifyInstance } from 'fastify';

import type { MockServer } from '../system';
import type { PageFault } from '../pageFaults';
import { ListPages, sendPage } from '../pages';
import { People, type SystemMember } from '../people';

/** Simulates a system that exports its members as a CSV file. */
export class ListMockServer implements MockServer {
	readonly pageFaults: PageFault[] = [];
	readonly people = new People('active', '', (member) => member);
	/** The text of the file, for lists in another form. Without it, the members. */
	text?: string;

	private readonly pages = new ListPages<SystemMember>(this.pageFaults);

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.get('/members.csv', async (_request, reply) => {
			const members = this.people.all.filter(({ status }) => status === 'active');
			const page = this.pages.page(members, { from: 0, size: Infinity });
			const rows = page.records.map(({ id, email, name, status, until = '' }) =>
				[email, id, ...name.split(' '), status, until].join(','),
			);
			const text = ['email,id,firstName,lastName,status,until', ...rows].join('\n');
			return await sendPage(reply.type('text/csv'), page.fault, this.text ?? text);
		});
	}
}
