import { ghostSystem } from './ghost';
import { listSystem } from './list';
import { memberfulSystem } from './memberful';
import { patreonSystem } from './patreon';
import { startMockServersOf, type MockServersOf } from './start';
import { stripeSystem } from './stripe';
import type { MembershipSystem } from './system';
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

/** Every membership system. */
export const SYSTEMS: Record<SystemName, MembershipSystem> = all;
/** The names of the systems. */
export const systemNames = Object.keys(all) as SystemName[];
/** The systems that one workflow takes as one list, by its file. */
export const JOINED: Record<string, SystemName[]> = {
	'stripe-and-patreon.json': ['stripe', 'patreon'],
};

/** The systems that a workflow file reads. */
export function systemsOf(file: string): SystemName[] {
	return JOINED[file] ?? systemNames.filter((name) => SYSTEMS[name].file === file);
}

/** The mock servers of all membership systems. */
export type MockServers = MockServersOf<typeof all>;

/** Starts the mock servers of all membership systems. */
export async function startMockServers(): Promise<MockServers> {
	return await startMockServersOf(all);
}
