import type { AccessCase, Feed, Sender } from './workflows/cases/case';
import { senders } from './workflows/cases';
import { registration } from './workflows/cases/stripeApi';
import { secrets, settings, startKit, until, type Kit } from './workflows/kit';
import type { Json } from './workflows/payloads';
import { asOwner, person, requests, setFeed } from './workflows/people';
import type { Reply } from './workflows/senders';
import type { WorkflowNode } from '../../harness/n8n/setup';

let kit: Kit;
let setAccess: string;
const addresses = new Map<string, string>();
const ids = new Map<string, string>();

beforeAll(async () => {
	kit = await startKit();
	await kit.use('on-error.json');
	setAccess = await kit.use('set-access.json', impatient);
	answering(registration);
	for (const sender of senders) {
		const fill = settings(sender.settings(kit.senders.origin));
		ids.set(sender.name, await kit.use(sender.file, fill));
		addresses.set(sender.name, addressOf(sender));
	}
});
afterAll(async () => await kit?.stop());

/** A test does not wait as long for a system that is down. */
function impatient(node: WorkflowNode): void {
	if (!node.type.endsWith('.supercast')) return;
	node.parameters.options = { ...(node.parameters.options as Json), maxWaitSeconds: 1 };
}

/** Stripe gets the address from n8n. A person enters it in the others. */
function addressOf({ name, file }: Sender): string {
	if (name !== 'Stripe') return file.replace('.json', '');
	const asked = kit.senders.asked.find(({ path }) => path === '/v1/webhook_endpoints');
	const url = new URLSearchParams(asked?.body).get('url') ?? '';
	return url.split('/webhook/')[1] ?? '';
}

function answering(replies: Record<string, Reply>): void {
	kit.senders.replies.clear();
	for (const [path, reply] of Object.entries(replies)) kit.senders.replies.set(path, reply);
}

type Delivery = Pick<AccessCase, 'body' | 'headers' | 'says'>;

async function deliver(
	sender: Sender,
	{ body, headers, says }: Delivery,
	secret = secrets.hmac,
): Promise<number> {
	answering(says);
	const text = JSON.stringify(body);
	const signed = sender.sign(text, secret, headers);
	const answer = await kit.call(addresses.get(sender.name) ?? '', text, signed);
	await ended(sender);
	return answer.status;
}

/** Workflows that respond first are not done when they have responded. */
async function ended(sender: Sender): Promise<void> {
	const going = ['new', 'running', 'waiting'];
	await until('all executions end', async () => {
		const all = await kit.executions(ids.get(sender.name) ?? '');
		return all.every(({ status }) => !going.includes(status));
	});
}

/** Brings the member of a sender into a state, in a sandbox where nobody else has that email. */
async function given(sender: Sender, feed: Feed, more: Json = {}): Promise<void> {
	kit.sandbox.reset();
	kit.mailbox.mails.length = 0;
	if (feed === 'nobody') return;
	const { email, customerId } = sender;
	const subscriber = { email, customer_id: customerId, ...more };
	await asOwner(kit, 'POST', '/subscribers', { subscriber });
	const states = { available: 'available', deactivated: 'inactive', suspended: 'suspended' };
	if (feed !== 'available') await setFeed(kit, String(subscriber.email), states[feed]);
}

function feedOf(email: string): Feed {
	return (person(kit, email)?.state ?? 'nobody') as Feed;
}

/** Emails to the person in charge. */
function told(): string[] {
	return kit.mailbox.mails
		.filter(({ to }) => to === 'you@example.com')
		.map(({ subject, text }) => `${subject}\n${text}`);
}

function welcomed(): string[] {
	return kit.mailbox.mails
		.filter(({ subject }) => /Your private/.test(subject))
		.map(({ to }) => to);
}

/** The newest execution, and the failed ones since then. */
async function executionsFailed(after = 0): Promise<{ newest: number; failed: string[] }> {
	const all = await Promise.all([...ids.values(), setAccess].map(kit.executions));
	const since = all.flat().filter(({ id }) => Number(id) > after);
	const failed = since.filter(({ status }) => status !== 'success').map(({ id }) => id);
	return { newest: Math.max(after, ...since.map(({ id }) => Number(id))), failed };
}

describe.each(senders)('$name', (sender) => {
	it.each(sender.cases)('$event: $when ($before, then $after)', async (row) => {
		await given(sender, row.before, row.subscriber);
		const { newest } = await executionsFailed();
		expect(await deliver(sender, row)).toBe(200);
		expect(feedOf(sender.email)).toBe(row.after);
		const opened = row.before !== 'available' && row.after === 'available';
		expect(welcomed()).toEqual(opened ? [sender.email] : []);
		// The same event again changes nothing, and sends no email.
		const written = requests(kit, 'PATCH') + requests(kit, 'POST');
		expect(await deliver(sender, row)).toBe(200);
		expect(feedOf(sender.email)).toBe(row.after);
		expect(requests(kit, 'PATCH') + requests(kit, 'POST')).toBe(written);
		expect(welcomed()).toHaveLength(opened ? 1 : 0);
		expect(told()).toEqual(row.told ? [expect.stringMatching(row.told)] : []);
		expect((await executionsFailed(newest)).failed).toEqual([]);
	});

	it('rejects a wrong signature, a missing one, and a body that was changed', async () => {
		await given(sender, 'available');
		answering(sender.ended.says);
		const text = JSON.stringify(sender.ended.body);
		const address = addresses.get(sender.name) ?? '';
		const right = sender.sign(text, secrets.hmac, sender.ended.headers);
		const wrong = Object.fromEntries(
			// Another first character in each signature. All of its bits count, in hex and in Base64.
			Object.entries(right).map(([name, value]) => [
				name,
				value.replace(/[\w+/]{32,}/g, (one) => (one.startsWith('0') ? '1' : '0') + one.slice(1)),
			]),
		);
		const answers = [
			await kit.call(address, text, wrong),
			await kit.call(address, text),
			await kit.call(address, text.replace('"', '"x'), right),
		];
		expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
		await ended(sender);
		expect(feedOf(sender.email)).toBe('available');
	});

	it('uses the current state when events come late', async () => {
		await given(sender, 'available');
		await deliver(sender, { ...sender.ended, says: sender.paying.says });
		expect(feedOf(sender.email)).toBe('available');
		await deliver(sender, { ...sender.paying, says: sender.ended.says });
		expect(feedOf(sender.email)).toBe('deactivated');
	});

	it('follows a changed email, and closes the feed of a member whose email change it missed', async () => {
		const moved = emailOf(sender.moved);
		await given(sender, 'available');
		const { uuid } = person(kit, sender.email) ?? {};
		await deliver(sender, sender.moved);
		expect([feedOf(sender.email), person(kit, moved)?.uuid]).toEqual(['nobody', uuid]);
		await given(sender, 'available', { email: 'long.ago@example.com' });
		await deliver(sender, sender.ended);
		expect(feedOf('long.ago@example.com')).toBe('deactivated');
		expect(told()).toEqual([]);
	});

	it('finds a member by email if Supercast does not have the ID, and stores the ID', async () => {
		await given(sender, 'deactivated', { customer_id: null });
		await deliver(sender, sender.paying);
		expect(person(kit, sender.email)).toMatchObject({
			state: 'available',
			customer_id: sender.customerId,
		});
	});

	it('does not touch a person whom Supercast bills', async () => {
		const billed = { customer_id: null, plan_id: kit.sandbox.state.subscribers[0]?.plan_id ?? 1 };
		await given(sender, 'available', billed);
		await deliver(sender, sender.ended);
		expect([feedOf(sender.email), told()]).toEqual(['available', []]);
		await setFeed(kit, sender.email, 'inactive');
		await deliver(sender, sender.paying);
		expect(feedOf(sender.email)).toBe('deactivated');
		expect(told()).toEqual([expect.stringContaining(sender.email)]);
	});

	it('keeps a feed closed that was suspended for sharing, and sends a person the name', async () => {
		await given(sender, 'suspended');
		await deliver(sender, sender.paying);
		expect(feedOf(sender.email)).toBe('suspended');
		expect(told()).toEqual([expect.stringContaining(sender.email)]);
		await deliver(sender, sender.ended);
		expect(feedOf(sender.email)).toBe('suspended');
	});

	it('sends a person the name when there is no feed to close', async () => {
		await given(sender, 'nobody');
		await deliver(sender, sender.ended);
		expect(told()).toEqual([expect.stringContaining(sender.customerId)]);
	});

	it('keeps the feed of a member whom another membership pays for, and notifies a person', async () => {
		await given(sender, 'available', { customer_id: 'another-system-7' });
		await deliver(sender, sender.ended);
		expect(feedOf(sender.email)).toBe('available');
		expect(told()).toEqual([expect.stringContaining('another-system-7')]);
	});

	it('sends a person the name when Supercast is down, and is right after the next event', async () => {
		await given(sender, 'available');
		const away = { kind: 'status', status: 503, share: 1, seed: 1 } as const;
		kit.sandbox.controls.addFaults(away);
		const status = await deliver(sender, sender.ended);
		expect(status).toBe(sender.redelivers ? 500 : 200);
		await until('a person is told', () => told().length > 0);
		expect(told()).toEqual([expect.stringContaining(sender.email)]);
		expect(feedOf(sender.email)).toBe('available');
		kit.sandbox.controls.clearFaults();
		expect(await deliver(sender, sender.ended)).toBe(200);
		expect(feedOf(sender.email)).toBe('deactivated');
	});
});

/** The new email of the member, according to the sender's API. */
function emailOf({ says }: Delivery): string {
	const text = JSON.stringify(says);
	return /"email":"([^"]*new[^"]*)"/.exec(text)?.[1] ?? '';
}
