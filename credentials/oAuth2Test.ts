import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialTestRequest,
} from 'n8n-workflow';

import { NOT_THE_API, OAUTH2_SENTENCES } from '../nodes/Supercast/api/auth/testSentences';

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
			'={{ $credentials.baseUrl?.trim().replace(/(\\/v\\d+)\\/(channels?|creators|episodes|feeds|invites|questions|roles|subscribers|usage_alerts)(\\/.*)?$/i, "$1").replace(/\\/+$/, "").replace(/^http:(?!\\/\\/(localhost|\\[::1\\]|127(\\.\\d{1,3}){3})[:\\/])/i, "https:") }}',
		url: '/channel',
		disableFollowRedirect: true,
		qs: {
			subdomain:
				'={{ $credentials.subdomain?.trim().toLowerCase().replace(/^https?:\\/\\//, "").split(/[\\/?#:]/)[0].replace(/\\.supercast\\.(tech|com)$/, "") || undefined }}',
		},
	},
	// n8n's TypeScript type allows only one kind of rule per test, but n8n itself checks the
	// type of each rule.
	rules: [...statusRules, ...webPageRules] as ICredentialTestRequest['rules'],
};
