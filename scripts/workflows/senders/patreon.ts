import { anyStatus, ask, query } from './request';
import { header, signedSender } from './signed';

/** Members of Patreon. */
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
		event: `In Patreon's developer portal, create a webhook. Enter the production URL of **Patreon Event**, and choose all triggers that begin with **members:**.
In **Sign**, create a Crypto credential and paste the webhook's secret into **Hmac Secret**.`,
		settings:
			'- **tiers**: the IDs of the tiers that include a feed, separated by commas. Leave it empty to include all paid tiers.',
		ask: "In **Ask Patreon**, create a Bearer credential with the creator's access token (scope `campaigns.members[email]`).",
	},
});
