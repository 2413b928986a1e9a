import type { FastifyRequest } from 'fastify';
import type Stripe from 'stripe';

import { Refusal, textIn, type ListQuery } from '../server';

/** What a key may read, and the names that Stripe's message has for it. */
export const STRIPE_RIGHTS = {
	charge_read: 'Charges Read',
	customer_read: 'Customers Read',
	product_read: 'Products Read',
	subscription_read: 'Subscriptions Read',
};

/** A right of a restricted key. */
export type StripeRight = keyof typeof STRIPE_RIGHTS;

/** An API key. */
export interface StripeKey {
	/** Without it, the key may read everything. */
	rights?: StripeRight[];
}

/** The restricted key that the notes in `workflows/stripe.json` ask for. */
export const RESTRICTED_KEY = 'rk_test_members';

/**
 * The parameters of the lists, and whether the mock server understands them. The compiler compares
 * the names with Stripe's own types.
 */
const SUBSCRIPTION_PARAMETERS: Record<keyof Stripe.SubscriptionListParams, boolean> = {
	automatic_tax: false,
	collection_method: true,
	created: true,
	current_period_end: false,
	current_period_start: false,
	customer: true,
	customer_account: false,
	ending_before: false,
	expand: true,
	limit: true,
	plan: false,
	price: false,
	starting_after: true,
	status: true,
	test_clock: false,
};
const PRODUCT_PARAMETERS: Record<keyof Stripe.ProductListParams, boolean> = {
	active: true,
	created: false,
	ending_before: false,
	expand: false,
	ids: true,
	limit: true,
	shippable: false,
	starting_after: true,
	type: false,
	url: false,
};

/** The parameters of each list. */
export const PARAMETERS = {
	subscriptions: SUBSCRIPTION_PARAMETERS,
	products: PRODUCT_PARAMETERS,
} satisfies Record<string, Record<string, boolean>>;

/** An error as Stripe sends it (https://docs.stripe.com/api/errors). */
export function stripeRefusal(
	status: number,
	message: string,
	more: { code?: string; param?: string } = {},
): Refusal {
	return new Refusal(status, { error: { type: 'invalid_request_error', message, ...more } });
}

/** Refuses parameters that Stripe doesn't know, and empty ones. */
export function checkParameters(query: ListQuery, known: Record<string, boolean>): void {
	for (const [param, value] of Object.entries(query)) {
		if (known[param] === undefined)
			throw stripeRefusal(400, `Received unknown parameter: ${param}`, {
				code: 'parameter_unknown',
				param,
			});
		if (value === '')
			throw stripeRefusal(
				400,
				`You passed an empty string for '${param}'. We assume empty values are an attempt to unset a field; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
				{ code: 'parameter_invalid_empty', param },
			);
		if (!known[param])
			throw stripeRefusal(501, `The mock server does not understand the parameter ${param}`);
	}
}

/** The number of records in a page: 10, or what the request says. */
export function limitOf(query: ListQuery): number {
	const limit = textIn(query, 'limit') ?? '10';
	const number = Number(limit);
	const refused = (message: string) =>
		stripeRefusal(400, message, { code: 'parameter_invalid_integer', param: 'limit' });
	if (!Number.isInteger(number)) throw refused(`Invalid integer: ${limit}`);
	if (number > 100)
		throw refused(`This value must be less than or equal to 100 (it currently is '${number}').`);
	if (number < 1)
		throw refused(`This value must be greater than or equal to 1 (it currently is '${number}').`);
	return number;
}

/** Refuses a request whose key is unknown, or may not do this. */
export function checkKey(
	request: Pick<FastifyRequest, 'headers'>,
	keys: Map<string, StripeKey>,
	rights: StripeRight[],
): void {
	const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
	if (key === undefined)
		throw stripeRefusal(
			401,
			'You did not provide an API key. You need to provide your API key in the Authorization header.',
		);
	// Any secret key may do everything, unless a test says otherwise.
	const known = keys.get(key) ?? (key.startsWith('sk_') ? {} : undefined);
	if (known === undefined) throw stripeRefusal(401, `Invalid API Key provided: ${hidden(key)}`);
	const missing = rights.find((right) => known.rights?.includes(right) === false);
	if (missing !== undefined)
		throw stripeRefusal(
			403,
			`The provided key '${hidden(key)}' does not have the required permissions for this endpoint on account 'acct_1'. Enabling "${STRIPE_RIGHTS[missing]}" ('${missing}') permissions on this key would allow this request to continue.`,
		);
}

function hidden(key: string): string {
	return `${key.slice(0, 8)}***${key.slice(-4)}`;
}
