import { OTHER_PRODUCT, YEARLY, type StripeSubscription } from '../../harness/senders/stripe';
import { until } from './workflows/kit';
import { requests } from './workflows/people';
import {
	CREATED,
	INTERVAL,
	UPDATED,
	check,
	checksBegun,
	emailOf,
	isOpen,
	kit,
	mailed,
	members,
	openFeeds,
	seconds,
	feedStateOf,
	told,
	use,
	useStripeKit,
	watch,
} from './workflows/stripeMembers';

useStripeKit();

it('opens and emails people who pay, and closes people who left', async () => {
	await use(INTERVAL);
	const { stripe } = kit.senders;
	const paying = members(40);
	const ann = stripe.join('ann@example.com', 'Ann Bell');
	await stripe.send(CREATED, ann);
	await until('the event opens the feed', () => isOpen('ann@example.com'));
	const late = stripe.join('late@example.com', 'Late Event');
	await until('the check opens it', () => isOpen('late@example.com'), 60_000);
	expect(mailed('ann@example.com')).toHaveLength(1);
	await until('an email', () => mailed('late@example.com').length === 1);
	stripe.end(ann);
	// Events never close.
	await stripe.send(UPDATED, ann, { status: 'active' });
	await seconds(1);
	expect(feedStateOf('ann@example.com')).toBe('available');
	await until('closed', () => feedStateOf('ann@example.com') === 'deactivated', 60_000);
	const again = stripe.subscribe(ann.customer);
	await stripe.send(CREATED, again);
	await until('open again', () => isOpen('ann@example.com'));
	await until('an email', () => mailed('ann@example.com').length === 2);
	expect(mailed('ann@example.com').map(({ text }) => text)).toEqual([
		expect.stringMatching(/^Hello Ann: http.*\/feeds\//),
		expect.stringMatching(/^Welcome back, Ann: http.*\/feeds\//),
	]);
	expect([...paying, late].filter((one) => feedStateOf(emailOf(one)) !== 'available')).toEqual([]);
	expect(told()).toEqual([]);
});

/** A member leaves. Returns how many checks began before the feed was closed. */
async function checksUntilClosed(one: StripeSubscription): Promise<number> {
	const before = checksBegun().length;
	kit.senders.stripe.end(one);
	await until('closed', () => feedStateOf(emailOf(one)) === 'deactivated', 180_000);
	return checksBegun().length - before;
}

it('closes nobody of 120 who switch plans within a minute, while 8 others leave', async () => {
	await use(INTERVAL);
	const { stripe } = kit.senders;
	const all = members(260);
	const [switching, leaving, staying] = [all.slice(0, 120), all.slice(120, 128), all.slice(128)];
	const closed = watch([...switching, ...staying]);
	const started = Date.now();
	let left = 0;
	const checks: Array<Promise<number>> = [];
	for (const [index, old] of switching.entries()) {
		stripe.end(old);
		void stripe.send('customer.subscription.deleted', old);
		setTimeout(() => {
			const next = stripe.subscribe(old.customer, YEARLY);
			void stripe.send(CREATED, next);
		}, 1000);
		if (index % 15 === 7) checks.push(checksUntilClosed(leaving[left++] as StripeSubscription));
		await new Promise((resolve) => setTimeout(resolve, 450));
	}
	const took = Date.now() - started;
	expect(Math.max(...(await Promise.all(checks)))).toBeLessThanOrEqual(2);
	await seconds(2 * INTERVAL);
	expect(closed()).toEqual([]);
	expect(checks).toHaveLength(8);
	expect(took).toBeLessThan(75_000);
	expect(told()).toEqual([]);
});

it('keeps whose payment is late, whose collection is paused, and who is in trial', async () => {
	await use();
	const DAY = 86_400_000;
	const changes: Array<Partial<StripeSubscription>> = [
		{ status: 'past_due', periodStart: Date.now() - 200 * DAY, product: YEARLY },
		{ status: 'past_due', periodStart: Date.now() - 30 * DAY, collection: 'send_invoice' },
		{ pauseCollection: { behavior: 'void' } },
		{ status: 'trialing' },
		{ status: 'unpaid' },
		{ product: OTHER_PRODUCT },
	];
	const all = members(60);
	changes.forEach((change, at) => Object.assign(all[at] as StripeSubscription, change));
	expect(await check()).toBe('success');
	expect(all.slice(0, 6).map((one) => feedStateOf(emailOf(one)))).toEqual([
		...Array<string>(4).fill('available'),
		...Array<string>(2).fill('deactivated'),
	]);
});

it('keeps a member without an email, and does not create one', async () => {
	await use();
	const all = members(60);
	const [hidden, gone] = all as [StripeSubscription, StripeSubscription];
	const email = emailOf(hidden);
	hidden.customer.email = null;
	kit.senders.stripe.join(null, null);
	kit.senders.stripe.end(gone);
	const before = kit.sandbox.state.subscribers.length;
	expect(await check()).toBe('success');
	expect([feedStateOf(email), feedStateOf(emailOf(gone))]).toEqual(['available', 'deactivated']);
	expect(kit.sandbox.state.subscribers).toHaveLength(before);
});

it('does not close someone who came back before a failed execution is retried', async () => {
	const workflow = await use();
	const all = members(60);
	const [gone] = all as [StripeSubscription];
	kit.senders.stripe.end(gone);
	kit.sandbox.controls.addFaults({
		kind: 'status',
		status: 403,
		method: 'PATCH',
		path: '/feeds',
		share: 1,
	});
	expect(await check()).toBe('error');
	kit.sandbox.controls.clearFaults();
	kit.senders.stripe.subscribe(gone.customer);
	const closed = watch(all);
	const [failed] = await kit.executions(workflow);
	const path = `/executions/${failed?.id}/retry`;
	await kit.environment.client
		.request('POST', path, { loadWorkflow: false })
		.catch(() => undefined);
	const retried = async () => (await kit.executions(workflow)).find(({ mode }) => mode === 'retry');
	await until('the retry ends', async () => {
		const { status = 'none' } = (await retried()) ?? {};
		return !['none', 'new', 'running'].includes(status);
	});
	expect(closed()).toEqual([]);
});

it('opens after a restart what events announced before it, and goes on checking', async () => {
	await use(INTERVAL);
	const { stripe } = kit.senders;
	const all = members(60);
	const joined = Array.from({ length: 40 }, (_, at) =>
		stripe.join(`new.${at}@example.com`, 'New Member'),
	);
	const answers = await Promise.all(joined.map(async (one) => await stripe.send(CREATED, one)));
	expect(answers.flat()).toEqual(Array(40).fill(200));
	await kit.restart();
	const closed = watch(all);
	await until('all feeds are open', () => joined.every((one) => isOpen(emailOf(one))), 120_000);
	stripe.end(all[0] as StripeSubscription);
	await until(
		'closed',
		() => feedStateOf(emailOf(all[0] as StripeSubscription)) === 'deactivated',
		180_000,
	);
	expect(closed()).toEqual([emailOf(all[0] as StripeSubscription)]);
	await until('emails', () => joined.every((one) => mailed(emailOf(one)).length > 0), 60_000).catch(
		() => undefined,
	);
	expect(joined.filter((one) => mailed(emailOf(one)).length > 1)).toEqual([]);
});

it('catches up after an outage of Stripe in which events were lost', async () => {
	await use(INTERVAL);
	const { stripe, faults } = kit.senders;
	const [late, gone, ...others] = members(30) as [
		StripeSubscription,
		StripeSubscription,
		...StripeSubscription[],
	];
	const closed = watch([late, ...others]);
	late.status = 'past_due';
	await stripe.send(UPDATED, late, { status: 'active' });
	faults.push({ path: '/v1/', status: 500, body: {} });
	const ann = stripe.join('ann@example.com', 'Ann Bell');
	await stripe.send(CREATED, ann);
	late.status = 'active';
	await stripe.send(UPDATED, late, { status: 'past_due' });
	stripe.end(gone);
	await seconds(INTERVAL);
	expect(feedStateOf('ann@example.com')).toBe('nobody');
	expect(feedStateOf(emailOf(gone))).toBe('available');
	faults.length = 0;
	await until('open', () => isOpen('ann@example.com'), 60_000);
	await until('closed', () => feedStateOf(emailOf(gone)) === 'deactivated', 60_000);
	expect(closed()).toEqual([]);
});

it('only says what it would do while Dry Run is on, including that it would be refused', async () => {
	const workflow = await use(undefined, { dryRun: true });
	const all = members(100);
	kit.senders.stripe.join('new@example.com', 'New Member');
	all.slice(0, 50).forEach((one) => kit.senders.stripe.end(one));
	await kit.senders.stripe.send(CREATED, all[60] as StripeSubscription);
	const before = requests(kit, 'P');
	expect(await check()).toBe('success');
	expect(await kit.run(workflow, 'Every Morning')).toBe('success');
	expect([requests(kit, 'P'), feedStateOf('new@example.com')]).toEqual([before, 'nobody']);
	const [mail] = told();
	expect(mail?.subject).toEqual(
		expect.stringMatching(/^Stripe Members: 51 members, \d+ open feeds$/),
	);
	expect(mail?.text).toMatch(/Dry Run is on/);
	expect(mail?.text).toMatch(/Opened: 1\nClosed: 50/);
	expect(mail?.text).toMatch(/Sync would close the feeds of 50 of 100/);
	expect(openFeeds()).toBe(kit.sandbox.state.subscribers.length);
});

it('reports every day, even when nothing happened, and calls the monitor', async () => {
	const workflow = await use(undefined, { monitorUrl: `${kit.senders.origin}/monitor` });
	members(50);
	expect(await check()).toBe('success');
	expect(kit.senders.asked.filter(({ url }) => url === '/monitor')).toHaveLength(1);
	expect(await kit.run(workflow, 'Every Morning')).toBe('success');
	expect(told()[0]?.text).toMatch(/Checks in the last 24 hours: 1/);
	expect(told()[0]?.text).toMatch(/Nothing needs a decision/);
});
