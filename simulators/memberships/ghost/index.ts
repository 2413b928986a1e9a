import { at, numberAt, recordsAt } from '../requests';
import { setStatusIn, type MembershipSystem } from '../system';
import { GhostMockServer } from './server';
import { ghostToken } from './token';

export * from './server';
export { ghostToken } from './token';

/** Ghost, on the customer's own server. */
export const ghostSystem: MembershipSystem<GhostMockServer> = {
	title: 'Ghost',
	file: 'ghost.json',
	create: () => new GhostMockServer(),
	credential: ({ apiKey }, url) => ({ type: 'ghostAdminApi', data: { url, apiKey } }),
	members: {
		of: ({ people }) => people,
		customerId: ({ id }) => `ghost-${id}`,
		left: 'free',
		setStatus: (server, member, status) => setStatusIn(server)(member, status),
	},
	list: {
		path: '/ghost/api/admin/members/',
		request: ({ key }, { number, size }) => ({
			path: '/ghost/api/admin/members/',
			query: { limit: String(size), page: String(number), order: 'id asc' },
			headers: { authorization: ghostToken(key) },
		}),
		records: recordsAt('members'),
		email: (record) => at(record, 'email'),
		goesOn: ({ json }) => typeof at(json, 'meta.pagination.next') === 'number',
		total: numberAt('meta.pagination.total'),
		empty: { members: [], meta: { pagination: { page: 1, pages: 1, total: 0, next: null } } },
	},
	workflow: {
		prefix: 'ghost-',
		newMembers: { unpaid: 'free', paid: 'paid' },
		labels: ['Integrations'],
	},
};
