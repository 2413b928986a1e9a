import { setting } from '../parts';
import { ask } from './request';
import { header, signedSender } from './signed';

const WOO = `${setting('shop')} + '/wp-json/wc/v3/'`;
const WOO_EVENT = `$('WooCommerce Event').first().json`;
const WOO_CUSTOMER = `(String(${WOO_EVENT}.headers['x-wc-webhook-topic']).startsWith('customer.') ? ${WOO_EVENT}.body.id : ${WOO_EVENT}.body.customer_id)`;
const WOO_QUERY = `'?per_page=100&' + (${WOO_CUSTOMER} ? 'customer=' + ${WOO_CUSTOMER} : 'search=' + encodeURIComponent(${WOO_EVENT}.body.billing?.email))`;

/** Members of WooCommerce. */
export const wooCommerce = signedSender({
	file: 'woocommerce',
	redelivers: false,
	sender: 'WooCommerce',
	signature: {
		sign: { type: 'SHA256', encoding: 'base64', binaryData: true, binaryPropertyName: 'data' },
		isRight: `${header('x-wc-webhook-signature')} === $json.expected`,
	},
	ping: `!${header('x-wc-webhook-signature')} && /^\\d+$/.test($json.body.webhook_id ?? '') && Object.keys($json.body).length === 1`,
	settings: { shop: 'https://example.com', products: '', lifetimeProducts: '' },
	ask: (at) =>
		ask('Ask WooCommerce', at, `={{ ${WOO} + 'subscriptions' + ${WOO_QUERY} }}`, {
			authentication: 'genericCredentialType',
			genericAuthType: 'httpBasicAuth',
			options: {
				response: { response: { fullResponse: true, neverError: true, responseFormat: 'json' } },
				pagination: {
					pagination: {
						paginationMode: 'responseContainsNextURL',
						nextURL: `={{ ${WOO} + ['subscriptions' + ${WOO_QUERY}, 'orders' + ${WOO_QUERY}, 'customers/' + (${WOO_CUSTOMER} || 0)][$pageCount] }}`,
						paginationCompleteWhen: 'other',
						completeExpression: '={{ $pageCount >= 3 }}',
						limitPagesFetched: true,
						maxRequests: 3,
					},
				},
			},
		}),
	code: 'woocommerce',
	notes: {
		event: `In WooCommerce: **Settings** > **Advanced** > **Webhooks** > **Add webhook**. Add one webhook for each topic: Subscription created, updated and deleted, Customer updated, Order updated. Give each webhook the production URL of **WooCommerce Event** and the same secret.
In **Sign**, create a Crypto credential and paste that secret into **Hmac Secret**.`,
		settings: `- **shop**: the address of your shop
- **products**: the IDs of your membership products, separated by commas
- **lifetimeProducts**: the IDs of products that give permanent access`,
		ask: 'In **Ask WooCommerce**, create a Basic Auth credential with the consumer key and secret of the REST API. The workflow reads the subscriptions, orders and account of the customer.',
	},
});
