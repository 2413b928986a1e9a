import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { DashboardN8n } from './dashboardRuns';

/** The cookie of a browser that has opened the dashboard with its key. */
const COOKIE = 'supercast-dashboard';

/**
 * Lets the reader's browser into n8n without a password. n8n's session is a cookie, and browsers use
 * a host's cookies for all its ports. So the dashboard can set it.
 *
 * Other programs and users of this machine can reach the dashboard too. They don't have its key, which
 * only the terminal shows, so n8n asks them for the password.
 */
export class DashboardLogin {
	private readonly key = randomBytes(16).toString('base64url');

	/** The address to open first, with the key. */
	loginUrl(url: string): string {
		return `${url}/?key=${this.key}`;
	}

	/** Whether the address has the key. The browser then keeps it, and opens the dashboard without it. */
	admit({ searchParams }: URL, response: ServerResponse): boolean {
		if (searchParams.get('key') !== this.key) return false;
		const cookie = `${COOKIE}=${this.key}; Path=/; HttpOnly; SameSite=Strict`;
		response.writeHead(303, { location: '/', 'set-cookie': cookie }).end();
		return true;
	}

	/** Leads to a page of n8n, with a new session if the browser has the key. */
	async open(
		n8n: DashboardN8n,
		{ searchParams }: URL,
		request: IncomingMessage,
		response: ServerResponse,
	): Promise<void> {
		const page = new URL(searchParams.get('to') ?? '/', n8n.url);
		const location = page.origin === new URL(n8n.url).origin ? page.href : n8n.url;
		const cookies = (request.headers.cookie ?? '').split('; ');
		const session = cookies.includes(`${COOKIE}=${this.key}`) ? await n8n.logIn() : undefined;
		const cookie = session && { 'set-cookie': `${session}; Path=/; HttpOnly; SameSite=Lax` };
		response.writeHead(303, { location, ...cookie }).end();
	}
}

/** The dashboard's address that leads to a page of n8n. */
export function loginPath(path: string): string {
	return `/n8n?to=${encodeURIComponent(path)}`;
}
