import { codeOf } from '../code';
import { callSetAccess, code, COLOR, settings, toldOnError, type Plan, type Wire } from '../parts';
import { ask, query } from './request';

const STRIPE_EVENTS = [
	'customer.subscription.created',
	'customer.subscription.updated',
	'customer.subscription.deleted',
	'customer.subscription.paused',
	'customer.subscription.resumed',
	'customer.updated',
	'checkout.session.completed',
	'checkout.session.async_payment_succeeded',
	'charge.refunded',
	'charge.dispute.created',
	'charge.dispute.closed',
];

const STRIPE_OBJECT = `$('Stripe Event').first().json.data.object`;
const withStripe = {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'stripeApi',
};
const STRIPE_ADDRESS = `(${STRIPE_OBJECT}.object === 'dispute' ? 'charges/' + ${STRIPE_OBJECT}.charge : ${STRIPE_OBJECT}.object === 'customer' ? 'customers/' + ${STRIPE_OBJECT}.id : ${STRIPE_OBJECT}.customer ? 'customers/' + ${STRIPE_OBJECT}.customer : ${STRIPE_OBJECT}.object === 'charge' ? 'charges/' + ${STRIPE_OBJECT}.id : 'checkout/sessions/' + ${STRIPE_OBJECT}.id)`;
const STRIPE_EMAIL = `($json.customer?.email ?? $json.email ?? $json.customer_details?.email ?? $json.billing_details?.email)`;
const STRIPE_CUSTOMER = `($json.object === 'customer' ? $json.id : $json.customer?.id ?? ${STRIPE_OBJECT}.customer)`;

const stripeWires: Wire[] = [
	['Stripe Event', 'Settings'],
	['Settings', 'Ask Stripe'],
	['Ask Stripe', 'Ask for Purchases'],
	['Ask for Purchases', 'What Is True Now'],
	['What Is True Now', 'Set Access'],
];

/** Members who pay in Stripe. */
export const stripe: Plan = {
	file: 'stripe',
	id: 'supercastStripe',
	name: 'Stripe Members',
	parts: [
		{
			name: 'Stripe Event',
			type: 'n8n-nodes-base.stripeTrigger',
			version: 1,
			at: [0, 0],
			parameters: { events: STRIPE_EVENTS },
			more: { webhookId: 'stripe-members' },
		},
		settings({ products: '', lifetimeProducts: '' }, [1, 0]),
		ask('Ask Stripe', [2, 0], `=https://api.stripe.com/v1/{{ ${STRIPE_ADDRESS} }}`, {
			...withStripe,
			...query({
				'expand[]': `={{ ${STRIPE_ADDRESS}.startsWith('charges') ? 'customer.subscriptions' : ${STRIPE_ADDRESS}.startsWith('customers') ? 'subscriptions' : 'customer' }}`,
			}),
			options: {},
		}),
		ask('Ask for Purchases', [3, 0], 'https://api.stripe.com/v1/checkout/sessions', {
			...withStripe,
			sendQuery: true,
			queryParameters: {
				parameters: [
					{
						name: `={{ ${STRIPE_EMAIL} ? 'customer_details[email]' : 'customer' }}`,
						value: `={{ ${STRIPE_EMAIL} ?? ${STRIPE_CUSTOMER} }}`,
					},
					{ name: 'status', value: 'complete' },
					{ name: 'limit', value: '100' },
					{ name: 'expand[0]', value: 'data.line_items' },
					{ name: 'expand[1]', value: 'data.payment_intent.latest_charge' },
				],
			},
			options: {},
		}),
		code('What Is True Now', [4, 0], codeOf('stripe')),
		callSetAccess([5, 0]),
	],
	notes: [
		{
			text: '## 1. Stripe sends an event\nChoose your Stripe credential in **Stripe Event**. n8n puts it into the other two nodes. When you publish, n8n creates the webhook in Stripe. n8n checks the signature of each event.',
			columns: [0, 0],
			color: COLOR.start,
		},
		{
			text: '## Fill in Settings last\n- **products**: IDs of your membership products (`prod_…`), separated by commas\n- **lifetimeProducts**: products that give permanent access',
			columns: [1, 1],
			color: COLOR.settings,
		},
		{
			text: "## 2. Ask Stripe for current data\nEvents can arrive late or twice, so the workflow acts on Stripe's current data, not on the event. It ignores subscriptions to other products, including those that Supercast bills.",
			columns: [2, 4],
			color: COLOR.ask,
		},
		{
			text: '## 3. Set Access\nIn the **Set Access** node, select your **Set Access** workflow.',
			columns: [5, 5],
			color: COLOR.act,
		},
	],
	wires: stripeWires,
	settings: toldOnError,
};
