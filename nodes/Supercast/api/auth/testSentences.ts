/** What the tests of both credential types say. */

import { CHANNEL_BASE_URL, SHARED_BASE_URL } from '../http/address';

/**
 * It is not documented which of the two hosts accepts a token. The reference uses a channel's own
 * host, but the vendor's Ruby client uses the shared host. So every message about a wrong host
 * names both.
 */
const OTHER_HOST = `If you entered the shared address, ${SHARED_BASE_URL}, try your channel's own, such as ${CHANNEL_BASE_URL}. If you entered your channel's own, try the shared one.`;

export const NOT_THE_API = `'Base URL' does not point to the Supercast API. Check that it ends with /api/v1. ${OTHER_HOST}`;
const REDIRECT = `'Base URL' redirects to another address. Check that it ends with /api/v1. ${OTHER_HOST}`;

/** Says that 'Base URL' is only the host. */
export const NO_VERSION = `'Base URL' has no version. Add /api/v1 to its end, as in ${SHARED_BASE_URL}.`;

/** Replaces the sentences about a wrong address if 'Base URL' does not end with a version. */
export function noVersion(baseUrl: string): string | undefined {
	if (/\/v\d+$/.test(baseUrl)) return undefined;
	const [, rest] = /\/v\d+(\/.+)$/.exec(baseUrl) ?? [];
	if (rest !== undefined) {
		return `'Base URL' goes on after the version. Remove ${rest} from its end, as in ${SHARED_BASE_URL}.`;
	}
	const { origin, pathname } = new URL(baseUrl);
	if (pathname === '/') return NO_VERSION;
	return `'Base URL' has no version. It is probably the address of a page. Enter ${origin}/api/v1.`;
}

const SENTENCES_FOR_ALL: Record<number, string> = {
	301: REDIRECT,
	302: REDIRECT,
	307: REDIRECT,
	308: REDIRECT,
	404: NOT_THE_API,
	429: "Supercast's limit of 100 requests per minute was reached. Test again in a minute.",
};

/** What the test of an access token says about a status. */
export const ACCESS_TOKEN_SENTENCES: Record<number, string> = {
	...SENTENCES_FOR_ALL,
	401: `Supercast does not recognize this access token at 'Base URL'. Paste it again, or generate a new one in Supercast under Settings, API. If the token is new, check 'Base URL'. ${OTHER_HOST}`,
	403: `The access token is valid, but not for this channel. Generate a token in the channel that 'Base URL' points to. ${OTHER_HOST}`,
};

/** What the test of an OAuth2 connection says about a status. */
export const OAUTH2_SENTENCES: Record<number, string> = {
	...SENTENCES_FOR_ALL,
	401: `Supercast rejected the token of this connection. Check that 'Base URL' and 'Access Token URL' use the same host, then connect again. ${OTHER_HOST}`,
	403: `The connection is valid, but not for this channel. Check 'Scope'. Also check that 'Base URL' or 'Subdomain' points to a channel whose owner has authorized the application. ${OTHER_HOST}`,
	422: "Supercast did not accept the request. If the application is a superapp, enter the channel in 'Subdomain'.",
};
