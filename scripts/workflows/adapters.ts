import { codeOf } from './code';
import {
	call,
	code,
	COLOR,
	ID,
	question,
	setting,
	settings,
	toldOnError,
	type Note,
	type Part,
	type Plan,
	type Wire,
} from './parts';

const setAccess = (at: Part['at']): Part =>
	call('Set Access', at, { id: ID.setAccess, name: 'Set Access' });

/** Asks a sender's API. Answers of any status go on when the code after it reads the status. */
export function ask(
	name: string,
	at: Part['at'],
	url: string,
	parameters: Record<string, unknown>,
): Part {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		version: 4.2,
		at,
		parameters: { url, ...parameters },
	};
}

/** The whole answer, with its status, whatever the status is. */
const anyStatus = { response: { response: { fullResponse: true, neverError: true } } };

const query = (parameters: Record<string, string>) => ({
	sendQuery: true,
	queryParameters: {
		parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
	},
});

/** How a sender signs: the Crypto node's settings, and when the signature is the right one. */
interface Signature {
	sign: Record<string, unknown>;
	isRight: string;
}

/** A sender whose webhook n8n has to verify. */
interface SignedSender {
	file: string;
	sender: string;
	signature: Signature;
	/** Whether the sender repeats a delivery that fails. Others switch off a webhook that fails. */
	redelivers: boolean;
	/** Calls that are answered with 200 although nobody signed them. */
	ping?: string;
	settings: Record<string, string>;
	ask: (at: Part['at']) => Part;
	code: string;
	notes: { event: string; settings: string; ask: string };
}

/** The same eight nodes for each of them. */
export function signedSender(plan: SignedSender): Plan {
	const { file, sender } = plan;
	const event = `${sender} Event`;
	return {
		file,
		id: `supercast${sender}`,
		name: `${sender} Members`,
		parts: [
			{
				name: event,
				type: 'n8n-nodes-base.webhook',
				version: 2.1,
				at: [0, 0],
				parameters: {
					httpMethod: 'POST',
					path: file,
					responseMode: 'responseNode',
					options: { rawBody: true },
				},
				more: { webhookId: file },
			},
			{
				name: 'Sign',
				type: 'n8n-nodes-base.crypto',
				version: 2,
				at: [1, 0],
				parameters: { action: 'hmac', dataPropertyName: 'expected', ...plan.signature.sign },
			},
			...gate(plan),
			settings(plan.settings, [3, 0]),
			plan.ask([4, 0]),
			code('What Is True Now', [5, 0], codeOf(plan.code)),
			setAccess([6, 0]),
		],
		notes: notesOf(plan),
		wires: [
			[event, 'Sign'],
			...gateWires(plan.redelivers),
			['Settings', plan.ask([4, 0]).name],
			[plan.ask([4, 0]).name, 'What Is True Now'],
			['What Is True Now', 'Set Access'],
		],
		settings: toldOnError,
	};
}

const REFUSAL = "{ error: 'The signature is missing or wrong.' }";

/** Lets in what the sender signed, and answers: at once, or at the end so that a failure shows. */
function gate({ signature: { isRight }, ping = 'false', redelivers }: SignedSender): Part[] {
	const answer = (
		name: string,
		at: Part['at'],
		responseBody: string,
		responseCode: number | string,
	): Part => ({
		name,
		type: 'n8n-nodes-base.respondToWebhook',
		version: 1.1,
		at,
		parameters: { respondWith: 'json', responseBody, options: { responseCode } },
	});
	if (redelivers) {
		return [
			question('Is It Signed?', [2, 0], isRight),
			answer('Refuse', [2, 1], `={{ ${REFUSAL} }}`, 401),
		];
	}
	const welcome = `(${isRight}) || (${ping})`;
	return [
		answer(
			'Answer',
			[2, 0],
			`={{ ${welcome} ? { received: true } : ${REFUSAL} }}`,
			`={{ ${welcome} ? 200 : 401 }}`,
		),
		question('Is It Signed?', [2, 1], isRight),
	];
}

function gateWires(redelivers: boolean): Wire[] {
	return redelivers
		? [
				['Sign', 'Is It Signed?'],
				['Is It Signed?', 'Settings'],
				[['Is It Signed?', 1], 'Refuse'],
			]
		: [
				['Sign', 'Answer'],
				['Answer', 'Is It Signed?'],
				['Is It Signed?', 'Settings'],
			];
}

function notesOf({ sender, notes }: SignedSender): Note[] {
	return [
		{
			text: `## 1. Check that ${sender} sent it\n${notes.event}`,
			columns: [0, 2],
			rows: [0, 1],
			color: COLOR.start,
		},
		{ text: `## Fill in Settings\n${notes.settings}`, columns: [3, 3], color: COLOR.settings },
		{
			text: `## 2. Ask ${sender} what is true now\n${notes.ask}\nEvents can arrive late or twice, so the answer decides, not the event.`,
			columns: [4, 5],
			color: COLOR.ask,
		},
		{
			text: '## 3. Set Access\nChoose your workflow **Set Access** in this node.',
			columns: [6, 6],
			color: COLOR.act,
		},
	];
}

const header = (name: string): string => `$json.headers['${name}']`;

export const memberful = signedSender({
	file: 'memberful',
	redelivers: true,
	sender: 'Memberful',
	signature: {
		sign: { type: 'SHA256', encoding: 'hex', binaryData: true, binaryPropertyName: 'data' },
		isRight: `${header('x-memberful-webhook-signature')} === $json.expected`,
	},
	settings: { memberful: 'https://example.memberful.com', plans: '' },
	ask: (at) =>
		ask('Ask Memberful', at, `={{ ${setting('memberful')} }}/api/graphql`, {
			method: 'POST',
			authentication: 'genericCredentialType',
			genericAuthType: 'httpBearerAuth',
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				"={{ { query: 'query ($id: ID!) { member(id: $id) { id email fullName subscriptions { active plan { id } } } }', variables: { id: String(($json.body.member ?? $json.body.subscription.member).id) } } }}",
			options: {},
		}),
	code: 'memberful',
	notes: {
		event: `In Memberful: **Settings** → **Webhooks** → **Add a webhook**. Paste the production URL of **Memberful Event**. Choose all events whose names begin with **subscription** or **member**.
In **Sign**, create a Crypto credential: paste the webhook's secret into **Hmac Secret**.`,
		settings: `- **memberful**: the address of your site
- **plans**: the IDs of the plans with a feed, by commas. Empty: all plans`,
		ask: 'In **Ask Memberful**, create a Bearer credential with an API key of a custom application in Memberful.',
	},
});

export const patreon = signedSender({
	file: 'patreon',
	redelivers: false,
	sender: 'Patreon',
	signature: {
		sign: { type: 'MD5', encoding: 'hex', binaryData: true, binaryPropertyName: 'data' },
		isRight: `${header('x-patreon-signature')} === $json.expected`,
	},
	settings: { tiers: '' },
	ask: (at) =>
		ask(
			'Ask Patreon',
			at,
			'=https://www.patreon.com/api/oauth2/v2/members/{{ $json.body.data.id }}',
			{
				authentication: 'genericCredentialType',
				genericAuthType: 'httpBearerAuth',
				...query({
					include: 'currently_entitled_tiers',
					'fields[member]':
						'email,full_name,patron_status,currently_entitled_amount_cents,last_charge_date,lifetime_support_cents,is_gifted,is_free_trial',
				}),
				options: anyStatus,
			},
		),
	code: 'patreon',
	notes: {
		event: `In Patreon's developer portal, create a webhook with the production URL of **Patreon Event** and all triggers that begin with **members:**.
In **Sign**, create a Crypto credential: paste the webhook's secret into **Hmac Secret**.`,
		settings: '- **tiers**: the IDs of the tiers with a feed, by commas. Empty: every paid tier',
		ask: "In **Ask Patreon**, create a Bearer credential with the creator's access token (scope `campaigns.members[email]`).",
	},
});

const GHOST_TIME = `(${header('x-ghost-signature')} ?? '').match(/t=(\\d+)/)?.[1]`;

export const ghost = signedSender({
	file: 'ghost',
	redelivers: false,
	sender: 'Ghost',
	signature: {
		sign: {
			type: 'SHA256',
			encoding: 'hex',
			value: `={{ JSON.stringify($json.body) }}{{ ${GHOST_TIME} }}`,
		},
		isRight: `(${header('x-ghost-signature')} ?? '').match(/sha256=([0-9a-f]+)/)?.[1] === $json.expected && Math.abs($now.toMillis() - Number(${GHOST_TIME})) <= 300000`,
	},
	settings: { ghost: 'https://example.com', tiers: '' },
	ask: (at) =>
		ask(
			'Ask Ghost',
			at,
			`={{ ${setting('ghost')} }}/ghost/api/admin/members/{{ $json.body.member.current?.id ?? $json.body.member.previous.id }}/`,
			{
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'ghostAdminApi',
				options: anyStatus,
			},
		),
	code: 'ghost',
	notes: {
		event: `In Ghost: **Settings** → **Integrations** → **Add custom integration**. Add three webhooks with the production URL of **Ghost Event**: member added, updated and deleted. Give each the same secret.
In **Sign**, create a Crypto credential: paste that secret into **Hmac Secret**.`,
		settings: `- **ghost**: the address of your site
- **tiers**: the slugs or IDs of the tiers with a feed, by commas. Empty: every paid tier`,
		ask: 'In **Ask Ghost**, create a Ghost Admin credential with the Admin API key of that integration.',
	},
});

const WOO = `${setting('shop')} + '/wp-json/wc/v3/'`;
const WOO_EVENT = `$('WooCommerce Event').first().json`;
const WOO_CUSTOMER = `(String(${WOO_EVENT}.headers['x-wc-webhook-topic']).startsWith('customer.') ? ${WOO_EVENT}.body.id : ${WOO_EVENT}.body.customer_id)`;
const WOO_QUERY = `'?per_page=100&' + (${WOO_CUSTOMER} ? 'customer=' + ${WOO_CUSTOMER} : 'search=' + encodeURIComponent(${WOO_EVENT}.body.billing?.email))`;

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
						nextURL: `={{ ${WOO} + ($pageCount === 1 ? 'orders' + ${WOO_QUERY} : 'customers/' + (${WOO_CUSTOMER} || 0)) }}`,
						paginationCompleteWhen: 'other',
						completeExpression: '={{ $pageCount >= 2 }}',
						limitPagesFetched: true,
						maxRequests: 3,
					},
				},
			},
		}),
	code: 'woocommerce',
	notes: {
		event: `In WooCommerce: **Settings** → **Advanced** → **Webhooks** → **Add webhook**. Add one for each topic, with the production URL of **WooCommerce Event** and one secret: Subscription created, updated and deleted, Customer updated, Order updated.
In **Sign**, create a Crypto credential: paste that secret into **Hmac Secret**.`,
		settings: `- **shop**: its address
- **products**: the IDs of your membership products, by commas
- **lifetimeProducts**: the IDs of products that give access for good`,
		ask: 'In **Ask WooCommerce**, create a Basic Auth credential: REST API consumer key and secret. It asks for the subscriptions, the orders and the account.',
	},
});

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
		setAccess([5, 0]),
	],
	notes: [
		{
			text: '## 1. Stripe tells n8n\nChoose your Stripe credential. When you publish, n8n creates the webhook in Stripe and checks its signature.',
			columns: [0, 0],
			color: COLOR.start,
		},
		{
			text: '## Fill in Settings\n- **products**: IDs of your membership products (`prod_…`), by commas\n- **lifetimeProducts**: products that give access for good',
			columns: [1, 1],
			color: COLOR.settings,
		},
		{
			text: '## 2. Ask Stripe what is true now\nChoose your Stripe credential in both nodes.\nEvents can arrive late or twice, so the answer decides, not the event. Subscriptions to other products, also those that Supercast bills, are left alone.',
			columns: [2, 4],
			color: COLOR.ask,
		},
		{
			text: '## 3. Set Access\nChoose your workflow **Set Access** in this node.',
			columns: [5, 5],
			color: COLOR.act,
		},
	],
	wires: stripeWires,
	settings: toldOnError,
};

const ANSWER = '={{ { access: $json.access, done: $json.done, why: $json.why } }}';
const CALL = `$('Access Call').first().json.body`;

export const anySystem: Plan = {
	file: 'any-system',
	id: 'supercastAnySystem',
	name: 'Any System',
	parts: [
		{
			name: 'Access Call',
			type: 'n8n-nodes-base.webhook',
			version: 2.1,
			at: [0, 0],
			parameters: {
				httpMethod: 'POST',
				path: 'access',
				authentication: 'headerAuth',
				responseMode: 'responseNode',
				options: {},
			},
			more: { webhookId: 'access' },
		},
		question(
			'Is It Complete?',
			[1, 0],
			`['open', 'hold', 'close'].includes(${CALL}?.access) && [${CALL}.email, ${CALL}.customerId].every((one) => ['string', 'undefined', 'number'].includes(typeof one)) && (/^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$/.test((${CALL}.email ?? '').toString().trim()) || (!${CALL}.email && !!${CALL}.customerId))`,
		),
		{
			name: 'Refuse',
			type: 'n8n-nodes-base.respondToWebhook',
			version: 1.1,
			at: [1, 1],
			parameters: {
				respondWith: 'json',
				responseBody:
					"={{ { error: 'Send access (open, hold or close) and a valid email or customerId.' } }}",
				options: { responseCode: 400 },
			},
		},
		{
			name: 'Read the Call',
			type: 'n8n-nodes-base.set',
			version: 3.4,
			at: [2, 0],
			parameters: {
				mode: 'raw',
				jsonOutput: `={{ { sender: 'Your system', event: ${CALL}.access, ...${CALL} } }}`,
				options: {},
			},
		},
		setAccess([3, 0]),
		{
			name: 'Answer',
			type: 'n8n-nodes-base.respondToWebhook',
			version: 1.1,
			at: [4, 0],
			parameters: { respondWith: 'json', responseBody: ANSWER, options: {} },
		},
	],
	notes: [
		{
			text: `## 1. Your system calls
It sends a POST with JSON to the production URL of **Access Call**: \`access\` (\`open\`, \`hold\` or \`close\`), \`email\`, and, if it has them, \`customerId\`, \`name\`, \`event\`, and \`since\` (when a payment failed).
In **Access Call**, create a Header Auth credential with a secret header. A call without it gets **403**, an incomplete one **400**.`,
			columns: [0, 1],
			rows: [0, 1],
			color: COLOR.start,
		},
		{
			text: `## 2. Set Access, and answer
Choose your workflow **Set Access** in this node. The answer says what was done. When something failed it is **500**: call again later.
There is nothing to fill in here.`,
			columns: [2, 4],
			color: COLOR.act,
		},
	],
	wires: [
		['Access Call', 'Is It Complete?'],
		['Is It Complete?', 'Read the Call'],
		[['Is It Complete?', 1], 'Refuse'],
		['Read the Call', 'Set Access'],
		['Set Access', 'Answer'],
	],
	settings: toldOnError,
};
