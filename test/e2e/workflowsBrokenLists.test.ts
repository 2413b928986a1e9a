import { OTHER_PRODUCT, PRODUCT } from '../../harness/senders/stripe';
import { until } from './workflows/kit';
import { requests } from './workflows/people';
import {
	emailOf,
	feedStateOf,
	kit,
	members,
	products,
	seconds,
	told,
	use,
	useStripeKit,
	watch,
} from './workflows/stripeMembers';

/** A check every so many seconds. */
const INTERVAL = 5;

useStripeKit();

it.each([
	['401 on the second page', { status: 401, after: 1 }, /Authorization failed/],
	['429 on the second page', { status: 429, after: 1 }, /too many requests/],
	['500 on the last page', { status: 500, after: 2 }, /not able to process/],
	['an empty list', { status: 200, body: { has_more: false, data: [] } }, /no valid members/],
	[
		'a page that says it is the last',
		{ status: 200, body: { has_more: true, data: [] }, after: 1 },
		/identical/,
	],
])('changes nothing, and says so once: %s', async (_, fault, said) => {
	await use({ every: INTERVAL });
	const all = members(220);
	kit.senders.stripe.end(all[3]!);
	const body = { error: { message: 'An answer of the stand-in' }, has_more: false, data: [] };
	kit.senders.faults.push({ path: '/v1/subscriptions', body, ...fault });
	const closed = watch(all);
	await until('the team is told', () => told().length > 0, 90_000);
	await seconds(2 * INTERVAL);
	expect(closed()).toEqual([]);
	expect(requests(kit, 'PATCH')).toBe(0);
	expect(told().map(({ text }) => text)).toEqual([expect.stringMatching(said)]);
	kit.senders.faults.length = 0;
	await until('closed', () => feedStateOf(emailOf(all[3]!)) === 'deactivated', 60_000);
});

it('changes nothing, and says what to set, when half of the list is missing', async () => {
	await use({ every: INTERVAL });
	const all = members(220);
	all.slice(0, 110).forEach((one) => kit.senders.stripe.end(one));
	const closed = watch(all);
	await until('the team is told', () => told().length > 0, 90_000);
	await seconds(INTERVAL);
	expect(closed()).toEqual([]);
	expect(told()[0]?.text).toMatch(/would close the feeds of 110 of 220 .*'Max Close \(%\)' to 50/s);
});

it.each([['prod_Typo'], [OTHER_PRODUCT]])(
	'names the products that Stripe knows when nobody has %s',
	async (product) => {
		await use({ every: INTERVAL }, products(product));
		const closed = watch(members(30));
		await until('the team is told', () => told().length > 0, 90_000);
		expect(told()[0]?.text).toContain(`Podcast membership (${PRODUCT})`);
		expect([closed(), requests(kit, 'PATCH')]).toEqual([[], 0]);
	},
);

it('tells another fault, and what could not be told, as soon as emails work again', async () => {
	const id = await use({ every: INTERVAL, later: 3 });
	members(30);
	await until('the report of the first check', () => told().length === 1, 60_000);
	kit.mailbox.refusing = true;
	const away = { path: '/v1/subscriptions', status: 500, body: {} };
	kit.senders.faults.push(away);
	await seconds(2 * INTERVAL);
	kit.senders.faults.length = 0;
	kit.mailbox.refusing = false;
	await until('what happened before', () => told().length === 2, 60_000);
	kit.senders.faults.push({ ...away, status: 403 });
	await until('another fault', () => told().length === 3, 60_000);
	await seconds(INTERVAL);
	expect(told().map(({ text }) => /(not able to process|Forbidden)/.exec(text)?.[1])).toEqual([
		undefined,
		'not able to process',
		'Forbidden',
	]);
	expect((await kit.executions(id)).filter(({ status }) => status === 'waiting')).toEqual([]);
});

it('tells a fault once that could not be told before n8n was killed', async () => {
	// n8n keeps an execution in its database from 65 seconds on.
	const id = await use({ every: INTERVAL, later: 66 });
	members(30);
	await until('the report of the first check', () => told().length === 1, 60_000);
	kit.mailbox.refusing = true;
	kit.senders.faults.push({ path: '/v1/subscriptions', status: 500, body: {} });
	const isWaiting = async () =>
		(await kit.executions(id)).some(({ status }) => status === 'waiting');
	await until('the alert waits', isWaiting, 60_000);
	await kit.restart();
	kit.mailbox.refusing = false;
	await until('the alert', () => told().length === 2, 120_000);
	await seconds(2 * INTERVAL);
	expect(told().map(({ text }) => /not able to process/.test(text))).toEqual([false, true]);
	expect(await isWaiting()).toBe(false);
});
