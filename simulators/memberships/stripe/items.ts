import type Stripe from 'stripe';

/** The API sends decimals as text, and Stripe's library makes objects of them. */
type SentPrice = Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string };
type SentPlan = Omit<Stripe.Plan, 'amount_decimal'> & { amount_decimal: string };

/** An item as the API sends it. */
export type SentItem = Omit<Stripe.SubscriptionItem, 'plan' | 'price'> & {
	plan: SentPlan;
	price: SentPrice;
};

const MONTH = 2_592_000;

/** The items of a subscription as the API sends them, one for each product. */
export function itemList(
	subscription: string,
	products: string[],
	created: number,
): Stripe.ApiList<SentItem> {
	return {
		object: 'list',
		data: products.map((product, index) =>
			itemObject(`si_${subscription.slice(4)}${index}`, subscription, product, created),
		),
		has_more: false,
		url: `/v1/subscription_items?subscription=${subscription}`,
	};
}

function itemObject(id: string, subscription: string, product: string, created: number): SentItem {
	const price = `price_${product}`;
	return {
		id,
		object: 'subscription_item',
		billing_thresholds: null,
		created,
		current_period_end: created + MONTH,
		current_period_start: created,
		current_trial: null,
		discounts: [],
		metadata: {},
		plan: planObject(price, product),
		price: priceObject(price, product),
		quantity: 1,
		subscription,
		tax_rates: [],
	};
}

function priceObject(id: string, product: string): SentPrice {
	return {
		id,
		object: 'price',
		active: true,
		billing_scheme: 'per_unit',
		created: 1_700_000_000,
		currency: 'usd',
		custom_unit_amount: null,
		livemode: false,
		lookup_key: null,
		metadata: {},
		nickname: null,
		product,
		recurring: {
			interval: 'month',
			interval_count: 1,
			meter: null,
			trial_period_days: null,
			usage_type: 'licensed',
		},
		tax_behavior: 'unspecified',
		tiers_mode: null,
		transform_quantity: null,
		type: 'recurring',
		unit_amount: 500,
		unit_amount_decimal: '500',
	};
}

/** Stripe still sends the older form of a price beside it. */
function planObject(id: string, product: string): SentPlan {
	return {
		id,
		object: 'plan',
		active: true,
		amount: 500,
		amount_decimal: '500',
		billing_scheme: 'per_unit',
		created: 1_700_000_000,
		currency: 'usd',
		interval: 'month',
		interval_count: 1,
		livemode: false,
		metadata: {},
		meter: null,
		nickname: null,
		product,
		tiers_mode: null,
		transform_usage: null,
		trial_period_days: null,
		usage_type: 'licensed',
	};
}
