import { at, numberAt, recordsAt } from '../requests';
import type { MembershipSystem } from '../system';
import { memberfulBoundaries } from './boundaries';
import { MemberfulMockServer } from './server';

export * from './server';

const monthly = { id: '1', name: 'Monthly' };
const subscription = (active: boolean | null, more: object = {}) => ({
	...{ active, plan: monthly },
	...more,
});
const pageOf = (...nodes: object[]) => ({
	data: { members: { totalCount: nodes.length, edges: nodes.map((node) => ({ node })) } },
});
/** A page with one member. */
const page = (node: object) =>
	pageOf({
		...{ id: '31', email: 'ana@example.com', fullName: 'Ana Bell' },
		...{ unrestrictedAccess: false, ...node },
	});
const four = pageOf(
	...['0', '1', '2', '3'].map((id) => ({
		...{ id, unrestrictedAccess: false, subscriptions: [{ active: true }] },
	})),
);
const onlyMonthly = { 'price.other': 'keep', 'price.Monthly': 'open' };

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
	workflow: {
		prefix: 'memberful-',
		reader: 'Read All Members',
		boundaries: memberfulBoundaries,
		otherFields: { active: 'price.other' },
		records: [
			...(
				[
					['an active subscription', { subscriptions: [subscription(true)] }, 'open'],
					[
						'one that is past due',
						{ subscriptions: [subscription(true, { pastDue: true })] },
						'open',
					],
					['one that has ended', { subscriptions: [subscription(false)] }, 'close'],
					['one of each', { subscriptions: [subscription(false), subscription(true)] }, 'open'],
					[
						'unrestricted access',
						{ unrestrictedAccess: true, subscriptions: [subscription(false)] },
						'open',
					],
					['no subscription', { subscriptions: [] }, 'keep'],
					['subscriptions that are null', { subscriptions: null }, 'unclear'],
					['subscriptions that are missing', {}, 'unclear'],
					['active that is null', { subscriptions: [subscription(null)] }, 'unclear'],
					[
						'unrestricted access that is null',
						{ unrestrictedAccess: null, subscriptions: [subscription(false)] },
						'unclear',
					],
				] as const
			).map(([name, node, access]) => ({ name, page: page(node), access })),
			{
				name: 'the price that counts',
				page: page({ subscriptions: [subscription(true)] }),
				counts: onlyMonthly,
				access: 'open',
			},
			{
				name: 'another price than the one that counts',
				page: page({
					subscriptions: [subscription(true, { plan: { id: '2', name: 'Yearly' } })],
				}),
				counts: onlyMonthly,
				access: 'keep',
				status: 'active Yearly',
			},
		],
		totals: [
			{ name: 'all members', page: four, expected: 4 },
			{
				name: 'errors beside the members',
				page: { ...four, errors: [{ message: 'Timeout' }] },
				expected: 5,
				hint: 'Memberful: Timeout',
			},
		],
		choices: { only: 'Mugs', told: 'Prices at Memberful: Podcast' },
	},
};
