import type { SendContext } from '../http/send';
import { asRecord } from '../json';

/** Addresses that this process has checked and that do not redirect. */
const direct = new Set<string>();

/**
 * Checks whether a token endpoint redirects, with a request that contains no secrets. n8n's OAuth2
 * client follows redirects. After a 307 or 308, it would send the client secret and the refresh
 * token to the new address. Once an address has responded without a redirect, this process does not
 * check it again. Does not throw.
 */
export async function isRedirected({ n8n, timeoutMs }: SendContext, url: string): Promise<boolean> {
	if (direct.has(url)) return false;
	try {
		const answer: unknown = await n8n.helpers.httpRequest({
			method: 'POST',
			url,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
		});
		const status = Number(asRecord(answer).statusCode);
		if (status >= 300 && status < 400) return true;
		direct.add(url);
	} catch {
		// If the endpoint fails in another way, the token request reports that.
	}
	return false;
}
