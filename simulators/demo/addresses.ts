import type { MockServers } from '../memberships';

/** How often the demo checks the list of members. */
export const CHECK_SECONDS = 20;

/** The demo's SMTP server, its desk, and the stand-ins for membership systems. */
export interface DemoAddresses {
	smtpPort: number;
	desk: string;
	senders: MockServers;
	sandbox: { accessToken: string; baseUrl: string };
}
