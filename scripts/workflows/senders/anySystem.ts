import { callSetAccess, COLOR, question, toldOnError, type Plan } from '../parts';

const ANSWER = '={{ { access: $json.access, done: $json.done, why: $json.why } }}';
const CALL = `$('Access Call').first().json.body`;

/** Any system that can make an HTTP call. */
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
		callSetAccess([3, 0]),
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
It sends a POST with JSON to the production URL of **Access Call**:
- \`access\`: \`open\`, \`hold\` or \`close\`
- \`email\`, \`customerId\`, or both
- optional: \`name\`, \`event\`, and \`since\` (when a payment failed)
In **Access Call**, create a Header Auth credential with a secret header. A call without this header gets **403**. An incomplete call gets **400**.`,
			columns: [0, 1],
			rows: [0, 1],
			color: COLOR.start,
		},
		{
			text: `## 2. Set access and respond
In the **Set Access** node, select your **Set Access** workflow. The response says what was done. If the status is **500**, the workflow failed. In that case, repeat the call later.
The other nodes need no settings.`,
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
