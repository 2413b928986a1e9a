import { join } from 'node:path';

import type { Damage, MemberList } from './damages';
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
	/** How many requests a list received since `asked` was emptied. */
	requests: (list: MemberList) => number;
	/**
	 * Environment variables for n8n, so that its requests to Stripe and Patreon reach the
	 * stand-ins.
	 */
	env: NodeJS.ProcessEnv;
	/** The text of a workflow, with the addresses of the stand-ins in place of the user's own. */
	redirect: (workflow: string) => string;
}

const PATHS: Record<MemberList, RegExp> = {
	stripe: /^\/v1\/subscriptions/,
	patreon: /^\/api\/oauth2\/v2\/campaigns\/[^/]+\/members/,
	memberful: /^\/api\/graphql/,
	ghost: /^\/ghost\/api\/admin\/members\//,
	woocommerce: /^\/wp-json\/wc\/v3\/subscriptions/,
	list: /^\/members\.csv/,
};

/** Starts the stand-ins. */
export async function startSenders(): Promise<Senders> {
	const damages: Damage[] = [];
	const all = {
		stripe: new StripeStandIn(damages),
		patreon: new PatreonStandIn(damages),
		memberful: new MemberfulStandIn(damages),
		ghost: new GhostStandIn(damages),
		woocommerce: new WooCommerceStandIn(damages),
		list: new ListStandIn(damages),
	};
	const server = await startSenderServer(
		damages,
		Object.values(all).map((sender) => (app) => sender.routes(app)),
	);
	const { origin, asked } = server;
	return {
		...server,
		...all,
		requests: (list) => asked.filter(({ url }) => PATHS[list].test(url)).length,
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
