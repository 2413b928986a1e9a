import { senderCases, signAsStripe, type SenderCase } from './workflows/cancellations';
import { secrets, shortWaits, startKit, until, type Kit } from './workflows/kit';
import { changed, sample, type Json } from './workflows/payloads';
import type { Reply } from './workflows/senders';

let kit: Kit;

beforeAll(async () => (kit = await startKit()));
afterAll(async () => await kit?.stop());

function answering(replies: Record<string, Reply>): void {
	kit.senders.replies.clear();
	for (const [path, reply] of Object.entries(replies)) kit.senders.replies.set(path, reply);
}

async function deliver(sender: SenderCase, body: Json, secret = secrets.hmac): Promise<Response> {
	const text = JSON.stringify(body);
	return await kit.call(sender.path, text, sender.sign(text, secret));
}

/** Makes a listener, in a sandbox that has nobody else with that address. */
async function addListener(email: string): Promise<void> {
	kit.sandbox.reset();
	const { baseUrl, accessToken } = kit.sandbox;
	const response = await fetch(`${baseUrl}/subscribers`, {
		method: 'POST',
		body: JSON.stringify({ subscriber: { email } }),
		headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
	});
	expect(response.status).toBe(201);
}

function listens(email: string): boolean {
	return kit.sandbox.state.subscribers.some((one) => one.email === email);
}

/** Deletions that reached the service. */
function deletions(): number {
	return kit.sandbox.state.requests.filter(({ route }) => route.startsWith('DELETE')).length;
}

async function allEnded(id: string): Promise<void> {
	const going = ['new', 'running', 'waiting'];
	await until('all executions end', async () =>
		(await kit.executions(id)).every(({ status }) => !going.includes(status)),
	);
}

describe.each(senderCases)('membership cancelled in $name', (sender) => {
	let id: string;
	beforeAll(async () => (id = await kit.use(sender.file, shortWaits)));
	afterAll(async () => await kit.unuse(id));
	beforeEach(async () => {
		answering(sender.api);
		await addListener(sender.email);
		kit.mailbox.mails.length = 0;
	});

	it('believes nobody else: a wrong signature, none, and a body that was changed', async () => {
		const text = JSON.stringify(sender.ended);
		const answers = [
			await deliver(sender, sender.ended, 'another secret'),
			await kit.call(sender.path, text),
			await kit.call(sender.path, `${text} `, sender.sign(text, secrets.hmac)),
		];
		expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
		await allEnded(id);
		expect(listens(sender.email)).toBe(true);
		expect(kit.sandbox.stats().requests).toBe(1);
	});

	it.each(sender.harmless)('leaves a member alone: $why', async ({ body, api }) => {
		if (api) answering(api);
		expect((await deliver(sender, body)).status).toBe(200);
		// One that waits for the end of a paid period goes on looking.
		await new Promise((resolve) => setTimeout(resolve, 1_500));
		expect(listens(sender.email)).toBe(true);
		expect(deletions()).toBe(0);
		answering(sender.settled ?? {});
		await allEnded(id);
	});

	it('closes the feed at the end, once, however often it is told', async () => {
		expect((await deliver(sender, sender.ended)).status).toBe(200);
		await until('the feed closes', () => !listens(sender.email));
		const others = JSON.stringify(kit.sandbox.state.subscribers);
		expect((await deliver(sender, sender.ended)).status).toBe(200);
		await allEnded(id);
		expect(JSON.stringify(kit.sandbox.state.subscribers)).toBe(others);
		expect(deletions()).toBe(2);
		expect(kit.mailbox.mails).toEqual([]);
		const [second, first] = await kit.executions(id);
		expect([first?.status, second?.status]).toEqual(['success', 'success']);
	});

	it('tells a person when it fails, and gets it done all the same', async () => {
		kit.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'DELETE' });
		const answer = await deliver(sender, sender.ended);
		expect(answer.status).toBe(sender.redelivers ? 502 : 200);
		const mail = await kit.mailbox.next(/still has access/);
		expect(mail.text).toContain(`Member: ${sender.email}\n`);
		if (sender.redelivers) {
			expect(listens(sender.email)).toBe(true);
			expect((await deliver(sender, sender.ended)).status).toBe(200);
		}
		await until('the feed closes', () => !listens(sender.email));
		await allEnded(id);
		expect(kit.mailbox.mails).toHaveLength(1);
	});
});

describe('what only some senders do', () => {
	it('Stripe: refuses an old delivery that somebody kept', async () => {
		const id = await kit.use('membership-cancelled-stripe.json');
		const text = JSON.stringify(sample('stripe-subscription-deleted'));
		const old = signAsStripe(text, secrets.hmac, Date.now() / 1000 - 400);
		expect((await kit.call('membership-cancelled-stripe', text, old)).status).toBe(401);
		await kit.unuse(id);
	});

	it('Ghost: closes the feed of a paying member who is deleted, not of a free one', async () => {
		const ghost = senderCases.find(({ name }) => name === 'Ghost')!;
		const id = await kit.use(ghost.file);
		await addListener('testemail2@example.com');
		const free = changed('ghost-member-deleted', { 'member.previous.status': 'free' });
		expect((await deliver(ghost, free)).status).toBe(200);
		await allEnded(id);
		expect(listens('testemail2@example.com')).toBe(true);
		expect((await deliver(ghost, sample('ghost-member-deleted'))).status).toBe(200);
		await until('the feed closes', () => !listens('testemail2@example.com'));
		await kit.unuse(id);
	});

	it('WooCommerce: answers the ping of a new webhook', async () => {
		const id = await kit.use('membership-cancelled-woocommerce.json');
		const form = { 'content-type': 'application/x-www-form-urlencoded' };
		const ping = await kit.call('membership-cancelled-woocommerce', 'webhook_id=142', form);
		expect(ping.status).toBe(200);
		await kit.unuse(id);
	});

	it('Patreon: closes the feed when the paid period is over', async () => {
		const patreon = senderCases.find(({ name }) => name === 'Patreon')!;
		const id = await kit.use(patreon.file, shortWaits);
		await addListener(patreon.email);
		answering(patreon.harmless[0]?.api ?? {});
		await deliver(patreon, patreon.ended);
		await new Promise((resolve) => setTimeout(resolve, 2_500));
		expect(listens(patreon.email)).toBe(true);
		answering(patreon.api);
		await until('the feed closes', () => !listens(patreon.email));
		await kit.unuse(id);
	});
});
