import { join } from 'node:path';

import { ghostSystem } from './ghost';
import { listSystem } from './list';
import { memberfulSystem } from './memberful';
import { patreonSystem } from './patreon';
import { startSharedServer, type SharedServer } from './server';
import { stripeSystem } from './stripe';
import type { MembershipSystem, MockServer } from './system';
import { wooCommerceSystem } from './woocommerce';

/** Every membership system, by the name of its folder. All other lists come from this one. */
const all = {
	stripe: stripeSystem,
	patreon: patreonSystem,
	memberful: memberfulSystem,
	ghost: ghostSystem,
	woocommerce: wooCommerceSystem,
	list: listSystem,
};

/** The name of a system. */
export type SystemName = keyof typeof all;

/** The mock server of each system. */
type MockServerOf = { [Name in SystemName]: ReturnType<(typeof all)[Name]['create']> };

/** Every membership system. */
export const SYSTEMS: Record<SystemName, MembershipSystem> = all;
/** The names of the systems. */
export const systemNames = Object.keys(all) as SystemName[];
/** The systems that one workflow takes as one list, by its file. */
export const JOINED: Record<string, SystemName[]> = {
	'stripe-and-patreon.json': ['stripe', 'patreon'],
};

/** The mock servers of all membership systems, at one address. */
export interface MockServers extends SharedServer, MockServerOf {
	/** How many requests for its list a system received since `asked` was emptied. */
	requests: (name: SystemName) => number;
	/** Removes all members, injected faults and noted requests. */
	clear: () => void;
	/** Environment variables for n8n, so that its requests to fixed hosts reach the mock servers. */
	env: NodeJS.ProcessEnv;
	/** The text of a workflow, with the address of the mock servers in place of other ones. */
	redirect: (workflow: string) => string;
}

/** Starts the mock servers. */
export async function startMockServers(): Promise<MockServers> {
	const created = Object.fromEntries(
		Object.entries(SYSTEMS).map(([name, system]) => [name, system.create()]),
	) as MockServerOf;
	const servers = Object.entries(created) as Array<[SystemName, MockServer]>;
	const shared = await startSharedServer(
		servers.map(
			([, server]) =>
				(app) =>
					server.routes(app),
		),
	);
	const { origin, asked, faults } = shared;
	const hosts = Object.values(SYSTEMS).flatMap(({ host = [] }) => host);
	return {
		...shared,
		...created,
		requests: (name) => asked.filter(({ url }) => url.startsWith(SYSTEMS[name].list.path)).length,
		clear: () => {
			asked.length = 0;
			faults.length = 0;
			for (const [name, server] of servers) {
				server.pageFaults.length = 0;
				SYSTEMS[name].members.of(server).all.length = 0;
			}
		},
		env: {
			NODE_OPTIONS: `--require ${join(__dirname, 'redirect.cjs')}`,
			MOCK_SERVERS_ORIGIN: origin,
			MOCK_SERVERS_HOSTS: hosts.join(),
		},
		redirect: (workflow) =>
			hosts
				.reduce((text, host) => text.replaceAll(`https://${host}`, origin), workflow)
				.replaceAll(/https:\/\/YOUR-SITE[\w.-]*/g, origin),
	};
}
