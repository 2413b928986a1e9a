import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import type { MockServer } from '../system';
import type { PageFault } from '../pageFaults';
import { ListPages, sendPage, type ListPage } from '../pages';
import { textIn, type ListQuery } from '../server';
import {
	productObject,
	subscriptionObject,
	type SentSubscription,
	type StripeCustomer,
	type StripeProduct,
	type StripeSubscription,
} from './objects';
import {
	checkKey,
	checkParameters,
	limitOf,
	PARAMETERS,
	RESTRICTED_KEY,
	stripeRefusal,
	type StripeKey,
} from './requests';

export type { StripeCustomer, StripeProduct, StripeStatus, StripeSubscription } from './objects';
export { RESTRICTED_KEY, type StripeKey, type StripeRight } from './requests';

/** The product that the mock server's members subscribe to. */
export const PRODUCT = 'prod_Members';
/** A second plan of the same membership. */
export const YEARLY = 'prod_MembersYearly';
/** Another product of the same account. */
export const OTHER_PRODUCT = 'prod_Mugs';
/** A product that the seller no longer offers, and whose ID the seller chose. */
export const ARCHIVED_PRODUCT = 'podcast-founders';

/** A page of a list as the API sends it. */
type StripeList<Item> = Pick<Stripe.ApiList<Item>, 'object' | 'data' | 'has_more' | 'url'>;

/**
 * Simulates Stripe's API: lists in pages of at most 100, the newest first, with `has_more`
 * (https://docs.stripe.com/api/subscriptions/list, https://docs.stripe.com/api/products/list).
 *
 * Objects and parameters have the types of the package `stripe`, so a missing field doesn't compile.
 * Rights and what can't be expanded come from error messages in public code. Never seen: test
 * clocks, and a real list with `has_more` and no records. Unknown: whether a list without a status
 * has `incomplete_expired`. It does here.
 */
export class StripeMockServer implements MockServer {
	readonly pageFaults: PageFault[] = [];
	readonly customers = new Map<string, StripeCustomer>();
	/** In the order in which they were added. */
	readonly subscriptions: StripeSubscription[] = [];
	readonly products: StripeProduct[] = [
		{ id: PRODUCT, name: 'Podcast membership', active: true },
		{ id: YEARLY, name: 'Podcast membership, yearly', active: true },
		{ id: OTHER_PRODUCT, name: 'Mugs', active: true },
		{ id: ARCHIVED_PRODUCT, name: 'Founding members', active: false },
	];
	/** Restricted keys and their rights. Any key that begins with `sk_` may do everything. */
	readonly keys = new Map<string, StripeKey>([
		[RESTRICTED_KEY, { rights: ['customer_read', 'product_read', 'subscription_read'] }],
	]);

	private readonly pages = new ListPages<StripeSubscription>(this.pageFaults);
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
			moreProducts: [],
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
		subscription.endedAt ??= Date.now();
	}

	/** Deletes a customer, which also ends their subscriptions. */
	deleteCustomer(customer: StripeCustomer): void {
		customer.deleted = true;
		for (const one of this.subscriptions) if (one.customer === customer) this.end(one);
	}

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.get('/v1/subscriptions', async (request, reply) => {
			const query = request.query as ListQuery;
			const expands = expansions(query).length > 0;
			checkKey(request, this.keys, ['subscription_read', ...(expands ? CUSTOMERS : [])]);
			const page = this.page(query);
			return await sendPage(reply, page.fault, this.body(page, expands));
		});
		app.get('/v1/products', async (request) => {
			checkKey(request, this.keys, ['product_read']);
			return this.productList(request.query as ListQuery);
		});
		app.get('/v1/charges', async (request): Promise<StripeList<Stripe.Charge>> => {
			checkKey(request, this.keys, ['charge_read']);
			return { object: 'list', data: [], has_more: false, url: '/v1/charges' };
		});
	}

	/** One page, with expanded customers. */
	list(query: ListQuery): StripeList<SentSubscription> {
		return this.body(this.page(query), true);
	}

	private body({ records, next, nonce }: ListPage<StripeSubscription>, isExpanded: boolean) {
		return {
			object: 'list' as const,
			data: records.map((one) => subscriptionObject(one, isExpanded)),
			has_more: next !== null,
			url: '/v1/subscriptions',
			...(nonce === undefined ? undefined : { request_id: nonce }),
		};
	}

	private page(query: ListQuery): ListPage<StripeSubscription> {
		checkParameters(query, PARAMETERS.subscriptions);
		const size = limitOf(query);
		const listed = this.subscriptions.filter((one) => isListed(one, query));
		const newest = this.pages.present(listed).reverse();
		return this.pages.page(newest, { from: after(newest, query, 'subscription'), size });
	}

	private productList(query: ListQuery): StripeList<Stripe.Product> {
		checkParameters(query, PARAMETERS.products);
		const size = limitOf(query);
		const { active, ids } = query;
		const found = this.products
			.filter((one) => active === undefined || String(one.active) === active)
			.filter(({ id }) => !Array.isArray(ids) || ids.includes(id));
		const from = after(found, query, 'product');
		return {
			object: 'list',
			data: found.slice(from, from + size).map(productObject),
			has_more: found.length > from + size,
			url: '/v1/products',
		};
	}

	private next(): string {
		this.count += 1;
		return `Nf${String(this.count).padStart(12, '0')}`;
	}
}

const CUSTOMERS = ['customer_read' as const];

/** What a request expands. The mock server expands only customers. */
function expansions(query: ListQuery): string[] {
	const paths = textIn(query, 'expand')?.split(',') ?? [];
	const refused = paths.find((path) => path !== 'data.customer');
	if (refused === undefined) return paths;
	const hint =
		refused === 'customer' ? " You may want to try expanding 'data.customer' instead." : '';
	throw stripeRefusal(400, `This property cannot be expanded (${refused}).${hint}`);
}

/** How many records come before the first one after the cursor, which must be in the list. */
function after(all: Array<{ id: string }>, query: ListQuery, name: string): number {
	const cursor = textIn(query, 'starting_after');
	if (cursor === undefined) return 0;
	const index = all.findIndex(({ id }) => id === cursor);
	if (index < 0)
		throw stripeRefusal(400, `No such ${name}: '${cursor}'`, {
			code: 'resource_missing',
			param: 'starting_after',
		});
	return index + 1;
}

/** Whether a subscription is in the list that a request asks for. */
function isListed(one: StripeSubscription, query: ListQuery): boolean {
	const { customer, price, collection_method: collection } = query;
	const products = [one.product, ...one.moreProducts];
	return (
		hasStatus(one, query.status) &&
		isWithin(Math.floor(one.created / 1000), query.created) &&
		(customer ?? one.customer.id) === one.customer.id &&
		(collection ?? one.collection) === one.collection &&
		(price === undefined || products.some((product) => price === `price_${product}`))
	);
}

/** Without a status, a list has everything that is not canceled. */
function hasStatus({ status }: StripeSubscription, wanted: ListQuery[string]): boolean {
	if (wanted === undefined) return status !== 'canceled';
	if (wanted === 'ended') return ['canceled', 'incomplete_expired'].includes(status);
	return wanted === 'all' || wanted === status;
}

function isWithin(seconds: number, range: ListQuery[string]): boolean {
	if (range === undefined) return true;
	if (typeof range !== 'object' || Array.isArray(range)) return seconds === Number(range);
	const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
	return (
		seconds > Number(gt) && seconds >= Number(gte) && seconds < Number(lt) && seconds <= Number(lte)
	);
}
