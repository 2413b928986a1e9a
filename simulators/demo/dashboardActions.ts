import { ask } from '../../test/harness/system/http';
import type { SandboxAddress } from '../../test/harness/sandbox';
import { YEARLY, type StripeMockServer, type StripeSubscription } from '../memberships/stripe';
import type { ResponseFault } from '../memberships/server';
import { SYNC_SECONDS } from './addresses';

/** What the buttons act on. */
export interface DemoServices {
	sandbox: SandboxAddress;
	stripe: StripeMockServer;
	/** The faults of the mock servers. */
	faults: ResponseFault[];
	/** IDs of the customers whose feeds were open before the demo. */
	existing?: ReadonlySet<string>;
	/** Whether someone has switched a service off. */
	down: { stripe: boolean; supercast: boolean };
}

/** A button. */
export interface DashboardAction {
	path: string;
	label: string;
	/** The column that it belongs to. */
	place: 'stripe' | 'supercast';
	/** Whether it makes sense now. Without this function, it always does. */
	isOffered?: (down: DemoServices['down']) => boolean;
	/** Runs the action, and returns what happened. */
	run: (services: DemoServices) => Promise<string> | string;
}

const NEXT = `The next sync run comes within ${SYNC_SECONDS} seconds`;
const NOBODY = 'Nobody is a member at Stripe. Press "A Member Pays" first.';
let count = 0;

/** A new member pays at Stripe. */
export function payAsNewMember({ stripe }: DemoServices): StripeSubscription {
	count += 1;
	return stripe.join(`new.member.${count}@example.com`, `New Member ${count}`);
}

/** The newest subscription that has not ended. */
function newest({ stripe }: DemoServices): StripeSubscription | undefined {
	return stripe.subscriptions.filter(({ status }) => status !== 'canceled').at(-1);
}

function pay(services: DemoServices): string {
	const { customer } = payAsNewMember(services);
	return `${customer.email} pays at Stripe. ${NEXT}, and opens a private feed.`;
}

function cancel(services: DemoServices): string {
	const subscription = newest(services);
	if (subscription === undefined) return NOBODY;
	services.stripe.end(subscription);
	return `${subscription.customer.email} cancels at Stripe. ${NEXT}, and closes the feed.`;
}

function switchPlans(services: DemoServices): string {
	const old = newest(services);
	if (old === undefined) return NOBODY;
	services.stripe.end(old);
	services.stripe.subscribe(old.customer, YEARLY);
	return `${old.customer.email} switches plans: one subscription ends, and another begins. The feed stays open.`;
}

function late(services: DemoServices): string {
	const subscription = newest(services);
	if (subscription === undefined) return NOBODY;
	subscription.status = 'past_due';
	return `A payment of ${subscription.customer.email} is late. The feed stays open while Stripe tries again.`;
}

function stopStripe({ faults, down }: DemoServices): string {
	const body = { error: { message: 'Stripe is down' } };
	faults.push({ system: 'stripe', path: '/v1/', status: 500, body });
	down.stripe = true;
	return "Stripe is down. n8n can't read who pays, so no feed changes.";
}

function startStripe({ faults, down }: DemoServices): string {
	faults.length = 0;
	down.stripe = false;
	return `Stripe is up again. ${NEXT}.`;
}

/** Makes the sandbox do something that its members or Supercast would do. */
async function control(
	{ sandbox }: DemoServices,
	path: string,
	happened: string,
	{ json, method = 'POST' }: { json?: unknown; method?: string } = {},
): Promise<string> {
	const url = new URL(`/_sandbox/${path}`, sandbox.baseUrl).href;
	const { status } = await ask(url, { method, json });
	return status < 300 ? happened : `The sandbox answered with ${status}.`;
}

async function stopSupercast(services: DemoServices): Promise<string> {
	const json = { kind: 'status', status: 503, share: 1, seed: 1 };
	services.down.supercast = true;
	return await control(
		services,
		'faults',
		'Supercast is down. The nodes try again for ten minutes before they give up.',
		{ json },
	);
}

async function startSupercast(services: DemoServices): Promise<string> {
	services.down.supercast = false;
	return await control(services, 'faults', `Supercast is up again. ${NEXT}.`, { method: 'DELETE' });
}

const SOON = 'n8n looks every minute.';

/** All actions of the dashboard. */
export const actions: DashboardAction[] = [
	{ path: '/pay', label: 'A Member Pays', place: 'stripe', run: pay },
	{ path: '/cancel', label: 'A Member Cancels', place: 'stripe', run: cancel },
	{ path: '/switch', label: 'A Member Switches Plans', place: 'stripe', run: switchPlans },
	{ path: '/late', label: 'A Payment Is Late', place: 'stripe', run: late },
	{
		path: '/stripe-away',
		label: 'Stripe Is Down',
		place: 'stripe',
		isOffered: ({ stripe }) => !stripe,
		run: stopStripe,
	},
	{
		path: '/stripe-back',
		label: 'Stripe Is Up Again',
		place: 'stripe',
		isOffered: ({ stripe }) => stripe,
		run: startStripe,
	},
	{
		path: '/alert',
		label: 'A Feed Is Shared',
		place: 'supercast',
		run: async (services) =>
			await control(services, 'usage-alerts', `Supercast raises an alert. ${SOON}`, {
				json: { count: 1 },
			}),
	},
	{
		path: '/question',
		label: 'A Member Asks',
		place: 'supercast',
		run: async (services) =>
			await control(services, 'records', `A member asks a question. ${SOON}`, {
				json: { resource: 'questions', count: 1 },
			}),
	},
	{
		path: '/episode',
		label: 'An Episode Is Published',
		place: 'supercast',
		run: async (services) =>
			await control(services, 'records', `An episode is published. ${SOON}`, {
				json: { resource: 'episodes', count: 1 },
			}),
	},
	{
		path: '/away',
		label: 'Supercast Is Down',
		place: 'supercast',
		isOffered: ({ supercast }) => !supercast,
		run: stopSupercast,
	},
	{
		path: '/back',
		label: 'Supercast Is Up Again',
		place: 'supercast',
		isOffered: ({ supercast }) => supercast,
		run: startSupercast,
	},
];
