import type Stripe from 'stripe';

import { itemList, type SentItem } from './items';

/** The statuses of a subscription (https://docs.stripe.com/api/subscriptions/object). */
export type StripeStatus =
	| 'active'
	| 'canceled'
	| 'incomplete'
	| 'incomplete_expired'
	| 'past_due'
	| 'paused'
	| 'trialing'
	| 'unpaid';

/** A customer. */
export interface StripeCustomer {
	id: string;
	email: string | null;
	name: string | null;
	deleted?: true;
}

/** A subscription, with what tests change. */
export interface StripeSubscription {
	id: string;
	status: StripeStatus;
	customer: StripeCustomer;
	/** The ID of the product. */
	product: string;
	/** The IDs of more products in the same subscription. */
	moreProducts: string[];
	pauseCollection: { behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void' } | null;
	/** Milliseconds since 1970. */
	created: number;
	/** Milliseconds since 1970, once it has ended. */
	endedAt?: number;
	/** Whether Stripe charges the customer or sends an invoice. */
	collection: 'charge_automatically' | 'send_invoice';
}

/** A product. The seller can choose the ID, so it need not begin with `prod_`. */
export interface StripeProduct {
	id: string;
	name: string;
	/** Whether the seller still offers it. */
	active: boolean;
}

/** A customer as the API sends it. The one that was deleted has only an ID. */
export function customerObject({
	id,
	email,
	name,
	deleted,
}: StripeCustomer): Stripe.Customer | Stripe.DeletedCustomer {
	if (deleted === true) return { id, object: 'customer', deleted: true };
	return {
		id,
		object: 'customer',
		address: {
			city: null,
			country: null,
			line1: null,
			line2: null,
			postal_code: null,
			state: null,
		},
		balance: 0,
		created: 1_700_000_000,
		currency: 'usd',
		customer_account: null,
		default_source: null,
		delinquent: false,
		description: null,
		discount: null,
		email,
		invoice_prefix: id.slice(-8).toUpperCase(),
		invoice_settings: {
			custom_fields: null,
			default_payment_method: `pm_${id.slice(4)}`,
			footer: null,
			rendering_options: null,
		},
		livemode: false,
		metadata: {},
		name: name ?? undefined,
		next_invoice_sequence: 2,
		phone: null,
		preferred_locales: ['en'],
		shipping: null,
		tax_exempt: 'none',
		test_clock: null,
	};
}

/** A product as the API sends it. */
export function productObject({ id, name, active }: StripeProduct): Stripe.Product {
	return {
		id,
		object: 'product',
		active,
		created: 1_700_000_000,
		default_price: `price_${id}`,
		description: null,
		images: [],
		livemode: false,
		marketing_features: [],
		metadata: {},
		name,
		package_dimensions: null,
		shippable: null,
		statement_descriptor: null,
		tax_code: null,
		tax_details: null,
		type: 'service',
		unit_label: null,
		updated: 1_700_000_000,
		url: null,
	};
}

/** A subscription as the API sends it. */
export type SentSubscription = Omit<Stripe.Subscription, 'items'> & {
	items: Stripe.ApiList<SentItem>;
};

/** What no member of the mock server has, with the values that the API sends for that. */
const NOTHING = {
	application: null,
	application_fee_percent: null,
	automatic_tax: { disabled_reason: null, enabled: false, liability: null },
	billing_cycle_anchor_config: null,
	billing_mode: { flexible: null, type: 'classic' },
	billing_schedules: [],
	billing_thresholds: null,
	cancel_at: null,
	cancel_at_period_end: false,
	cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
	currency: 'usd',
	customer_account: null,
	default_payment_method: null,
	default_source: null,
	default_tax_rates: [],
	description: null,
	discounts: [],
	invoice_settings: {
		account_tax_ids: null,
		custom_fields: null,
		description: null,
		footer: null,
		issuer: { type: 'self' },
	},
	livemode: false,
	managed_payments: null,
	metadata: {},
	next_pending_invoice_item_invoice: null,
	on_behalf_of: null,
	payment_settings: {
		payment_method_options: null,
		payment_method_types: null,
		save_default_payment_method: 'off',
	},
	pending_invoice_item_interval: null,
	pending_setup_intent: null,
	pending_update: null,
	schedule: null,
	test_clock: null,
	transfer_data: null,
	trial_settings: {
		end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
	},
} satisfies Partial<SentSubscription>;

/** Makes a subscription as the API sends it. Without `isExpanded`, the customer is an ID. */
export function subscriptionObject(
	{ id, status, customer, pauseCollection, collection, ...more }: StripeSubscription,
	isExpanded: boolean,
): SentSubscription {
	const created = Math.floor(more.created / 1000);
	const hasEnded = status === 'canceled' || status === 'incomplete_expired';
	const isTrial = status === 'trialing';
	return {
		...NOTHING,
		id,
		object: 'subscription',
		billing_cycle_anchor: created,
		canceled_at: hasEnded ? created : null,
		collection_method: collection,
		created,
		customer: isExpanded ? customerObject(customer) : customer.id,
		days_until_due: collection === 'send_invoice' ? 30 : null,
		ended_at: hasEnded ? created : null,
		items: itemList(id, [more.product, ...more.moreProducts], created),
		latest_invoice: `in_${id.slice(4)}`,
		pause_collection: pauseCollection && { ...pauseCollection, resumes_at: null },
		start_date: created,
		status,
		trial_end: isTrial ? created + 2_592_000 : null,
		trial_start: isTrial ? created : null,
	};
}
