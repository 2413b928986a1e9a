import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { accessTokenOf } from '../nodes/Supercast/api/auth/accessToken';
import { checkRequestUrl, normalizeBaseUrl } from '../nodes/Supercast/api/http/address';
import { baseUrlField, requestsPerMinuteField } from './sharedFields';

/** A manual access token, generated in Supercast under Settings, API. It never expires. */
export class SupercastApi implements ICredentialType {
	name = 'supercastApi';

	displayName = 'Supercast API';

	icon: Icon = {
		light: 'file:../nodes/Supercast/supercast.svg',
		dark: 'file:../nodes/Supercast/supercast.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-supercast/n8n-nodes-supercast/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			hint: 'In Supercast, open Settings, then API, and choose Generate Token. Supercast shows the token only once.',
		},
		baseUrlField,
		requestsPerMinuteField,
	];

	/**
	 * Adds the token to a request.
	 *
	 * @throws InputError if the Base URL or the request's address uses http:// with a host that is
	 * not a loopback address. Over such a connection, others on the network could read the token.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions & { uri?: string },
	): Promise<IHttpRequestOptions> {
		normalizeBaseUrl(credentials.baseUrl);
		// n8n's HTTP Request node has its own address, which it passes as `uri`.
		checkRequestUrl(requestOptions.url ?? requestOptions.uri, requestOptions.baseURL);
		const authorization = `Bearer ${accessTokenOf(credentials.accessToken)}`;
		requestOptions.headers = { ...requestOptions.headers, Authorization: authorization };
		return requestOptions;
	}
}
