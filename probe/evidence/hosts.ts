const SHARED = 'supercast.tech';

/** Which of the service's hosts a base URL is on. */
export function hostKind(baseUrl: string): 'channel' | 'other' | 'shared' {
	const { hostname } = new URL(baseUrl);
	if (hostname === SHARED) return 'shared';
	return hostname.endsWith(`.${SHARED}`) ? 'channel' : 'other';
}

/**
 * The same API on the service's other host: the channel's own for the shared one, and the other way
 * round. Undefined when that is not known; the token goes to hosts of the service alone.
 */
export function otherHost(baseUrl: string, subdomain: unknown): string | undefined {
	const { pathname } = new URL(baseUrl);
	const kind = hostKind(baseUrl);
	if (kind === 'channel') return `https://${SHARED}${pathname}`;
	const isName = typeof subdomain === 'string' && /^[a-z0-9][a-z0-9-]*$/i.test(subdomain);
	return kind === 'shared' && isName ? `https://${subdomain}.${SHARED}${pathname}` : undefined;
}
