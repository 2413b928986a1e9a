import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialTestRequest,
} from 'n8n-workflow';

const NOT_THE_API =
	"The Base URL is not that of Supercast's API. It is the whole address up to the version, such as https://supercast.tech/api/v1.";

type StatusSentences = Record<number, string>;

const SENTENCES_FOR_ALL: StatusSentences = {
	301: NOT_THE_API,
	302: NOT_THE_API,
	307: NOT_THE_API,
	308: NOT_THE_API,
	404: NOT_THE_API,
	429: "Supercast's limit of 100 requests a minute is used up. Wait a minute and test again.",
};

const ACCESS_TOKEN_SENTENCES: StatusSentences = {
	401: 'Supercast does not know this access token: it is mistyped or revoked. Generate a new one in Supercast under Settings, API, and paste it here.',
	403: 'Supercast knows this access token but permits it nothing here. Generate a token in the channel that the Base URL names.',
};

const OAUTH2_SENTENCES: StatusSentences = {
	401: 'Supercast does not accept the token of this connection. Check that Base URL and Access Token URL belong together, then connect again.',
	403: "Supercast knows this connection but permits it nothing here. Check 'Scope', and that Base URL or Subdomain names a channel whose owner has authorized the application.",
	422: "Supercast did not accept the request. If the application is a superapp, 'Subdomain' has to name the channel.",
};

function statusRules(sentences: StatusSentences): IAuthenticateRuleResponseCode[] {
	return Object.entries({ ...SENTENCES_FOR_ALL, ...sentences }).map(([status, message]) => ({
		type: 'responseCode',
		properties: { value: Number(status), message },
	}));
}

// n8n compares one value of the answer. A web page arrives as a text, whose place 0 is its first
// character, while the API's object has no key "0".
const webPageRules = ['<', '\n', '\r', ' ', '\uFEFF'].map(
	(value): IAuthenticateRuleResponseSuccessBody => ({
		type: 'responseSuccessBody',
		properties: { key: '0', value, message: NOT_THE_API },
	}),
);

/**
 * The test behind "Save" in a credential: reads the channel, which a token of scope `public` may do
 * (scopes: specification, section 5.2; the path: the vendor's Ruby client).
 */
function readsTheChannel(
	sentences: StatusSentences,
	more: Partial<ICredentialTestRequest['request']> = {},
): ICredentialTestRequest {
	return {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/channel',
			disableFollowRedirect: true,
			...more,
		},
		// n8n's type asks for one kind of rule, while n8n itself looks at each rule's own type.
		rules: [...statusRules(sentences), ...webPageRules] as ICredentialTestRequest['rules'],
	};
}

/** The test of a manual access token. */
export const accessTokenTest = readsTheChannel(ACCESS_TOKEN_SENTENCES);

/** The test of an OAuth2 connection. n8n fetches the token that client credentials do not have yet. */
export const oAuth2Test = readsTheChannel(OAUTH2_SENTENCES, {
	// The node refuses plain http to another machine. Here nothing can refuse, so it becomes https.
	baseURL:
		'={{ $credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/^http:(?!\\/\\/(localhost|\\[::1\\]|127(\\.\\d{1,3}){3})[:\\/])/i, "https:") }}',
	qs: { subdomain: '={{ $credentials.subdomain?.trim() || undefined }}' },
});
