import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialTestRequest,
} from 'n8n-workflow';

const NOT_THE_API =
	"The Base URL is not that of Supercast's API. It is the whole address up to the version, such as https://supercast.tech/api/v1.";

const STATUS_SENTENCES: Record<number, string> = {
	301: NOT_THE_API,
	302: NOT_THE_API,
	307: NOT_THE_API,
	308: NOT_THE_API,
	401: 'Supercast does not know this access token: it is mistyped, expired or revoked. Generate a new one in Supercast under Settings, API, and paste it here.',
	403: 'Supercast knows this access token but permits it nothing here. Generate a token in the channel that the Base URL names.',
	404: NOT_THE_API,
	429: "Supercast's limit of 100 requests a minute is used up. Wait a minute and test again.",
};

const statusRules = Object.entries(STATUS_SENTENCES).map(
	([status, message]): IAuthenticateRuleResponseCode => ({
		type: 'responseCode',
		properties: { value: Number(status), message },
	}),
);

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
export const credentialTest: ICredentialTestRequest = {
	request: {
		baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
		url: '/channel',
		disableFollowRedirect: true,
	},
	// n8n's type asks for one kind of rule, while n8n itself looks at each rule's own type.
	rules: [...statusRules, ...webPageRules] as ICredentialTestRequest['rules'],
};
