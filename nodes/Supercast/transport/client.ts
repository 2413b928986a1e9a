import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { encodePath, normalizeBaseUrl } from './address';
import { describeFailure } from './describeFailure';
import { readFailure, unusableAnswer } from './failure';
import type { ApiRequest, ApiResponse } from './types';

/** Whatever part of n8n a request can start from. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** How the package talks to the service: the only way any operation or trigger does. */
export interface SupercastClient {
	/**
	 * Sends one request.
	 *
	 * @throws ServiceError when the service could not be reached, or did not do what was asked.
	 * @throws InputError when the base URL or a path segment cannot be used; nothing was sent then.
	 */
	request(request: ApiRequest): Promise<ApiResponse>;
}

/** Values of the node parameter `authentication`, and the credential type that each stands for. */
export const CREDENTIAL_TYPES = { accessToken: 'supercastApi' } as const;

const TIMEOUT_MS = 60_000;

/**
 * Opens the service with the credential that the node's parameter `authentication` names.
 *
 * @throws InputError when the credential's base URL cannot be used.
 */
export async function createClient(
	context: RequestContext,
	authentication: keyof typeof CREDENTIAL_TYPES,
): Promise<SupercastClient> {
	const credentialType = CREDENTIAL_TYPES[authentication];
	const credential = await context.getCredentials<{ baseUrl: string }>(credentialType);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	return {
		request: async (request) => {
			const options = requestOptions(baseUrl, request);
			const response = await send(context, credentialType, options, request);
			const failure = unusableAnswer(response);
			if (failure !== undefined) throw describeFailure(failure, request);
			return response;
		},
	};
}

function requestOptions(baseUrl: string, request: ApiRequest): IHttpRequestOptions {
	return {
		method: request.method,
		url: `${baseUrl}${encodePath(request.path)}`,
		...(request.query === undefined ? {} : { qs: request.query }),
		...(request.body === undefined ? {} : { body: request.body }),
		json: true,
		returnFullResponse: true,
		timeout: TIMEOUT_MS,
		// A followed redirect would turn POST and DELETE into GET, and look like success.
		disableFollowRedirect: true,
	};
}

async function send(
	context: RequestContext,
	credentialType: string,
	options: IHttpRequestOptions,
	request: ApiRequest,
): Promise<ApiResponse> {
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			credentialType,
			options,
		)) as IN8nHttpFullResponse;
		return {
			status: response.statusCode,
			headers: response.headers,
			body: response.body === '' ? undefined : response.body,
		};
	} catch (error) {
		throw describeFailure(readFailure(error), request);
	}
}
