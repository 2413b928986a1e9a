import type { WorkflowNode } from '../../harness/n8n/setup';
import { seededRandom } from '../../sandbox/data/random';
import { everyFiveSeconds } from './support/triggerInstance';
import { startKit, until, type Kit } from './workflows/kit';
import { addListener, setFeed } from './workflows/people';

/**
 * How often n8n is killed on day one, how many members join, how many seconds apart, and for how
 * many seconds the SMTP server is down after half of the kills.
 */
const { KILLS = '6', MEMBERS = '300', SEED = '1', PACE = '0.3', OUTAGE = '0' } = process.env;
const kills = Number(KILLS);
const members = Number(MEMBERS);
const outage = Number(OUTAGE);
jest.setTimeout(180_000 + kills * 60_000 + members * 2_000 + outage * 10_000);

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
	const amount = '66 + 2 * (Number($execution.id) % 10)';
	if (node.name === 'Wait')
		Object.assign(node.parameters, {
			amount: `={{ $json.passes > 1 ? ${amount} : 0 }}`,
			unit: 'seconds',
		});
	if (node.name === 'Wait for Others')
		Object.assign(node.parameters, { amount: `={{ ${amount} }}`, unit: 'seconds' });
}

/**
 * Polls as far apart as it takes to email the members of one poll. In life, 5 minutes are enough
 * for 1,200 members, at 0.2 seconds for an email.
 */
function busy(node: WorkflowNode): void {
	filledIn(node);
	if (!node.type.endsWith('supercastTrigger')) return;
	const cronExpressions = ['0 * * * * *', '30 * * * * *'];
	node.parameters.pollTimes = {
		item: cronExpressions.map((cronExpression) => ({ mode: 'custom', cronExpression })),
	};
}

/** Waits until nothing can send an email any more. */
async function untilAllEnded(): Promise<void> {
	const open = ['new', 'running', 'waiting'];
	await until(
		'all executions end',
		async () => (await kit.executions(id)).every(({ status }) => !open.includes(status)),
		600_000 + members * 1_000,
	);
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
	await untilAllEnded();
	expect(wrong(emails)).toEqual({});
});

/** Lets members join, one after the other. */
async function join(emails: string[]): Promise<void> {
	for (const email of emails) {
		await addListener(kit, email);
		if (Number(PACE) > 0) await seconds(Number(PACE));
	}
}

/** The server accepts no email for a while. */
async function smtpOutage(): Promise<void> {
	kit.mailbox.refusing = true;
	await seconds(outage);
	kit.mailbox.refusing = false;
}

/** Kills n8n anywhere between a poll and the emails of a later one. */
async function kill(random: () => number): Promise<void> {
	const { length } = kit.mailbox.mails;
	const isBusy = () => kit.mailbox.refusing || kit.mailbox.mails.length > length;
	await until('an email', isBusy, 60_000).catch(() => undefined);
	await seconds(random() * 8);
	await kit.restart();
}

it(`sends ${members} new members their emails, though n8n is killed ${kills} times`, async () => {
	// As long as a real server may take.
	kit.mailbox.delayMs = 200;
	id = await kit.use('tell-members.json', busy);
	const random = seededRandom(Number(SEED));
	const emails = addresses(members);
	const running = [join(emails)];
	for (let count = 1; count <= kills; count++) {
		await kill(random);
		const { mails, refusing } = kit.mailbox;
		const server = refusing ? ' (SMTP is down)' : '';
		process.stdout.write(`kill ${count} after ${mails.length} emails${server}\n`);
		if (outage > 0 && count === Math.floor(kills / 2)) running.push(smtpOutage());
	}
	await Promise.all(running);
	const haveAll = () => emails.every((one) => emailsTo(one).length > 0);
	await until('all emails', haveAll, 120_000 + members * 1_000 + outage * 5_000).catch(
		() => undefined,
	);
	await untilAllEnded();
	const twice = wrong(emails);
	process.stdout.write(`${JSON.stringify(twice)}\n`);
	// Only the email that the server had just accepted may come twice.
	expect(Object.values(twice).filter((count) => count !== 2)).toEqual([]);
	expect(Object.keys(twice).length).toBeLessThanOrEqual(kills);
});
