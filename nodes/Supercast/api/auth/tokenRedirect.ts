import type { SendContext } from '../http/send';
import { asRecord } from '../json';

/** Addresses that do not redirect, as this process has found out. */
const direct = new Set<string>();

/**
 * Finds out whether a token endpoint redirects, with a request that holds no secret. n8n's OAuth2
 * client follows redirects. A 307 or 308 would send the client secret and the refresh token to the
 * new address. Checks each address once per process. Does not throw.
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
		// If the endpoint has another fault, the request for a token will report it.
	}
	return false;
}
