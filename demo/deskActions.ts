import { ask } from '../harness/system/http';
import type { SandboxAddress } from '../harness/sandbox';
import { YEARLY, type StripeStandIn, type StripeSubscription } from '../harness/senders/stripe';
import type { SenderFault } from '../harness/senders/server';
import { CHECK_SECONDS } from './addresses';

/** What the buttons act on. */
export interface DeskWorld {
	sandbox: SandboxAddress;
	stripe: StripeStandIn;
	/** The faults of the stand-in for Stripe. */
	faults: SenderFault[];
	/** How long the desk waits for n8n to take an event. Usually 3 s. */
	patienceMs?: number;
}

/** A button. */
export interface DeskAction {
	path: string;
	label: string;
	/** Runs the action, and returns what happened. */
	run: (world: DeskWorld) => Promise<string> | string;
}

const CREATED = 'customer.subscription.created';
const NEXT = `The next check comes within ${CHECK_SECONDS} seconds.`;
const NOBODY = 'Nobody is a member at Stripe. Press "A Member Pays" first.';
let count = 0;

/** A new member pays. Stripe sends an event. */
export async function payAsNewMember({
	stripe,
	patienceMs,
}: DeskWorld): Promise<{ subscription: StripeSubscription; trouble?: string }> {
	count += 1;
	const subscription = stripe.join(`new.member.${count}@example.com`, `New Member ${count}`);
	return { subscription, trouble: await sendCreated(stripe, subscription, patienceMs) };
}

/** Sends an event. Returns the reason if n8n did not accept it. */
async function sendCreated(
	stripe: StripeStandIn,
	subscription: StripeSubscription,
	patienceMs = 3_000,
): Promise<string | undefined> {
	const sent = stripe.send(CREATED, subscription).then(
		(statuses) => {
			const refusal = statuses.find((status) => status >= 300);
			return refusal === undefined ? undefined : `n8n refused the event with status ${refusal}.`;
		},
		() => 'n8n could not be reached.',
	);
	const waited = new Promise<string>((resolve) => {
		setTimeout(resolve, patienceMs, 'n8n has not answered yet.').unref();
	});
	return await Promise.race([sent, waited]);
}

/** The newest subscription that has not ended. */
function newest({ stripe }: DeskWorld): StripeSubscription | undefined {
	return stripe.subscriptions.filter(({ status }) => status !== 'canceled').at(-1);
}

async function pay(world: DeskWorld): Promise<string> {
	const { subscription, trouble } = await payAsNewMember(world);
	const next = trouble
		? `${trouble} The next check opens`
		: 'Stripe sends an event, and Welcome opens';
	return `${subscription.customer.email} pays. ${next} the feed.`;
}

function cancel(world: DeskWorld): string {
	const subscription = newest(world);
	if (subscription === undefined) return NOBODY;
	world.stripe.end(subscription);
	return `${subscription.customer.email} cancels. ${NEXT} It closes the feed.`;
}

async function switchPlans(world: DeskWorld): Promise<string> {
	const old = newest(world);
	if (old === undefined) return NOBODY;
	world.stripe.end(old);
	const trouble = await sendCreated(world.stripe, world.stripe.subscribe(old.customer, YEARLY));
	const told = trouble === undefined ? '' : ` ${trouble}`;
	return `${old.customer.email} switches plans.${told} The feed stays as it is.`;
}

function late(world: DeskWorld): string {
	const subscription = newest(world);
	if (subscription === undefined) return NOBODY;
	subscription.status = 'past_due';
	return `A payment of ${subscription.customer.email} failed. The feed stays open while Stripe tries again.`;
}

/** Makes the sandbox do something that its members or Supercast would do. */
async function control(
	{ sandbox }: DeskWorld,
	path: string,
	happened: string,
	json?: unknown,
	method = 'POST',
): Promise<string> {
	const url = new URL(`/_sandbox/${path}`, sandbox.baseUrl).href;
	const { status } = await ask(url, { method, json });
	return status < 300 ? happened : `The sandbox answered with ${status}.`;
}

const away = { kind: 'status', status: 503, share: 1, seed: 1 };
const SOON = 'n8n looks every minute.';

/** All actions of the desk. */
export const actions: DeskAction[] = [
	{ path: '/pay', label: 'A Member Pays', run: pay },
	{ path: '/cancel', label: 'A Member Cancels', run: cancel },
	{ path: '/switch', label: 'A Member Switches Plans', run: switchPlans },
	{ path: '/late', label: 'A Payment Is Late', run: late },
	{
		path: '/stripe-away',
		label: 'Stripe Is Down',
		run: ({ faults }) => {
			faults.push({ path: '/v1/', status: 500, body: { error: { message: 'Stripe is down' } } });
			return `Stripe answers every request with 500. ${NEXT} It changes nothing.`;
		},
	},
	{
		path: '/stripe-back',
		label: 'Stripe Is Up Again',
		run: ({ faults }) => {
			faults.length = 0;
			return `Stripe answers again. ${NEXT}`;
		},
	},
	{
		path: '/away',
		label: 'Supercast Is Down',
		run: async (world) =>
			await control(
				world,
				'faults',
				'Supercast answers every request with 503. The nodes try again for ten minutes.',
				away,
			),
	},
	{
		path: '/back',
		label: 'Supercast Is Up Again',
		run: async (world) =>
			await control(world, 'faults', `Supercast answers again. ${NEXT}`, undefined, 'DELETE'),
	},
	{
		path: '/alert',
		label: 'A Feed Is Shared',
		run: async (world) =>
			await control(world, 'usage-alerts', `Supercast raises an alert. ${SOON}`, { count: 1 }),
	},
	{
		path: '/question',
		label: 'A Member Asks',
		run: async (world) =>
			await control(world, 'records', `A question is there. ${SOON}`, {
				resource: 'questions',
				count: 1,
			}),
	},
	{
		path: '/episode',
		label: 'An Episode Is Published',
		run: async (world) =>
			await control(world, 'records', `An episode is there. ${SOON}`, {
				resource: 'episodes',
				count: 1,
			}),
	},
];
