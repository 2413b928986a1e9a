import type { WorkflowNode } from '../../../harness/n8n/setup';
import { PRODUCT, YEARLY, type StripeSubscription } from '../../../harness/senders/stripe';
import type { SandboxOptions } from '../../../sandbox';
import { all, faster, settings, startKit, until, type Kit } from './kit';
import { person } from './people';

/** A check every so many seconds, instead of 15 minutes. The rest is what the file says. */
export const INTERVAL = 20;

/** What a person fills in. */
export const filled = {
	products: `${PRODUCT}, ${YEARLY}`,
	mailFrom: 'podcast@example.com',
	tellWhom: 'you@example.com',
	dryRun: false,
	welcomeText: 'Hello {name}: {feed}',
	againText: 'Welcome back, {name}: {feed}',
};
const { ENGINE = 'legacy', HEAP = '512' } = process.env;
/** The settings of n8n that workflows/README.md names against too much memory. */
export const smallN8n: NodeJS.ProcessEnv = {
	N8N_EXPRESSION_ENGINE: ENGINE,
	NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
};
/** An event. */
export const CREATED = 'customer.subscription.created';
/** An event. */
export const UPDATED = 'customer.subscription.updated';

/** The environment of the running test file. */
export let kit: Kit;
let id: string | undefined;

/** Starts the environment of a test file, and empties it before each test. `env` is for n8n. */
export function useStripeKit(sandbox: SandboxOptions = {}, env: NodeJS.ProcessEnv = {}): void {
	// The limit of Supercast, with the credential's own pacing.
	const options = { subscribers: 300, rateLimit: 100, ...sandbox };
	beforeAll(async () => (kit = await startKit(options, env)));
	afterAll(async () => await kit?.stop());
	beforeEach(() => {
		const { stripe, faults, asked } = kit.senders;
		kit.sandbox.reset();
		kit.mailbox.mails.length = 0;
		stripe.subscriptions.length = 0;
		stripe.webhooks.length = 0;
		faults.length = 0;
		asked.length = 0;
	});
	afterEach(async () => {
		if (id === undefined) return;
		await kit.unuse(id);
		const going = async () => await kit.executions(id ?? '');
		await until(
			'executions end',
			async () => (await going()).every(({ status }) => !['new', 'running'].includes(status)),
			180_000,
		);
		id = undefined;
	});
}

/** Publishes the workflow. Without `every`, only the button runs a check. */
export async function use(
	every?: number,
	values: Record<string, unknown> = {},
	...edits: Array<(node: WorkflowNode) => void>
) {
	const given = settings({ ...filled, ...values });
	id = await kit.use('stripe.json', all(given, faster(every), ...edits));
	return id;
}

/** Runs a check by the button. */
export const check = async () => await kit.run(id ?? '', 'Every 15 Minutes');
/** When checks began to read. */
export const checksBegun = () =>
	kit.senders.asked.filter(({ url }) => url.startsWith('/v1/products')).map(({ at }) => at);
/** The state of someone's subscriber. */
export const feedStateOf = (email: string): string => person(kit, email)?.state ?? 'nobody';
/** Whether someone's feed is open. */
export const isOpen = (email: string): boolean => feedStateOf(email) === 'available';
/** The email of a subscription. */
export const emailOf = ({ customer }: StripeSubscription): string => customer.email ?? '';
/** The emails to the team. */
export const told = () => kit.mailbox.mails.filter(({ to }) => to === 'you@example.com');
/** The emails to a member. */
export const mailed = (email: string) => kit.mailbox.mails.filter(({ to }) => to === email);

/** Members who pay, and have open feeds. */
export function members(count: number): StripeSubscription[] {
	const people = kit.sandbox.controls.state().subscribers.slice(0, count);
	return people.map((one) => {
		const subscription = kit.senders.stripe.join(one.email, `${one.first_name} ${one.last_name}`);
		Object.assign(one, { customer_id: subscription.customer.id, plan_id: null, plan_name: null });
		return subscription;
	});
}

/** Watches until the returned function is called, which names those whose feed was ever closed. */
export function watch(subscriptions: StripeSubscription[]): () => string[] {
	const closed = new Set<string>();
	const emails = subscriptions.map(emailOf);
	const look = () => {
		for (const email of emails) if (!isOpen(email)) closed.add(email);
	};
	// A test that fails does not stop it.
	const timer = setInterval(look, 100).unref();
	return () => {
		clearInterval(timer);
		look();
		return [...closed];
	};
}

/** How many feeds are open. */
export const openFeeds = () =>
	kit.sandbox.state.subscribers.filter(({ state }) => state === 'available').length;
/** Waits. */
export const seconds = async (count: number) =>
	await new Promise((resolve) => setTimeout(resolve, count * 1000));
