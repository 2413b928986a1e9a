import type { FastifyInstance } from 'fastify';

import { People, type SenderMember } from './people';

type Query = Record<string, string | undefined>;

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
