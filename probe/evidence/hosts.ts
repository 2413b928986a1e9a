const SHARED = 'supercast.tech';

/** Which of Supercast's hosts a base URL is on. */
export function hostKind(baseUrl: string): 'channel' | 'other' | 'shared' {
	const { hostname } = new URL(baseUrl);
	if (hostname === SHARED) return 'shared';
	return hostname.endsWith(`.${SHARED}`) ? 'channel' : 'other';
}

/**
 * The same API on Supercast's other host: the channel's own host for the shared one, and vice
 * versa. Undefined when that is unknown. The token goes only to Supercast's hosts.
 */
export function otherHost(baseUrl: string, subdomain: unknown): string | undefined {
	const { pathname } = new URL(baseUrl);
	const kind = hostKind(baseUrl);
	if (kind === 'channel') return `https://${SHARED}${pathname}`;
	const isName = typeof subdomain === 'string' && /^[a-z0-9][a-z0-9-]*$/i.test(subdomain);
	return kind === 'shared' && isName ? `https://${subdomain}.${SHARED}${pathname}` : undefined;
}
