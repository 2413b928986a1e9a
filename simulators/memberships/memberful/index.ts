import { at, numberAt, recordsAt } from '../requests';
import type { MembershipSystem } from '../system';
import { MemberfulMockServer } from './server';

export * from './server';

/** Memberful. It has no statuses, so its records say whether a subscription is active. */
export const memberfulSystem: MembershipSystem<MemberfulMockServer> = {
	title: 'Memberful',
	file: 'memberful.json',
	create: () => new MemberfulMockServer(),
	credential: ({ key }) => ({ type: 'httpBearerAuth', data: { token: key } }),
	members: {
		of: ({ people }) => people,
		customerId: ({ id }) => `memberful-${id}`,
		left: 'inactive',
	},
	list: {
		path: '/api/graphql',
		request: ({ key }, { size, before }) => {
			const next = at(before, 'data.members.pageInfo.endCursor') as string | undefined;
			const query = `{ members(first: ${size}, after: "${next ?? ''}") { totalCount edges { node { email } } pageInfo { hasNextPage endCursor } } }`;
			return {
				path: '/api/graphql',
				body: { query },
				headers: { authorization: `Bearer ${key}` },
			};
		},
		records: recordsAt('data.members.edges'),
		email: (record) => at(record, 'node.email'),
		goesOn: ({ json }) => at(json, 'data.members.pageInfo.hasNextPage') === true,
		total: numberAt('data.members.totalCount'),
		empty: {
			data: { members: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } } },
		},
	},
	workflow: { prefix: 'memberful-', labels: ['Custom applications'] },
};
