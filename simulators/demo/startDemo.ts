import { startEnvironment, type Environment } from '../../test/harness/environment';
import { logIn } from '../../test/harness/n8n/setup';
import { startMailbox, type Mailbox } from '../../test/harness/mailbox';
import { startMockServers } from '../memberships';
import { startDashboard, type Dashboard } from './dashboard';
import type { DemoServices } from './dashboardActions';
import { changesFeeds, demoContents } from './contents';
import { joinLongAgo, openFeeds } from './members';

/** Everything that the demo consists of, running. */
export interface Demo {
	environment: Environment;
	dashboard: Dashboard;
	mailbox: Mailbox;
	/** What the buttons of the dashboard act on. */
	services: DemoServices;
	stop: () => Promise<void>;
}

/**
 * Starts Stripe's mock server with a hundred members, the sandbox, the dashboard, and n8n with all
 * workflows.
 *
 * @param onDashboard Called as soon as the dashboard has an address, long before n8n is ready.
 */
export async function startDemo(
	onDashboard: (dashboard: Dashboard) => void = () => undefined,
): Promise<Demo> {
	const mailbox = await startMailbox();
	const senders = await startMockServers();
	const { stripe, faults } = senders;
	const existing = joinLongAgo(stripe);
	// These have no feeds yet. The first sync run opens them.
	for (const name of ['Ana', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'])
		stripe.join(`${name.toLowerCase()}@example.com`, `${name} Bell`);
	const dashboard = await startDashboard(mailbox);
	onDashboard(dashboard);
	let memberWorkflows: string[] = [];
	const environment = await startEnvironment(async (sandbox) => {
		await openFeeds(sandbox, existing);
		const contents = demoContents({
			sandbox,
			senders,
			dashboard: dashboard.url,
			smtpPort: mailbox.port,
		});
		memberWorkflows = contents.workflows.filter(changesFeeds).map(({ id }) => id);
		return contents;
	});
	const { sandbox, server, client } = environment;
	const services = {
		...{ sandbox, stripe, faults, down: { stripe: false, supercast: false } },
		existing: new Set(existing.map(({ customer }) => customer.id)),
	};
	const newSession = async (): Promise<string> => (await logIn(server)).cookie;
	dashboard.connect(services, { url: server.url, client, logIn: newSession, memberWorkflows });
	const stop = async (): Promise<void> => {
		await environment.stop();
		await Promise.all([dashboard.close(), mailbox.close(), senders.close()]);
	};
	return { environment, dashboard, mailbox, services, stop };
}
