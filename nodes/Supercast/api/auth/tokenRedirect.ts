import type { SendContext } from '../http/send';
import { asRecord } from '../json';

/** Addresses that were seen not to redirect, in this process. */
const direct = new Set<string>();

/**
 * Finds out whether a token endpoint redirects, by a request without any secret. n8n's OAuth2 client
 * follows redirects, and a 307 or 308 would carry the client secret and the refresh token to wherever
 * it leads. Asked once for each address in a process. Does not throw.
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
		// What is wrong with the endpoint, the request for a token will say.
	}
	return false;
}
