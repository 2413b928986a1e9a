import type { WorkflowNode } from '../../harness/n8n/setup';
import { seededRandom } from '../../sandbox/data/random';
import { everyFiveSeconds } from './support/triggerInstance';
import { startKit, until, type Kit } from './workflows/kit';
import { addListener, setFeed } from './workflows/people';

/** How often n8n is killed on day one, and how many members join. */
const { KILLS = '6', MEMBERS = '300', SEED = '1' } = process.env;
const kills = Number(KILLS);
const members = Number(MEMBERS);
jest.setTimeout(180_000 + kills * 60_000 + members * 2_000);

let kit: Kit;
let id: string;

beforeAll(async () => (kit = await startKit({ subscribers: 5 })));
afterAll(async () => await kit?.stop());
beforeEach(async () => {
	kit.sandbox.reset();
	kit.mailbox.mails.length = 0;
	kit.mailbox.refusing = false;
	kit.mailbox.delayMs = 0;
});
afterEach(async () => await kit.unuse(id));

/** What a person does: enables the texts, and enters the sender's address. The polls are faster. */
function filledIn(node: WorkflowNode): void {
	if (node.name === 'Welcome' || node.name === 'Welcome Back') node.disabled = false;
	if (node.name === 'Send Email') {
		node.parameters.fromEmail = 'podcast@example.com';
		node.waitBetweenTries = 100;
	}
	if (node.type.endsWith('supercastTrigger'))
		node.parameters.pollTimes = { item: everyFiveSeconds };
	// n8n keeps an execution in its database from 65 seconds on.
	if (node.name === 'Wait') Object.assign(node.parameters, { amount: 66, unit: 'seconds' });
}

const seconds = async (count: number): Promise<void> =>
	await new Promise((resolve) => setTimeout(resolve, count * 1000));

const emailsTo = (email: string) => kit.mailbox.mails.filter(({ to }) => to === email);
const addresses = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `member-${index}@example.com`);

/** The members who got another number of emails than one. */
function wrong(emails: string[]): Record<string, number> {
	const counts = emails.map((email) => [email, emailsTo(email).length] as const);
	return Object.fromEntries(counts.filter(([, count]) => count !== 1));
}

it('sends a new member their address, and a returning member another text', async () => {
	id = await kit.use('tell-members.json', filledIn);
	await addListener(kit, 'nora@example.com');
	const welcome = await kit.mailbox.next(/Your private podcast feed$/);
	expect(welcome.to).toBe('nora@example.com');
	expect(welcome.text).toMatch(/^Hello there,\n\nWelcome!.*\n\nhttps?:\/\/\S+\/feeds\/\S+\n/s);
	await setFeed(kit, 'nora@example.com', 'inactive');
	await seconds(6);
	await setFeed(kit, 'nora@example.com', 'available');
	const back = await kit.mailbox.next(/is open again$/);
	expect(back.text).toContain('Welcome back!');
	await seconds(6);
	expect(kit.mailbox.mails).toHaveLength(2);
});

it('sends nothing as imported', async () => {
	id = await kit.use('tell-members.json', (node) => {
		if (node.name === 'Welcome' || node.name === 'Welcome Back') return;
		filledIn(node);
	});
	await addListener(kit, 'nora@example.com');
	await seconds(12);
	expect(kit.mailbox.mails).toEqual([]);
});

it('sends each email once after the SMTP server was down for a while', async () => {
	id = await kit.use('tell-members.json', filledIn);
	kit.mailbox.refusing = true;
	const emails = addresses(3);
	for (const email of emails) await addListener(kit, email);
	await until('an execution waits', async () =>
		(await kit.executions(id)).some(({ status }) => status === 'waiting'),
	);
	// People restart n8n when something does not work.
	await kit.restart();
	await seconds(20);
	kit.mailbox.refusing = false;
	await until('all emails', () => emails.every((email) => emailsTo(email).length > 0), 400_000);
	await seconds(70);
	expect(wrong(emails)).toEqual({});
});

it(`sends ${members} new members their emails, though n8n is killed ${kills} times`, async () => {
	// As long as a real server may take.
	kit.mailbox.delayMs = 200;
	id = await kit.use('tell-members.json', filledIn);
	const random = seededRandom(Number(SEED));
	const emails = addresses(members);
	const joining = (async () => {
		for (const email of emails) {
			await addListener(kit, email);
			await seconds(0.3);
		}
	})();
	for (let kill = 0; kill < kills; kill++) {
		const { length } = kit.mailbox.mails;
		// Anywhere between a poll and the emails of a later one.
		await until('an email', () => kit.mailbox.mails.length > length, 60_000).catch(() => undefined);
		await seconds(random() * 8);
		await kit.restart();
		process.stdout.write(`kill ${kill + 1} after ${kit.mailbox.mails.length} emails\n`);
	}
	await joining;
	await until('all emails', () => emails.every((one) => emailsTo(one).length > 0), 120_000).catch(
		() => undefined,
	);
	await seconds(15);
	const twice = wrong(emails);
	process.stdout.write(`${JSON.stringify(twice)}\n`);
	// Only the email that the server had just accepted may come twice.
	expect(Object.values(twice).filter((count) => count !== 2)).toEqual([]);
	expect(Object.keys(twice).length).toBeLessThanOrEqual(kills);
});
