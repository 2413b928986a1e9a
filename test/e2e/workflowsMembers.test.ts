import { signAsStripe } from './workflows/cancellations';
import { secrets, shortWaits, startKit, until, type Kit } from './workflows/kit';
import { changed, type Json } from './workflows/payloads';
import { addListener, person, requests, setFeed } from './workflows/people';

let kit: Kit;

beforeAll(async () => (kit = await startKit()));
afterAll(async () => await kit?.stop());
beforeEach(() => {
	kit.sandbox.reset();
	kit.senders.replies.clear();
	kit.mailbox.mails.length = 0;
	kit.mailbox.refusing = false;
});

const secret = { 'x-secret': secrets.header };

describe('membership cancelled anywhere', () => {
	const email = 'pat.member@example.com';
	const body = JSON.stringify({ email });
	let id: string;
	beforeAll(async () => (id = await kit.use('membership-cancelled-any-system.json')));
	afterAll(async () => await kit.unuse(id));
	beforeEach(async () => await addListener(kit, email));

	it('lets nobody in who does not know the secret', async () => {
		const answers = [
			await kit.call('membership-ended', body),
			await kit.call('membership-ended', body, { 'x-secret': 'a guess' }),
		];
		expect(answers.map(({ status }) => status)).toEqual([403, 403]);
		expect(person(kit, email)).toBeDefined();
	});

	it('closes the feed, once, and says so', async () => {
		const first = await kit.call('membership-ended', body, secret);
		const second = await kit.call('membership-ended', body, secret);
		expect([first.status, await first.json()]).toEqual([
			200,
			{ deleted: true, alreadyMissing: false },
		]);
		expect([second.status, await second.json()]).toEqual([
			200,
			{ deleted: false, alreadyMissing: true },
		]);
		expect(person(kit, email)).toBeUndefined();
		expect(kit.mailbox.mails).toEqual([]);
	});

	it('answers 502 and tells a person when it fails', async () => {
		kit.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'DELETE' });
		expect((await kit.call('membership-ended', body, secret)).status).toBe(502);
		expect((await kit.mailbox.next(/still has access/)).text).toContain(email);
		expect((await kit.call('membership-ended', body, secret)).status).toBe(200);
		expect(person(kit, email)).toBeUndefined();
	});

	it.each(['{}', '{ "email": "pat@example..com" }', '{ "email": ["pat@example.com"] }'])(
		'answers 400 to %s, and tells a person',
		async (call) => {
			const answer = await kit.call('membership-ended', call, secret);
			expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/email/i)]);
			await kit.mailbox.next(/still has access/);
			expect(requests(kit, 'DELETE')).toBe(0);
		},
	);
});

describe('membership cancelled, the smallest workflow', () => {
	it('closes the feed, and answers 502 for somebody who is not there', async () => {
		const id = await kit.use('membership-cancelled.json');
		await addListener(kit, 'pat.member@example.com');
		const body = JSON.stringify({ email: 'pat.member@example.com' });
		expect((await kit.call('membership-cancelled', body)).status).toBe(200);
		expect(person(kit, 'pat.member@example.com')).toBeUndefined();
		expect((await kit.call('membership-cancelled', body)).status).toBe(502);
		await kit.unuse(id);
	});
});

describe('new member', () => {
	const email = 'new.member@example.com';
	const body = JSON.stringify({ email, firstName: 'Nora', lastName: 'New', customerId: 'm-17' });
	let id: string;
	beforeAll(async () => (id = await kit.use('new-member.json', shortWaits)));
	afterAll(async () => await kit.unuse(id));

	it('opens one feed and mails its address once, though it is told twice', async () => {
		expect((await kit.call('new-member', body)).status).toBe(403);
		expect((await kit.call('new-member', body, secret)).status).toBe(200);
		const mail = await kit.mailbox.next(/Your private feed/);
		const again = await kit.call('new-member', body, secret);
		expect(await again.json()).toEqual({ action: 'unchanged' });
		expect(person(kit, email)).toMatchObject({
			first_name: 'Nora',
			last_name: 'New',
			customer_id: 'm-17',
			state: 'available',
		});
		expect(requests(kit, 'POST /subscribers')).toBe(1);
		expect(mail.to).toBe(email);
		const [feed] = /http:\S+/.exec(mail.text) ?? [];
		expect((await fetch(String(feed))).status).toBe(200);
		expect(kit.mailbox.mails).toHaveLength(1);
	});

	it('opens the feed again of somebody who comes back', async () => {
		await addListener(kit, email);
		await setFeed(kit, email, 'inactive');
		expect(person(kit, email)?.state).toBe('deactivated');
		expect((await kit.call('new-member', body, secret)).status).toBe(200);
		await kit.mailbox.next(/Your private feed/);
		expect(person(kit, email)?.state).toBe('available');
	});

	it('does not touch a name that it is not told', async () => {
		await kit.call('new-member', body, secret);
		await kit.mailbox.next(/Your private feed/);
		await kit.call('new-member', JSON.stringify({ email }), secret);
		expect(person(kit, email)).toMatchObject({ first_name: 'Nora', customer_id: 'm-17' });
	});

	it('answers 502 and tells a person when the feed cannot be opened', async () => {
		const fault = { kind: 'status', status: 403, method: 'POST', path: '/subscribers' } as const;
		kit.sandbox.controls.addFaults(fault);
		expect((await kit.call('new-member', body, secret)).status).toBe(502);
		expect((await kit.mailbox.next(/no open feed/)).text).toContain(email);
		expect((await kit.call('new-member', body, secret)).status).toBe(200);
		await kit.mailbox.next(/Your private feed/);
	});

	it.each([
		['suspended', 'The feed is suspended'],
		['charge_failure', 'could not charge'],
		['pending', 'a checkout at Supercast'],
	] as const)(
		'leaves a feed closed whose state is %s, and tells a person',
		async (state, words) => {
			await addListener(kit, email);
			kit.sandbox.controls.setState(email, state);
			expect((await kit.call('new-member', body, secret)).status).toBe(409);
			expect((await kit.mailbox.next(/no open feed/)).text).toContain(words);
			expect(person(kit, email)?.state).toBe(state);
			expect(kit.mailbox.mails).toHaveLength(1);
		},
	);

	it.each(['{}', '{ "email": "x" }'])('answers 400 to %s, and tells a person', async (call) => {
		expect((await kit.call('new-member', call, secret)).status).toBe(400);
		await kit.mailbox.next(/no open feed/);
		expect(kit.sandbox.stats().requests).toBe(0);
	});

	it('mails again when the mail server was away', async () => {
		kit.mailbox.refusing = true;
		expect((await kit.call('new-member', body, secret)).status).toBe(200);
		await new Promise((resolve) => setTimeout(resolve, 1_500));
		kit.mailbox.refusing = false;
		await kit.mailbox.next(/Your private feed/);
		expect(kit.mailbox.mails).toHaveLength(1);
	});
});

describe('payment failed or recovered in Stripe', () => {
	const email = 'jennyrosen@example.com';
	const path = 'payment-failed-stripe';
	let id: string;
	beforeAll(async () => (id = await kit.use('payment-failed-stripe.json')));
	afterAll(async () => await kit.unuse(id));
	beforeEach(async () => await addListener(kit, email));

	function event(before: string, after: string): Json {
		return changed('stripe-subscription-updated', {
			'data.object.status': after,
			'data.previous_attributes': { status: before },
		});
	}

	/** What Stripe says when it is asked. */
	function isNow(status: string, others: string[] = []): void {
		const id = 'sub_1MowQVLkdIwHu7ixeRlqHVzs';
		const data = [
			{ id, status },
			...others.map((other, at) => ({ id: `sub_${at}`, status: other })),
		];
		const body = { id, status, customer: { email, subscriptions: { data } } };
		kit.senders.replies.set('/v1/subscriptions/', { body });
	}

	async function deliver(body: Json, key = secrets.hmac): Promise<number> {
		const text = JSON.stringify(body);
		return (await kit.call(path, text, signAsStripe(text, key))).status;
	}

	it('suspends and reopens the feed, and may be told twice', async () => {
		isNow('past_due');
		const failed = event('active', 'past_due');
		expect(await deliver(failed, 'another secret')).toBe(401);
		expect(person(kit, email)?.state).toBe('available');
		expect([await deliver(failed), await deliver(failed)]).toEqual([200, 200]);
		expect(person(kit, email)?.state).toBe('suspended');
		isNow('active');
		const paid = event('past_due', 'active');
		expect(await deliver(paid, 'another secret')).toBe(401);
		expect(person(kit, email)?.state).toBe('suspended');
		expect([await deliver(paid), await deliver(paid)]).toEqual([200, 200]);
		expect(person(kit, email)?.state).toBe('available');
		expect(kit.mailbox.mails).toEqual([]);
	});

	it('goes by what is true now when events come late', async () => {
		isNow('active');
		expect(await deliver(event('active', 'past_due'))).toBe(200);
		expect(person(kit, email)?.state).toBe('available');
	});

	it('leaves the feed open of somebody who pays for another subscription', async () => {
		isNow('past_due', ['canceled', 'active']);
		expect(await deliver(event('active', 'past_due'))).toBe(200);
		expect(person(kit, email)?.state).toBe('available');
		isNow('past_due', ['canceled', 'past_due']);
		expect(await deliver(event('active', 'past_due'))).toBe(200);
		expect(person(kit, email)?.state).toBe('suspended');
	});

	it('leaves a suspended feed alone when nothing was made up for', async () => {
		await setFeed(kit, email, 'suspended');
		isNow('active');
		const harmless = [
			event('trialing', 'active'),
			changed('stripe-subscription-updated', {
				'data.object.status': 'active',
				'data.previous_attributes': { cancel_at_period_end: false },
			}),
		];
		expect([await deliver(harmless[0]!), await deliver(harmless[1]!)]).toEqual([200, 200]);
		expect(person(kit, email)?.state).toBe('suspended');
	});

	it('answers 502 and tells a person when it fails', async () => {
		isNow('past_due');
		kit.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'PATCH' });
		expect(await deliver(event('active', 'past_due'))).toBe(502);
		expect((await kit.mailbox.next(/does not follow/)).text).toContain(`Member: ${email}\n`);
		expect(await deliver(event('active', 'past_due'))).toBe(200);
		expect(person(kit, email)?.state).toBe('suspended');
		await until('one mail', () => kit.mailbox.mails.length === 1);
	});
});
