import { startEnvironment, type Environment } from '../../test/harness/environment';
import { logIn } from '../../test/harness/n8n/setup';
import { startMailbox, type Mailbox } from '../../test/harness/mailbox';
import { startMockServers } from '../memberships';
import { startDesk, type Desk } from './desk';
import type { DeskWorld } from './deskActions';
import { changesFeeds, demoContents } from './kit';
import { joinLongAgo, openFeeds } from './members';

/** Everything that the demo consists of, running. */
export interface Demo {
	environment: Environment;
	desk: Desk;
	mailbox: Mailbox;
	/** What the buttons of the desk act on. */
	world: DeskWorld;
	stop: () => Promise<void>;
}

/**
 * Starts Stripe's stand-in with a hundred members, the sandbox, the desk, and n8n with all
 * workflows.
 *
 * @param onDesk Called as soon as the desk has an address, long before n8n is ready.
 */
export async function startDemo(onDesk: (desk: Desk) => void = () => undefined): Promise<Demo> {
	const mailbox = await startMailbox();
	const senders = await startMockServers();
	const { stripe, faults } = senders;
	const existing = joinLongAgo(stripe);
	// These have no feeds yet. The first check opens them.
	for (const name of ['Ana', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'])
		stripe.join(`${name.toLowerCase()}@example.com`, `${name} Bell`);
	const desk = await startDesk(mailbox);
	onDesk(desk);
	let memberWorkflows: string[] = [];
	const environment = await startEnvironment(async (sandbox) => {
		await openFeeds(sandbox, existing);
		const contents = demoContents({ sandbox, senders, desk: desk.url, smtpPort: mailbox.port });
		memberWorkflows = contents.workflows.filter(changesFeeds).map(({ id }) => id);
		return contents;
	});
	const { sandbox, server, client } = environment;
	const world = {
		...{ sandbox, stripe, faults, down: { stripe: false, supercast: false } },
		existing: new Set(existing.map(({ customer }) => customer.id)),
	};
	const newSession = async (): Promise<string> => (await logIn(server)).cookie;
	desk.connect(world, { url: server.url, client, logIn: newSession, memberWorkflows });
	const stop = async (): Promise<void> => {
		await environment.stop();
		await Promise.all([desk.close(), mailbox.close(), senders.close()]);
	};
	return { environment, desk, mailbox, world, stop };
}
