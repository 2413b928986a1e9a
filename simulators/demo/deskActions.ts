import { ask } from '../../test/harness/system/http';
import type { SandboxAddress } from '../../test/harness/sandbox';
import { YEARLY, type StripeMockServer, type StripeSubscription } from '../memberships/stripe';
import type { ResponseFault } from '../memberships/server';
import { CHECK_SECONDS } from './addresses';

/** What the buttons act on. */
export interface DeskWorld {
	sandbox: SandboxAddress;
	stripe: StripeMockServer;
	/** The faults of the stand-in for Stripe. */
	faults: ResponseFault[];
	/** IDs of the customers whose feeds were open before the demo. */
	existing?: ReadonlySet<string>;
	/** Whether someone has switched a service off. */
	down: { stripe: boolean; supercast: boolean };
}

/** A button. */
export interface DeskAction {
	path: string;
	label: string;
	/** The column that it belongs to. */
	place: 'stripe' | 'supercast';
	/** Whether it makes sense now. Without this function, it always does. */
	isOffered?: (down: DeskWorld['down']) => boolean;
	/** Runs the action, and returns what happened. */
	run: (world: DeskWorld) => Promise<string> | string;
}

const NEXT = `The next check comes within ${CHECK_SECONDS} seconds`;
const NOBODY = 'Nobody is a member at Stripe. Press "A Member Pays" first.';
let count = 0;

/** A new member pays at Stripe. */
export function payAsNewMember({ stripe }: DeskWorld): StripeSubscription {
	count += 1;
	return stripe.join(`new.member.${count}@example.com`, `New Member ${count}`);
}

/** The newest subscription that has not ended. */
function newest({ stripe }: DeskWorld): StripeSubscription | undefined {
	return stripe.subscriptions.filter(({ status }) => status !== 'canceled').at(-1);
}

function pay(world: DeskWorld): string {
	const { customer } = payAsNewMember(world);
	return `${customer.email} pays at Stripe. ${NEXT}, and opens a private feed.`;
}

function cancel(world: DeskWorld): string {
	const subscription = newest(world);
	if (subscription === undefined) return NOBODY;
	world.stripe.end(subscription);
	return `${subscription.customer.email} cancels at Stripe. ${NEXT}, and closes the feed.`;
}

function switchPlans(world: DeskWorld): string {
	const old = newest(world);
	if (old === undefined) return NOBODY;
	world.stripe.end(old);
	world.stripe.subscribe(old.customer, YEARLY);
	return `${old.customer.email} switches plans: one subscription ends, and another begins. The feed stays open.`;
}

function late(world: DeskWorld): string {
	const subscription = newest(world);
	if (subscription === undefined) return NOBODY;
	subscription.status = 'past_due';
	return `A payment of ${subscription.customer.email} is late. The feed stays open while Stripe tries again.`;
}

function stopStripe({ faults, down }: DeskWorld): string {
	faults.push({ path: '/v1/', status: 500, body: { error: { message: 'Stripe is down' } } });
	down.stripe = true;
	return "Stripe is down. n8n can't read who pays, so no feed changes.";
}

function startStripe({ faults, down }: DeskWorld): string {
	faults.length = 0;
	down.stripe = false;
	return `Stripe is up again. ${NEXT}.`;
}

/** Makes the sandbox do something that its members or Supercast would do. */
async function control(
	{ sandbox }: DeskWorld,
	path: string,
	happened: string,
	{ json, method = 'POST' }: { json?: unknown; method?: string } = {},
): Promise<string> {
	const url = new URL(`/_sandbox/${path}`, sandbox.baseUrl).href;
	const { status } = await ask(url, { method, json });
	return status < 300 ? happened : `The sandbox answered with ${status}.`;
}

async function stopSupercast(world: DeskWorld): Promise<string> {
	const json = { kind: 'status', status: 503, share: 1, seed: 1 };
	world.down.supercast = true;
	return await control(
		world,
		'faults',
		'Supercast is down. The nodes try again for ten minutes before they give up.',
		{ json },
	);
}

async function startSupercast(world: DeskWorld): Promise<string> {
	world.down.supercast = false;
	return await control(world, 'faults', `Supercast is up again. ${NEXT}.`, { method: 'DELETE' });
}

const SOON = 'n8n looks every minute.';

/** All actions of the desk. */
export const actions: DeskAction[] = [
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
		run: async (world) =>
			await control(world, 'usage-alerts', `Supercast raises an alert. ${SOON}`, {
				json: { count: 1 },
			}),
	},
	{
		path: '/question',
		label: 'A Member Asks',
		place: 'supercast',
		run: async (world) =>
			await control(world, 'records', `A member asks a question. ${SOON}`, {
				json: { resource: 'questions', count: 1 },
			}),
	},
	{
		path: '/episode',
		label: 'An Episode Is Published',
		place: 'supercast',
		run: async (world) =>
			await control(world, 'records', `An episode is published. ${SOON}`, {
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
