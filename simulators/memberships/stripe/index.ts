import { at, recordsAt } from '../requests';
import type { MembershipSystem } from '../system';
import { RESTRICTED_KEY } from './requests';
import { StripeMockServer, type StripeStatus } from './server';

export * from './server';

/** Stripe. */
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
		setStatus: ({ subscriptions }, { id }, status) => {
			const own = subscriptions.filter(({ customer }) => customer.id === id);
			for (const one of own) one.status = status as StripeStatus;
		},
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
	},
	workflow: {
		prefix: 'cus_',
		newMembers: { unpaid: 'incomplete', paid: 'active' },
		labels: ['restricted key'],
	},
};
