import type { WorkflowNode } from '../../harness/n8n/setup';
import type { StripeSubscription } from '../../harness/senders/stripe';
import { all, faster, settings, until } from './workflows/kit';
import {
	INTERVAL,
	check,
	checksBegun,
	emailOf,
	feedStateOf,
	filled,
	isOpen,
	kit,
	mailed,
	members,
	told,
	use,
	useStripeKit,
	watch,
} from './workflows/stripeMembers';

/** What happens if checks meet. */
useStripeKit();

const isClosed = (one: StripeSubscription) => feedStateOf(emailOf(one)) === 'deactivated';

/** Someone joins, and no event says so. A later check must open the feed. */
async function opensTheNext(email = 'next@example.com'): Promise<void> {
	kit.senders.stripe.join(email, 'Nora Next');
	await until('a later check opens a feed', () => isOpen(email), 90_000);
}

it('does everything once if two checks start at the same time', async () => {
	await use(INTERVAL, {}, ({ name, parameters }: WorkflowNode) => {
		if (name !== 'Every 15 Minutes') return;
		const { interval } = parameters.rule as { interval: unknown[] };
		// At the same seconds, in words that n8n does not take for the same.
		interval.push({ field: 'cronExpression', expression: '0,20,40 * * * * *' });
	});
	const all = members(60);
	const [gone, ...staying] = all as [StripeSubscription, ...StripeSubscription[]];
	const closed = watch(staying);
	kit.senders.stripe.join('new@example.com', 'Nora New');
	kit.senders.stripe.end(gone);
	await until('open', () => isOpen('new@example.com'), 60_000);
	await until('closed', () => isClosed(gone), 60_000);
	const [first = 0, second = Infinity] = checksBegun();
	expect(second - first).toBeLessThan(2_000);
	await opensTheNext();
	expect(mailed('new@example.com')).toHaveLength(1);
	expect([closed(), told()]).toEqual([[], []]);
});

it('goes on checking after a check met one by hand', async () => {
	await use(5);
	const all = members(60);
	const [gone, ...staying] = all as [StripeSubscription, ...StripeSubscription[]];
	const closed = watch(staying);
	kit.sandbox.controls.addFaults({ kind: 'stall', stallMs: 25_000, path: '/feeds', times: 1 });
	kit.senders.stripe.end(gone);
	const before = checksBegun().length;
	expect(await check()).toBe('success');
	expect(checksBegun().length).toBeGreaterThan(before + 1);
	expect(isClosed(gone)).toBe(true);
	await opensTheNext();
	expect([closed(), told()]).toEqual([[], []]);
});

it('goes on checking after n8n was killed in the middle of a check', async () => {
	await use(INTERVAL);
	const closed = watch(members(60));
	kit.sandbox.controls.addFaults({ kind: 'stall', stallMs: 60_000, path: '/subscribers' });
	const reads = () => kit.sandbox.state.requests.length;
	const before = reads();
	await until('Sync reads', () => reads() > before, 60_000);
	await kit.restart();
	await opensTheNext();
	await until('the team is told', () => told().length > 0, 60_000);
	expect(told().map(({ subject }) => subject)).toEqual(['Something failed: Stripe Members']);
	expect(closed()).toEqual([]);
});

it('lets two senders with the same credential take turns, and each closes only its own', async () => {
	const { patreon } = kit.senders;
	patreon.people.all.length = 0;
	const paying = members(60);
	const known = kit.sandbox.state.subscribers.slice(60, 120);
	const patrons = known.map((one) => {
		const patron = patreon.people.join(one.email, 'Pat Patron');
		Object.assign(one, { customer_id: `patreon-9${patron.id}`, plan_id: null, plan_name: null });
		return patron;
	});
	const closed = watch(paying.slice(1));
	kit.senders.stripe.end(paying[0] as StripeSubscription);
	Object.assign(patrons[0] ?? {}, { status: 'former_patron' });
	const values = settings({ ...filled, campaign: '77' });
	const other = await kit.use('patreon.json', all(values, faster(INTERVAL)));
	await use(INTERVAL);
	await until('closed', () => isClosed(paying[0] as StripeSubscription), 60_000);
	await until('closed', () => feedStateOf(String(patrons[0]?.email)) === 'deactivated', 60_000);
	await opensTheNext();
	await kit.unuse(other);
	expect(patrons.filter(({ email }) => !isOpen(String(email)))).toHaveLength(1);
	expect([closed(), told()]).toEqual([[], []]);
});
