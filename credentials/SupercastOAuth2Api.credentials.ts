import type { Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

import { oAuth2Test } from './oAuth2Test';
import { baseUrlField, requestsPerMinuteField } from './sharedFields';

/** A field of n8n's OAuth2 type for which Supercast allows only one value. */
function settled(displayName: string, name: string, value: boolean | string): INodeProperties {
	return { displayName, name, type: 'hidden', default: value };
}

/** An OAuth2 application that acts for the owner who authorized it, or on its own behalf. */
export class SupercastOAuth2Api implements ICredentialType {
	name = 'supercastOAuth2Api';

	displayName = 'Supercast OAuth2 API';

	extends = ['oAuth2Api'];

	icon: Icon = {
		light: 'file:../nodes/Supercast/supercast.svg',
		dark: 'file:../nodes/Supercast/supercast.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-supercast/n8n-nodes-supercast/blob/main/docs/credentials.md#oauth2';

	properties: INodeProperties[] = [
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'options',
			options: [
				{
					name: 'Authorization Code',
					value: 'authorizationCode',
					description: 'The owner of the channel logs in and authorizes the application',
				},
				{
					name: 'Client Credentials',
					value: 'clientCredentials',
					description: 'The application acts on its own behalf, so nobody has to log in',
				},
			],
			default: 'authorizationCode',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			description: "The application's UID, from its page in the Supercast dashboard",
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: "The application's secret, from its page in the Supercast dashboard",
		},
		{
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'string',
			required: true,
			default: 'https://supercast.tech/oauth/authorize',
			displayOptions: { show: { grantType: ['authorizationCode'] } },
			description: 'The page on which the owner logs in and authorizes the application',
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'string',
			required: true,
			default: 'https://supercast.tech/oauth/token',
			description: 'The address where n8n gets and renews its tokens',
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: 'public write',
			description:
				'What the connection may do: "public" to read, "write" to make changes. Separate the scopes with a space. If you change them, connect again.',
		},
		// Supercast reads the client ID and secret from the form body (specification, section 5.2).
		settled('Authentication', 'authentication', 'body'),
		settled('Auth URI Query Parameters', 'authQueryParameters', ''),
		settled('Send Additional Body Properties', 'sendAdditionalBodyProperties', false),
		settled('Additional Body Properties', 'additionalBodyProperties', ''),
		baseUrlField,
		{
			displayName: 'Subdomain',
			name: 'subdomain',
			type: 'string',
			default: '',
			placeholder: 'e.g. your-channel',
			description:
				'For superapps only. The subdomain of the channel, which the node sends with every request. Leave it empty if the application belongs to one channel.',
		},
		requestsPerMinuteField,
	];

	test: ICredentialTestRequest = oAuth2Test;
}
