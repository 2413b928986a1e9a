import type { SendContext } from '../http/send';
import { asRecord } from '../json';
import type { TokenFailure } from '../types';
import { endpointCodeFailure, endpointStatusFailure } from './parseTokenError';

/** Addresses that this process has checked and that do not redirect. */
const direct = new Set<string>();

/**
 * Checks that a token endpoint does not redirect, with a request that contains no secrets. n8n's
 * OAuth2 client follows redirects. After a 307 or 308, it would send the client secret and the
 * refresh token to the new address. Once an address has answered as a token endpoint does, this
 * process does not check it again. Does not throw.
 *
 * @returns Why the endpoint must not receive any secrets. Undefined if it may.
 */
export async function checkTokenEndpoint(
	{ n8n, timeoutMs }: SendContext,
	url: string,
	signal: AbortSignal,
): Promise<TokenFailure | undefined> {
	if (direct.has(url)) return undefined;
	try {
		const answer: unknown = await n8n.helpers.httpRequest({
			method: 'POST',
			url,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: signal,
		});
		const status = Number(asRecord(answer).statusCode);
		if (status >= 300 && status < 400) return { kind: 'token', problem: 'redirected' };
		// RFC 6749, section 5.2: without its parameters, a token request gets 400, or 401.
		const isDirect = (status >= 200 && status < 300) || status === 400 || status === 401;
		if (!isDirect) return endpointStatusFailure(status);
		direct.add(url);
		return undefined;
	} catch (error) {
		return endpointCodeFailure(asRecord(error).code);
	}
}
