// Compares Stripe's current data about this customer with your products.
// Returns the input for one call of Set Access, or nothing.
const event = $('Stripe Event').first().json;
const settings = $('Settings').first().json;
const ids = (value) =>
	String(value ?? '')
		.split(/[\s,]+/)
		.filter(Boolean);
const products = ids(settings.products);
const lifetime = ids(settings.lifetimeProducts);
if (!products.concat(lifetime).length) {
	throw new Error(
		'Fill in "products" in the node Settings: the IDs of your membership products, such as prod_123',
	);
}

const about = event.data.object;
const before = event.data.previous_attributes ?? {};
const asked = $('Ask Stripe').first().json;
const customer = asked.object === 'charge' ? (asked.customer ?? {}) : asked;
const idOf = (value) => value?.id ?? value ?? '';
const productsOf = (items) =>
	(items?.data ?? []).map((item) => idOf(item.price?.product ?? item.plan?.product));
const isOurs = (items) => productsOf(items).some((id) => products.includes(id));

// One-time purchases. Those in `owned` were paid and not refunded.
const purchases = ($('Ask for Purchases').first().json.data ?? []).filter((session) =>
	(session.line_items?.data ?? []).some((line) => lifetime.includes(idOf(line.price?.product))),
);
const chargeOf = (session) => session.payment_intent?.latest_charge ?? {};
const owned = purchases.filter(
	(session) =>
		['paid', 'no_payment_required'].includes(session.payment_status) && !chargeOf(session).refunded,
);
const subscriptions = (customer.subscriptions?.data ?? []).filter(({ items }) => isOurs(items));

// Is this event about the membership, or about something else that you sell?
const chargeId = about.object === 'charge' ? about.id : about.charge;
const isRelevant =
	{
		subscription: () => isOurs(about.items) || isOurs(before.items),
		customer: () =>
			'email' in before || 'name' in before ? subscriptions.length + owned.length > 0 : false,
		'checkout.session': () => purchases.some(({ id }) => id === about.id),
		charge: () => purchases.some((session) => idOf(chargeOf(session)) === chargeId),
		dispute: () =>
			subscriptions.length > 0 || purchases.some((session) => idOf(chargeOf(session)) === chargeId),
	}[about.object]?.() ?? false;
if (!isRelevant) return [];

const paused = ({ status, pause_collection: pause }) =>
	status === 'paused' || (pause ?? null) !== null;
const isPaying = (one) => ['active', 'trialing'].includes(one.status) && !paused(one);
const late = subscriptions.find(({ status }) => status === 'past_due');
const onPause = subscriptions.find(paused);
const iso = (seconds) => (seconds ? new Date(seconds * 1000).toISOString() : '');
const startOf = (one) => one.current_period_start ?? one.items?.data?.[0]?.current_period_start;

let verdict = { access: 'close', reason: 'Stripe has no paid subscription to your products' };
if (event.type === 'charge.dispute.created') {
	verdict = { access: 'hold', since: iso(event.created), reason: 'The payment is disputed' };
} else if (event.type === 'charge.dispute.closed' && about.status === 'lost') {
	verdict = { access: 'close', reason: 'The dispute was lost' };
} else if (subscriptions.some(isPaying)) verdict = { access: 'open', reason: '' };
else if (owned.length) verdict = { access: 'open', reason: 'Bought once, permanent access' };
else if (late) verdict = { access: 'hold', since: iso(startOf(late)), reason: 'A payment failed' };
else if (onPause) {
	verdict = { access: 'hold', since: iso(event.created), reason: 'The subscription is paused' };
} // Nothing changes while the first payment is open.
else if (subscriptions.some(({ status }) => status === 'incomplete')) return [];
else if (about.object === 'checkout.session') return [];

return [
	{
		json: {
			sender: 'Stripe',
			event: event.type,
			customerId: idOf(
				about.object === 'customer'
					? about.id
					: customer.object === 'customer'
						? customer.id
						: about.customer,
			),
			email: customer.email ?? customer.customer_details?.email ?? '',
			name: customer.name ?? customer.customer_details?.name ?? '',
			...verdict,
		},
	},
];
