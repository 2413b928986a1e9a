import { setting } from '../parts';
import { anyStatus, ask } from './request';
import { header, signedSender } from './signed';

const GHOST_TIME = `(${header('x-ghost-signature')} ?? '').match(/t=(\\d+)/)?.[1]`;

/** Members of Ghost. */
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
		event: `In Ghost: **Settings** > **Integrations** > **Add custom integration**. Add three webhooks with the production URL of **Ghost Event**: member added, updated and deleted. Give each webhook the same secret.
In **Sign**, create a Crypto credential and paste that secret into **Hmac Secret**.`,
		settings: `- **ghost**: the address of your site
- **tiers**: the slugs or IDs of the tiers that include a feed, separated by commas. Leave it empty to include all paid tiers.`,
		ask: 'In **Ask Ghost**, create a Ghost Admin credential with the Admin API key of that integration.',
	},
});
