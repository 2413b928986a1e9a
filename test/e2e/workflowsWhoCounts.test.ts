import type { SenderMember } from '../../harness/senders/people';
import { PRODUCT, type StripeSubscription } from '../../harness/senders/stripe';
import { all, faster, settings, startKit, until, type Kit } from './workflows/kit';
import { person, requests } from './workflows/people';

const DAY = 86_400_000;
const filled = { mailFrom: 'podcast@example.com', tellWhom: 'you@example.com', dryRun: false };

let kit: Kit;
let workflow: string | undefined;

beforeAll(async () => (kit = await startKit({ subscribers: 60, rateLimit: 0 })));
afterAll(async () => await kit?.stop());
beforeEach(() => {
	kit.sandbox.reset();
	kit.mailbox.mails.length = 0;
	const { asked, faults, ghost, list, memberful, patreon, stripe, woocommerce } = kit.senders;
	for (const { people } of [ghost, list, memberful, patreon, woocommerce]) people.all.length = 0;
	stripe.subscriptions.length = 0;
	faults.length = 0;
	asked.length = 0;
});
afterEach(async () => {
	if (workflow !== undefined) await kit.unuse(workflow);
	workflow = undefined;
});

async function use(file: string, values: Record<string, unknown>, every?: number): Promise<void> {
	workflow = await kit.use(file, all(settings({ ...filled, ...values }), faster(every)));
}
const check = async () => await kit.run(workflow ?? '', 'Every 15 Minutes');
const stateOf = (email: string | null) => person(kit, String(email))?.state ?? 'nobody';

/** Patrons who have open feeds. */
function patrons(): SenderMember[] {
	return kit.sandbox.controls.state().subscribers.map((one) => {
		const patron = kit.senders.patreon.people.join(one.email, 'Pat Patron');
		Object.assign(one, { customer_id: `patreon-9${patron.id}`, plan_id: null, plan_name: null });
		return patron;
	});
}

it('keeps a patron without tiers, and one whose charge was declined a few days ago', async () => {
	await use('patreon.json', { campaign: '77', tiers: '501' });
	const all = patrons();
	const emails = all.map(({ email }) => email);
	const changes: Array<Partial<SenderMember>> = [
		{ products: [] },
		{ status: 'declined_patron', products: [], lastCharge: Date.now() - 6 * DAY },
		{ email: null },
		{ status: 'declined_patron', lastCharge: Date.now() - 8 * DAY },
		{ products: ['502'] },
	];
	changes.forEach((change, at) => Object.assign(all[at] as SenderMember, change));
	expect(await check()).toBe('success');
	const states = emails.map(stateOf);
	expect(states.slice(3, 5)).toEqual(['deactivated', 'deactivated']);
	expect(states.filter((state) => state === 'available')).toHaveLength(58);
});

it('renews a token of Patreon that has expired', async () => {
	const { patreon } = kit.senders;
	patreon.people.join('ann@example.com', 'Ann Bell');
	await use('patreon.json', { campaign: '77' });
	for (let time = 0; time < 2; time++) {
		patreon.expire();
		expect(await check()).toBe('success');
	}
	expect(stateOf('ann@example.com')).toBe('available');
});

describe('Stripe and Patreon in one list', () => {
	const both = { campaign: '77', products: PRODUCT };
	let all: SenderMember[];
	beforeEach(async () => {
		all = patrons();
		await use('stripe-and-patreon.json', both);
	});

	it('keep someone who moves from one to the other, or is on both', async () => {
		const { stripe } = kit.senders;
		const [there, back, twice, gone] = all as [
			SenderMember,
			SenderMember,
			SenderMember,
			SenderMember,
		];
		const [, before] = [there, back, twice].map(({ email }) => stripe.join(email, 'Sue Stripe'));
		Object.assign(person(kit, String(back.email)) ?? {}, { customer_id: before?.customer.id });
		stripe.end(before as StripeSubscription);
		for (const one of [there, gone]) one.status = 'former_patron';
		const states = ['available', 'available', 'available', 'deactivated'];
		for (let time = 0; time < 2; time++) {
			expect(await check()).toBe('success');
			expect([there, back, twice, gone].map(({ email }) => stateOf(email))).toEqual(states);
		}
		expect(requests(kit, 'PATCH /feeds')).toBe(1);
	});

	it.each(['/v1/subscriptions', '/campaigns/77/members'])(
		'change nothing if the list of one cannot be read: %s',
		async (path) => {
			kit.senders.stripe.join('sue@example.com', 'Sue Stripe');
			(all[0] as SenderMember).status = 'former_patron';
			kit.senders.faults.push({ path, status: 500, body: {} });
			expect(await check()).toBe('error');
			expect(requests(kit, 'P')).toBe(0);
		},
	);
});

/** Publishes a workflow that fails, and returns what the email about it says. */
async function told(file: string, values: Record<string, unknown>): Promise<string> {
	await use(file, values, 5);
	await until('the team is told', () => kit.mailbox.mails.length > 0, 60_000);
	return kit.mailbox.mails[0]?.text ?? '';
}

it.each([
	['memberful.json', 'site'],
	['ghost.json', 'site'],
	['woocommerce.json', 'site'],
	['any-list.json', 'listUrl'],
])('%s asks nobody, and says what to fill in, while %s is empty', async (file, field) => {
	expect(await told(file, { [field]: '' })).toMatch(
		`What happened: Invalid URL: ${field} in Settings is empty`,
	);
	expect([kit.senders.asked, requests(kit, '')]).toEqual([[], 0]);
});

const UNKNOWN_TIER = /Patreon does not know all tiers.*It knows: 501 \(Listener\)/;
it.each([
	['patreon.json', { campaign: '77', tiers: '501, 999' }, UNKNOWN_TIER],
	['woocommerce.json', { products: '77, 99' }, /WooCommerce does not know all products.*77 \(/],
	['stripe-and-patreon.json', { products: PRODUCT, campaign: '77', tiers: '999' }, UNKNOWN_TIER],
	[
		'stripe-and-patreon.json',
		{ products: `${PRODUCT}, prod_Typo`, campaign: '77' },
		/Stripe does not know all products.*It knows: prod_Members \(/,
	],
])('%s names an unknown value of Settings, and changes nothing: %j', async (file, values, said) => {
	patrons();
	expect(await told(file, values)).toMatch(said);
	expect(requests(kit, 'P')).toBe(0);
});

it.each([
	['patreon.json', { campaign: '77' }, '/members'],
	['memberful.json', {}, '/api/graphql'],
	['ghost.json', {}, '/members/'],
	['woocommerce.json', { products: '77' }, '/subscriptions'],
	['any-list.json', {}, '/members.csv'],
	['stripe-and-patreon.json', { products: PRODUCT, campaign: '77' }, '/campaigns/77/members'],
])('%s says that its list could not be read, and changes nothing', async (file, values, path) => {
	patrons();
	kit.senders.stripe.join('sue@example.com', 'Sue Stripe');
	kit.senders.faults.push({ path, status: 500, body: {} });
	expect(await told(file, values)).toMatch(/^Node: Read .*What happened: The service/s);
	expect(requests(kit, 'P')).toBe(0);
});
