import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The product that the stand-in's members subscribe to. */
export const PRODUCT = 'prod_Members';
/** A second plan of the same membership. */
export const YEARLY = 'prod_MembersYearly';
/** Another product of the same account. */
export const OTHER_PRODUCT = 'prod_Mugs';

/** A customer, as the API returns it when expanded. */
export interface StripeCustomer {
	id: string;
	email: string | null;
	name: string | null;
	deleted?: true;
}

/** A subscription with the fields that the workflow reads, and others that it must ignore. */
export interface StripeSubscription {
	id: string;
	status: string;
	customer: StripeCustomer;
	product: string;
	pauseCollection: { behavior: string } | null;
	/** Milliseconds since 1970. */
	created: number;
	/** Whether Stripe charges the customer or sends an invoice. */
	collection: 'charge_automatically' | 'send_invoice';
}

/**
 * Stands in for Stripe's API: lists in pages of 100, newest first, with `has_more`
 * (https://docs.stripe.com/api/subscriptions/list, https://docs.stripe.com/api/products/list).
 */
export class StripeStandIn {
	readonly customers = new Map<string, StripeCustomer>();
	/** In the order in which they were added. */
	readonly subscriptions: StripeSubscription[] = [];

	private count = 0;

	/** Adds a customer with a subscription. */
	join(email: string | null, name: string | null = null, product = PRODUCT): StripeSubscription {
		const customer = { id: `cus_${this.next()}`, email, name };
		this.customers.set(customer.id, customer);
		return this.subscribe(customer, product);
	}

	/** Adds a subscription for an existing customer. */
	subscribe(customer: StripeCustomer, product = PRODUCT): StripeSubscription {
		const subscription: StripeSubscription = {
			id: `sub_${this.next()}`,
			status: 'active',
			customer,
			product,
			pauseCollection: null,
			created: Date.now(),
			collection: 'charge_automatically',
		};
		this.subscriptions.push(subscription);
		return subscription;
	}

	/** Ends a subscription immediately. */
	end(subscription: StripeSubscription): void {
		subscription.status = 'canceled';
	}

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.addHook('preHandler', refuseStrangers);
		app.get('/v1/subscriptions', (request) => this.list(request.query as Query));
		app.get('/v1/products', products);
		app.get('/v1/charges', () => ({ object: 'list', data: [], has_more: false }));
	}

	/** One page. Without `status`, the list contains everything that is not canceled. */
	list({ limit = '10', starting_after: after, 'created[gte]': since = '0' }: Query) {
		const isListed = ({ status, created }: StripeSubscription) =>
			!['canceled', 'incomplete_expired'].includes(status) && created >= Number(since) * 1000;
		const newest = this.subscriptions.slice().reverse();
		// The position of a subscription is still known after it was canceled.
		const from = newest.findIndex(({ id }) => id === after) + 1;
		const left = newest.slice(from).filter(isListed);
		const size = Math.min(Number(limit), 100);
		return { object: 'list', has_more: left.length > size, data: left.slice(0, size).map(shown) };
	}

	private next(): string {
		this.count += 1;
		return `Nf${String(this.count).padStart(12, '0')}`;
	}
}

type Query = Record<string, string[] | string | undefined>;

async function refuseStrangers(request: FastifyRequest, reply: FastifyReply): Promise<void> {
	if (!request.url.startsWith('/v1/') || request.headers.authorization?.startsWith('Bearer sk_'))
		return;
	await reply.code(401).send({ error: { message: 'Invalid API Key provided' } });
}

function products() {
	const data = [
		{ id: PRODUCT, name: 'Podcast membership' },
		{ id: YEARLY, name: 'Podcast membership, yearly' },
		{ id: OTHER_PRODUCT, name: 'Mugs' },
	];
	return { object: 'list', has_more: false, data };
}

/** The fields are those of the API (https://docs.stripe.com/api/subscriptions/object). */
function shown(subscription: StripeSubscription) {
	const { id, status, customer, product, pauseCollection, collection, created } = subscription;
	const price = { object: 'price', product };
	return {
		id,
		object: 'subscription',
		created: Math.floor(created / 1000),
		cancel_at_period_end: false,
		currency: 'usd',
		collection_method: collection,
		customer: { object: 'customer', ...customer },
		items: {
			object: 'list',
			has_more: false,
			data: [{ object: 'subscription_item', price }],
		},
		metadata: {},
		pause_collection: pauseCollection,
		status,
	};
}
