import { setting } from '../parts';
import { ask } from './request';
import { header, signedSender } from './signed';

/** Members of Memberful. */
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
		event: `In Memberful: **Settings** > **Webhooks** > **Add a webhook**. Paste the production URL of **Memberful Event**. Choose all events whose names begin with **subscription** or **member**.
In **Sign**, create a Crypto credential and paste the webhook's secret into **Hmac Secret**.`,
		settings: `- **memberful**: the address of your site
- **plans**: the IDs of the plans that include a feed, separated by commas. Leave it empty to include all plans.`,
		ask: 'In **Ask Memberful**, create a Bearer credential with an API key of a custom application in Memberful.',
	},
});
