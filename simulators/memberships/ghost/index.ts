import { at, numberAt, recordsAt } from '../requests';
import type { MembershipSystem } from '../system';
import { ghostBoundaries } from './boundaries';
import { GhostMockServer } from './server';
import { ghostToken } from './token';

export * from './server';
export { ghostToken } from './token';

const member = (status: string | null, tier = { id: 't1', name: 'Gold' }) => ({
	...{ id: '65a1', status, email: 'ana@example.com', name: 'Ana Bell' },
	tiers: status === 'free' ? [] : [tier],
});
const page = (meta: object) => ({ members: [{ id: '1' }], meta: { ...meta } });

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
		saysWhoIsNew: true,
		reader: 'Read All Members',
		boundaries: ghostBoundaries,
		statuses: {
			page: (status) => ({ members: [member(status)] }),
			product: {
				word: 'tier',
				name: 'Gold',
				moved: () => ({ members: [member('paid', { id: 't1', name: 'Golden' })] }),
			},
		},
		totals: [
			{ name: 'the total that Ghost names', page: page({ pagination: { total: 7 } }), expected: 7 },
			{ name: 'no total', page: page({}), expected: 'unknown' },
		],
		choices: { only: 'Silver', told: 'Tiers at Ghost: Gold' },
	},
};
