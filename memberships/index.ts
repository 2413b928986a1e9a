import { join } from 'node:path';

import { GhostStandIn } from './ghost';
import { ListStandIn } from './list';
import { MemberfulStandIn } from './memberful';
import { PatreonStandIn } from './patreon';
import { startSenderServer, type SenderServer } from './server';
import { StripeStandIn } from './stripe';
import { WooCommerceStandIn } from './woocommerce';

/** Stand-ins for the membership systems, all at one address. */
export interface Senders extends SenderServer {
	stripe: StripeStandIn;
	patreon: PatreonStandIn;
	memberful: MemberfulStandIn;
	ghost: GhostStandIn;
	woocommerce: WooCommerceStandIn;
	list: ListStandIn;
	/**
	 * Environment variables for n8n, so that its requests to Stripe and Patreon reach the
	 * stand-ins.
	 */
	env: NodeJS.ProcessEnv;
	/** The text of a workflow, with the addresses of the stand-ins in place of the user's own. */
	redirect: (workflow: string) => string;
}

/** Starts the stand-ins. */
export async function startSenders(): Promise<Senders> {
	const all = {
		stripe: new StripeStandIn(),
		patreon: new PatreonStandIn(),
		memberful: new MemberfulStandIn(),
		ghost: new GhostStandIn(),
		woocommerce: new WooCommerceStandIn(),
		list: new ListStandIn(),
	};
	const server = await startSenderServer(
		Object.values(all).map((sender) => (app) => sender.routes(app)),
	);
	const { origin } = server;
	return {
		...server,
		...all,
		env: {
			NODE_OPTIONS: `--require ${join(__dirname, 'redirect.cjs')}`,
			SENDERS_ORIGIN: origin,
		},
		redirect: (workflow) =>
			workflow
				.replaceAll('https://api.stripe.com', origin)
				.replaceAll('https://www.patreon.com', origin)
				.replaceAll(/https:\/\/YOUR-SITE(?:\.memberful\.com)?/g, origin),
	};
}
