import { at, recordsAt } from '../requests';
import type { MembershipSystem, RecordCase } from '../system';
import { stripeBoundaries } from './boundaries';
import { RESTRICTED_KEY } from './requests';
import { StripeMockServer } from './server';

export * from './server';

const page = (status: string | null, ...products: string[]) => ({
	data: [
		{
			...{ id: 'sub_1', status },
			customer: { id: 'cus_1', email: 'ana@example.com', name: 'Ana Bell' },
			items: { data: products.map((product) => ({ price: { product } })) },
		},
	],
});

/** A subscription with several products. */
const records: RecordCase[] = [
	...(
		[
			[['prod_A', 'prod_Mug'], 'open'],
			[['prod_Mug', 'prod_A'], 'open'],
			[['prod_Mug'], 'close'],
			[['prod_Mug', 'prod_New'], 'keep'],
			[['prod_New', 'prod_A'], 'open'],
		] as const
	).map(([products, access]) => ({
		...{ name: `with ${products.join(' and ')}`, page: page('active', ...products), access },
		counts: { 'product.prod_A': 'open', 'product.prod_Mug': 'close', 'product.other': 'keep' },
	})),
	{
		name: 'with a product for which no rule is left',
		page: page('active', 'prod_Mug', 'prod_New'),
		counts: { 'product.prod_Mug': 'close', 'product.other': '' },
		access: 'unclear',
	},
];

/** Stripe. Tests in `test/e2e/workflowsMembers.test.ts` and `test/workflows/reading.test.ts` are about it. */
export const stripeSystem: MembershipSystem<StripeMockServer> = {
	title: 'Stripe',
	file: 'stripe.json',
	host: 'api.stripe.com',
	create: () => new StripeMockServer(),
	credential: () => ({ type: 'stripeApi', data: { secretKey: RESTRICTED_KEY } }),
	members: {
		of: (stripe) => ({
			all: stripe.subscriptions,
			join: (email, name) => stripe.join(email, name).customer,
		}),
		customerId: ({ id }) => id,
	},
	list: {
		path: '/v1/subscriptions',
		request: (_, { size, before }) => {
			const last = at((at(before, 'data') as unknown[] | undefined)?.at(-1), 'id');
			const cursor = typeof last === 'string' ? { starting_after: last } : undefined;
			return {
				path: '/v1/subscriptions',
				query: { limit: String(size), 'expand[]': 'data.customer', ...cursor },
				headers: { authorization: `Bearer ${RESTRICTED_KEY}` },
			};
		},
		records: recordsAt('data'),
		email: (record) => at(record, 'customer.email'),
		goesOn: ({ json }) => at(json, 'has_more') === true,
		empty: { has_more: false, data: [] },
		leaves: {
			// Stripe refuses a cursor that is not in the list any more.
			recordGone: 'refused',
			// The cursor of a shuffled page can lead back.
			tiesShuffled: 'no end',
			// A page without a last record has no cursor, so the list begins again.
			emptyPage: 'no end',
		},
		// Stripe says nothing but which page is the last.
		unknowable: ['endsEarly'],
		// It says that another page follows, so reading may go on to the limit of pages.
		mostRequests: 1_060,
	},
	workflow: {
		prefix: 'cus_',
		saysWhoIsNew: true,
		reader: 'Read All Subscriptions',
		boundaries: stripeBoundaries,
		statuses: {
			page: (status) => page(status, 'prod_A'),
			product: { word: 'product', name: 'prod_A', moved: () => page('active', 'prod_B') },
		},
		records,
	},
};
