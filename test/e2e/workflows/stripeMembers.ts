import type { StripeSubscription } from '../../../simulators/memberships/stripe';
import type { SandboxOptions } from '../../../simulators/supercast';
import { all, ready, startFixture, until, type Edit, type Fixture, type Ready } from './fixture';
import { counting } from './lists';
import { person } from './people';

/** The environment of the running test file. */
export let fixture: Fixture;
let id: string | undefined;

/** Starts the environment of a test file, and empties it before each test. `env` is for n8n. */
export function useStripeFixture(sandbox: SandboxOptions = {}, env: NodeJS.ProcessEnv = {}): void {
	const options = { subscribers: 300, rateLimit: 0, ...sandbox };
	beforeAll(async () => (fixture = await startFixture(options, env)));
	afterAll(async () => await fixture?.stop());
	beforeEach(() => {
		const { stripe, faults, asked } = fixture.senders;
		fixture.sandbox.reset();
		fixture.mailbox.mails.length = 0;
		fixture.mailbox.refusing = false;
		stripe.subscriptions.length = 0;
		faults.length = 0;
		asked.length = 0;
	});
	afterEach(async () => {
		if (id === undefined) return;
		await fixture.unuse(id);
		const going = async () => await fixture.executions(id ?? '');
		await until(
			'executions end',
			async () => (await going()).every(({ status }) => !['new', 'running'].includes(status)),
			180_000,
		);
		id = undefined;
	});
}

/** Publishes the workflow. Without `every`, only the button runs a sync run. */
export async function use(how: Ready = {}, ...edits: Edit[]) {
	id = await fixture.use('stripe.json', all(ready(how), ...edits));
	return id;
}

/** Counts only one product. */
export const products = (product: string): Edit => counting(product);

/** Runs a sync run by the button. */
export const syncRun = async () => await fixture.run(id ?? '', 'Every 5 Minutes');
/** Asks for new members by the button. */
export const askForNew = async () => await fixture.run(id ?? '', 'Every Minute');
/** Runs a sync run by the button, and returns what Sync did. */
export const look = async () => await fixture.look(id ?? '', 'Every 5 Minutes', 'Sync');
/** The state of someone's subscriber. */
export const feedStateOf = (email: string): string => person(fixture, email)?.state ?? 'nobody';
/** Whether someone's feed is open. */
export const isOpen = (email: string): boolean => feedStateOf(email) === 'available';
/** The email of a subscription. */
export const emailOf = ({ customer }: StripeSubscription): string => customer.email ?? '';
/** The emails to the team. */
export const told = () => fixture.mailbox.mails.filter(({ to }) => to === 'you@example.com');

/** Members who pay, and have open feeds. */
export function members(count: number): StripeSubscription[] {
	const people = fixture.sandbox.controls.state().subscribers.slice(0, count);
	return people.map((one) => {
		const subscription = fixture.senders.stripe.join(
			one.email,
			`${one.first_name} ${one.last_name}`,
		);
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

/** Waits. */
export const seconds = async (count: number) =>
	await new Promise((resolve) => setTimeout(resolve, count * 1000));
