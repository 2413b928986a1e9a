// Compares the shop's current data about this customer with your products.
// Returns the input for one call of Set Access, or nothing.
const { headers, body } = $('WooCommerce Event').first().json;
const settings = $('Settings').first().json;
const ids = (value) =>
	String(value ?? '')
		.split(/[\s,]+/)
		.filter(Boolean);
const products = ids(settings.products);
const lifetime = ids(settings.lifetimeProducts);
if (!products.concat(lifetime).length) {
	throw new Error(
		'Fill in "products" in the node Settings: the IDs of your membership products, such as 93',
	);
}

const has =
	(wanted) =>
	({ line_items: lines }) =>
		(lines ?? []).some(
			({ product_id: product, variation_id: variation }) =>
				wanted.includes(String(product)) || wanted.includes(String(variation)),
		);
const topic = headers['x-wc-webhook-topic'] ?? '';
const isRelevant = topic.startsWith('customer.') || has(products.concat(lifetime))(body);
if (!isRelevant) return [];

// Three responses: subscriptions, orders and the account. A guest has no account.
const answers = $('Ask WooCommerce')
	.all()
	.map(({ json }) => json.body);
const [subscriptions, orders, account] = answers;
const guest = body.billing?.email ?? '';
if (!Array.isArray(subscriptions) || !Array.isArray(orders)) {
	throw new Error(`The shop did not return the subscriptions and orders of ${guest || body.email}`);
}
const customer = topic.startsWith('customer.') ? body.id : body.customer_id;
const isTheirs = ({ customer_id: id, billing }) =>
	customer ? id === customer : billing?.email === guest;
const ours = subscriptions.filter(isTheirs).filter(has(products));
const owned = orders
	.filter(isTheirs)
	.filter(has(lifetime))
	.filter(({ status }) => ['processing', 'completed'].includes(status));
if (topic.startsWith('customer.') && !ours.length && !owned.length) return [];
const withStatus = (...statuses) => ours.find(({ status }) => statuses.includes(status));
const late = withStatus('on-hold');

let verdict = { access: 'close', reason: 'The shop has no paid subscription to your products' };
if (withStatus('active', 'pending-cancel')) verdict = { access: 'open', reason: '' };
else if (owned.length) verdict = { access: 'open', reason: 'Bought once, permanent access' };
else if (late) {
	const since = late.last_payment_attempt_date_gmt || late.date_modified_gmt || '';
	verdict = { access: 'hold', since: since && `${since}Z`, reason: 'The subscription is on hold' };
} else if (withStatus('pending')) return [];

const { first_name: first, last_name: last, email = guest } = account?.id ? account : {};
return [
	{
		json: {
			sender: 'WooCommerce',
			event: `${topic} ${body.status ?? ''}`.trim(),
			customerId: customer ? `woocommerce-${customer}` : '',
			email,
			name: `${first ?? body.billing?.first_name ?? ''} ${last ?? body.billing?.last_name ?? ''}`.trim(),
			...verdict,
		},
	},
];
