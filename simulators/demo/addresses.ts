import type { MockServers } from '../memberships';

/** How often the demo syncs the list of members. */
export const SYNC_SECONDS = 20;

/** The demo's SMTP server, its dashboard, and the mock servers of membership systems. */
export interface DemoAddresses {
	smtpPort: number;
	dashboard: string;
	senders: MockServers;
	sandbox: { accessToken: string; baseUrl: string };
}
