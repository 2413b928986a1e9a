import { OTHER_PRODUCT, PRODUCT, type StripeSubscription } from '../../harness/senders/stripe';
import { until } from './workflows/kit';
import { requests } from './workflows/people';
import {
	INTERVAL,
	emailOf,
	kit,
	members,
	seconds,
	feedStateOf,
	told,
	use,
	useStripeKit,
	watch,
} from './workflows/stripeMembers';

useStripeKit();

it.each([
	['401 on the second page', { status: 401, after: 1 }, /Authorization failed/],
	['429 on the second page', { status: 429, after: 1 }, /too many requests/],
	['500 on the last page', { status: 500, after: 2 }, /not able to process/],
	[
		'an empty list',
		{ status: 200, body: { has_more: false, data: [] } },
		/list of members at Stripe is empty/,
	],
	[
		'a page that says it is the last',
		{ status: 200, body: { has_more: true, data: [] }, after: 1 },
		/identical/,
	],
])('changes nothing, and says so: %s', async (_, fault, said) => {
	await use(INTERVAL);
	const all = members(220);
	kit.senders.stripe.end(all[3] as StripeSubscription);
	const body = { error: { message: 'An answer of the stand-in' }, has_more: false, data: [] };
	kit.senders.faults.push({ path: '/v1/subscriptions', body, ...fault });
	const closed = watch(all);
	await until('the team is told', () => told().length > 0, 60_000);
	await seconds(2 * INTERVAL);
	expect(closed()).toEqual([]);
	expect(requests(kit, 'PATCH')).toBe(0);
	expect(told().map(({ text }) => text)).toEqual([expect.stringMatching(said)]);
	kit.senders.faults.length = 0;
	await until(
		'closed',
		() => feedStateOf(emailOf(all[3] as StripeSubscription)) === 'deactivated',
		60_000,
	);
});

it('changes nothing, and says what to set, when half of the list is missing', async () => {
	await use(INTERVAL);
	const all = members(220);
	all.slice(0, 110).forEach((one) => kit.senders.stripe.end(one));
	const closed = watch(all);
	await until('the team is told', () => told().length > 0, 60_000);
	await seconds(INTERVAL);
	expect(closed()).toEqual([]);
	expect(told()[0]?.text).toMatch(/would close the feeds of 110 of 220 .*'Max Close \(%\)' to 50/s);
});

it('stops with a sentence when Settings name a product that Stripe does not know', async () => {
	await use(INTERVAL, { products: `${PRODUCT}, prod_Typo` });
	const all = members(30);
	const closed = watch(all);
	await until('the team is told', () => told().length > 0, 60_000);
	expect(told()[0]?.text).toMatch(/Stripe does not know all products.*It knows: prod_Members \(/s);
	expect(closed()).toEqual([]);
});

it('changes nothing, and says so, when the filter lets nobody through', async () => {
	await use(INTERVAL, { products: OTHER_PRODUCT });
	const closed = watch(members(30));
	await until('the team is told', () => told().length > 0, 60_000);
	expect(told()[0]?.text).toMatch(/list of members at Stripe is empty.*Who Is a Member/);
	expect([closed(), requests(kit, 'PATCH')]).toEqual([[], 0]);
});
