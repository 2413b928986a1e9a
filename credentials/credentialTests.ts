import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ICredentialTestRequest,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { describeFailure, InputError } from '../nodes/Supercast/api/errors/errors';
import { normalizeBaseUrl } from '../nodes/Supercast/api/http/address';
import {
	parseErrorResponse,
	parseThrownError,
} from '../nodes/Supercast/api/http/parseErrorResponse';
import { isRecord, textOf } from '../nodes/Supercast/api/json';
import type { ApiRequest, Failure } from '../nodes/Supercast/api/types';
import { CHANNEL_BASE_URL, SHARED_BASE_URL } from './sharedFields';

/**
 * It is not documented which of the two hosts accepts a token. The reference uses a channel's own
 * host, but the vendor's Ruby client uses the shared host. So every message about a wrong host
 * names both.
 */
const OTHER_HOST = `If you entered the shared address, ${SHARED_BASE_URL}, try your channel's own, such as ${CHANNEL_BASE_URL}. If you entered your channel's own, try the shared one.`;

export const NOT_THE_API = `'Base URL' does not point to the Supercast API. ${OTHER_HOST}`;
const REDIRECT = `'Base URL' redirects to another address. ${OTHER_HOST}`;

const SENTENCES_FOR_ALL: Record<number, string> = {
	301: REDIRECT,
	302: REDIRECT,
	307: REDIRECT,
	308: REDIRECT,
	404: NOT_THE_API,
	429: "Supercast's limit of 100 requests per minute is used up. Wait a minute and test again.",
};

/** What the test of an access token says about a status. */
export const ACCESS_TOKEN_SENTENCES: Record<number, string> = {
	...SENTENCES_FOR_ALL,
	401: `Supercast does not recognize this access token at 'Base URL'. Paste it again, or generate a new one in Supercast under Settings, API. If the token is new, check 'Base URL'. ${OTHER_HOST}`,
	403: `The access token is valid, but not for this channel. Generate a token in the channel that 'Base URL' points to. ${OTHER_HOST}`,
};

const OAUTH2_SENTENCES: Record<number, string> = {
	...SENTENCES_FOR_ALL,
	401: `Supercast rejected the token of this connection. Check that 'Base URL' and 'Access Token URL' use the same host, then connect again. ${OTHER_HOST}`,
	403: `The connection is valid, but not for this channel. Check 'Scope'. Also check that 'Base URL' or 'Subdomain' points to a channel whose owner has authorized the application. ${OTHER_HOST}`,
	422: "Supercast did not accept the request. If the application is a superapp, enter the channel in 'Subdomain'.",
};

const statusRules = Object.entries(OAUTH2_SENTENCES).map(
	([status, message]): IAuthenticateRuleResponseCode => ({
		type: 'responseCode',
		properties: { value: Number(status), message },
	}),
);

// n8n compares only one value in the response. If the response is a web page, it is a string, and
// its key "0" is the first character. The API returns an object, which has no key "0".
const webPageRules = ['<', '\n', '\r', ' ', '\uFEFF'].map(
	(value): IAuthenticateRuleResponseSuccessBody => ({
		type: 'responseSuccessBody',
		properties: { key: '0', value, message: NOT_THE_API },
	}),
);

/**
 * The test of an OAuth2 connection, when you save the credential. It reads the channel, for which
 * the scope `public` is enough (specification, section 5.2). The path comes from the vendor's Ruby
 * client. With Client Credentials, there is no token yet, so n8n gets one first.
 */
export const oAuth2Test: ICredentialTestRequest = {
	request: {
		// The node refuses http:// with a host that is not a loopback address. This kind of test
		// can't refuse a request, so it uses https:// instead.
		baseURL:
			'={{ $credentials.baseUrl?.trim().replace(/\\/+$/, "").replace(/^http:(?!\\/\\/(localhost|\\[::1\\]|127(\\.\\d{1,3}){3})[:\\/])/i, "https:") }}',
		url: '/channel',
		disableFollowRedirect: true,
		qs: { subdomain: '={{ $credentials.subdomain?.trim() || undefined }}' },
	},
	// n8n's TypeScript type allows only one kind of rule per test, but n8n itself checks the
	// type of each rule.
	rules: [...statusRules, ...webPageRules] as ICredentialTestRequest['rules'],
};

/** A person waits for the result. */
const TIMEOUT_MS = 30_000;

const request: ApiRequest = {
	method: 'GET',
	path: ['channel'],
	subject: { text: 'channel', isRecord: false },
};

/**
 * The test of a manual access token. It reads the channel, as that of OAuth2 does. n8n's own test
 * would show only a code such as ENOTFOUND if there is no response.
 */
export async function testAccessToken(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	try {
		const { statusCode, headers, body } = (await helpers.request({
			uri: `${normalizeBaseUrl(data.baseUrl)}/channel`,
			headers: { Authorization: `Bearer ${textOf(data.accessToken).trim()}` },
			json: true,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			timeout: TIMEOUT_MS,
		})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		const known = ACCESS_TOKEN_SENTENCES[statusCode];
		if (known !== undefined) return failed(known);
		if (statusCode >= 300) {
			return described(parseErrorResponse({ status: statusCode, headers, body }, Date.now()));
		}
		if (!isRecord(body)) return failed(NOT_THE_API);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		if (error instanceof InputError) return failed(`${error.message}. ${error.description}`);
		return described(parseThrownError(error, Date.now()));
	}
}

function described(failure: Failure): INodeCredentialTestResult {
	const { message, description } = describeFailure(failure, request);
	return failed(`${message}. ${description}`);
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
