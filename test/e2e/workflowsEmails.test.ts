import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow, WorkflowNode } from '../harness/n8n/setup';
import { root } from '../harness/system/paths';
import { seededRandom } from '../../simulators/supercast/data/random';
import { type Fixture, startFixture, until } from './workflows/fixture';
import { addListener, person, setFeed } from './workflows/people';
import { tellMembers } from './workflows/tellMembers';
import { quick } from './workflows/tries';

describe('tell-members.json', () => {
	/** How often n8n is killed on day one, and how many members join. */
	const { KILLS = '4', MEMBERS = '150' } = process.env;
	const kills = Number(KILLS);
	const members = Number(MEMBERS);
	jest.setTimeout(180_000 + kills * 60_000 + members * 2_000);

	let fixture: Fixture;
	let id: string;

	beforeAll(async () => (fixture = await startFixture({ subscribers: 5 })));
	afterAll(async () => await fixture?.stop());
	beforeEach(async () => {
		fixture.sandbox.reset();
		fixture.mailbox.mails.length = 0;
		fixture.mailbox.refusing = false;
		fixture.mailbox.delayMs = 0;
	});
	afterEach(async () => await fixture.unuse(id));

	/** What a person does. n8n stores waits of 65 seconds or more in its database. */
	const filledIn = tellMembers('={{ 66 + 2 * (Number($execution.id) % 10) }}');

	/**
	 * Leaves time between polls to email the members of one poll. In real use, 5 minutes are enough
	 * for 1,200 members, at 0.2 seconds per email.
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
			async () => (await fixture.executions(id)).every(({ status }) => !open.includes(status)),
			600_000 + members * 1_000,
		);
	}

	const seconds = async (count: number): Promise<void> =>
		await new Promise((resolve) => setTimeout(resolve, count * 1000));

	const emailsTo = (email: string) => fixture.mailbox.mails.filter(({ to }) => to === email);
	const addresses = (count: number): string[] =>
		Array.from({ length: count }, (_, index) => `member-${index}@example.com`);

	/** The members who did not get exactly one email. */
	function wrong(emails: string[]): Record<string, number> {
		const counts = emails.map((email) => [email, emailsTo(email).length] as const);
		return Object.fromEntries(counts.filter(([, count]) => count !== 1));
	}

	it('sends their address to a new member, and to a returning one', async () => {
		id = await fixture.use('tell-members.json', filledIn);
		await addListener(fixture, 'nora@example.com');
		const welcome = await fixture.mailbox.next(/Your private podcast feed$/);
		expect(welcome.to).toBe('nora@example.com');
		expect(welcome.text).toMatch(/^Hello,\n\n.*\n\nhttps?:\/\/\S+\/feeds\/\S+\n/s);
		await setFeed(fixture, 'nora@example.com', 'inactive');
		await seconds(6);
		await setFeed(fixture, 'nora@example.com', 'available');
		const back = await fixture.mailbox.next(/Your private podcast feed$/, 1);
		expect(back.text).toBe(welcome.text);
		await seconds(6);
		expect(fixture.mailbox.mails).toHaveLength(2);
	});

	it('sends each email once after the SMTP server was down for a while', async () => {
		id = await fixture.use('tell-members.json', filledIn);
		fixture.mailbox.refusing = true;
		const emails = addresses(3);
		for (const email of emails) await addListener(fixture, email);
		await until('an execution waits', async () =>
			(await fixture.executions(id)).some(({ status }) => status === 'waiting'),
		);
		// People restart n8n when something does not work.
		await fixture.restart();
		await seconds(20);
		fixture.mailbox.refusing = false;
		await until('all emails', () => emails.every((email) => emailsTo(email).length > 0), 400_000);
		await untilAllEnded();
		expect(wrong(emails)).toEqual({});
	});

	/** Lets members join, one after the other. */
	async function join(emails: string[]): Promise<void> {
		for (const email of emails) {
			await addListener(fixture, email);
			await seconds(0.5);
		}
	}

	/** Kills n8n anywhere between a poll and the emails of a later one. */
	async function kill(random: () => number): Promise<void> {
		const { length } = fixture.mailbox.mails;
		const isBusy = () => fixture.mailbox.mails.length > length;
		await until('an email', isBusy, 60_000).catch(() => undefined);
		await seconds(random() * 8);
		await fixture.restart();
	}

	it(`sends ${members} new members their emails, though n8n is killed ${kills} times`, async () => {
		// As long as a real server may take.
		fixture.mailbox.delayMs = 200;
		id = await fixture.use('tell-members.json', busy);
		const random = seededRandom(1);
		const emails = addresses(members);
		const joining = join(emails);
		for (let count = 1; count <= kills; count++) {
			await kill(random);
			process.stdout.write(`kill ${count} after ${fixture.mailbox.mails.length} emails\n`);
		}
		await joining;
		const haveAll = () => emails.every((one) => emailsTo(one).length > 0);
		await until('all emails', haveAll, 120_000 + members * 1_000).catch(() => undefined);
		await untilAllEnded();
		const twice = wrong(emails);
		process.stdout.write(`${JSON.stringify(twice)}\n`);
		// Only the email that the server had just accepted may come twice.
		expect(Object.values(twice).filter((count) => count !== 2)).toEqual([]);
		expect(Object.keys(twice).length).toBeLessThanOrEqual(kills);
	});
});

describe('feed-link.json', () => {
	const open = 'ann@example.com';
	const closed = 'carl@example.com';
	const unknown = 'nobody@example.com';

	let fixture: Fixture;
	let id: string;

	beforeAll(async () => {
		fixture = await startFixture();
		for (const email of [open, closed]) await addListener(fixture, email);
		await setFeed(fixture, closed, 'inactive');
		id = await fixture.use('feed-link.json', (node: WorkflowNode) => {
			if (node.name === 'Email the Address') node.parameters.fromEmail = 'podcast@example.com';
			if (node.name === 'Wait a Moment') node.parameters.amount = '={{ Math.random() * 3 }}';
		});
	});
	afterAll(async () => await fixture?.stop());
	beforeEach(() => {
		fixture.sandbox.controls.clearFaults();
		fixture.mailbox.mails.length = 0;
	});

	const page = (): string => {
		const text = readFileSync(join(root, 'workflows', 'feed-link.json'), 'utf8');
		const form = (JSON.parse(text) as Workflow).nodes.find(({ type }) =>
			type.endsWith('formTrigger'),
		);
		return `${fixture.environment.server.url}/form/${String(form?.webhookId)}`;
	};

	/** The page ignores programs. */
	const headers = {
		'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
	};

	/** What a member does: enters an email. */
	async function ask(email: string): Promise<{ status: number; text: string }> {
		const body = new FormData();
		body.set('field-0', email);
		const answer = await fetch(page(), { method: 'POST', body, headers });
		return { status: answer.status, text: await answer.text() };
	}

	/** Waits until no execution is under way any more. */
	async function done(): Promise<void> {
		await new Promise((resolve) => setTimeout(resolve, 500));
		const isOver = async () =>
			(await fixture.executions(id)).every(({ status }) => !['new', 'running'].includes(status));
		// A request without an answer takes a minute.
		await until('executions end', isOver, 180_000);
	}

	const lookUps = (): number =>
		fixture.sandbox.state.requests.filter(({ route }) => route.startsWith('GET /subscribers/'))
			.length;

	it('sends one email, however often and fast someone asks, and only to the email on record', async () => {
		await Promise.all(Array.from({ length: 20 }, async () => await ask(open)));
		await until('an email', () => fixture.mailbox.mails.length > 0);
		await done();
		await ask(open);
		await done();
		expect(fixture.mailbox.mails.map(({ to }) => to)).toEqual([open]);
		expect(fixture.mailbox.mails[0]?.text).toMatch(/\/feeds\/\S+/);
	});

	it('shows everyone the same answer, before the workflow asks Supercast', async () => {
		fixture.sandbox.controls.addFaults({
			kind: 'stall',
			method: 'GET',
			path: '/subscribers',
			share: 1,
		});
		const answers = [];
		for (const email of [open, closed, unknown]) {
			answers.push(await ask(email));
		}
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		fixture.sandbox.controls.clearFaults();
		await done();
	});

	it('sends nothing to strangers and about closed feeds', async () => {
		const before = lookUps();
		await ask(closed);
		await ask(unknown);
		await until('look-ups', () => lookUps() >= before + 2);
		await done();
		expect(person(fixture, closed)?.state).toBe('deactivated');
		expect(fixture.mailbox.mails).toEqual([]);
		expect(await fixture.failures(id)).toEqual([]);
	});

	it('sends the address later if the email server refuses it at first', async () => {
		await fixture.edit(id, quick());
		const late = 'late@example.com';
		await addListener(fixture, late);
		fixture.mailbox.unknown.add(late);
		await ask(late);
		await until('it is refused', () => fixture.mailbox.refused.includes(late), 60_000);
		fixture.mailbox.unknown.clear();
		const mail = await fixture.mailbox.next(/private podcast feed/, 0, 60_000);
		expect(mail.to).toBe(late);
		await done();
		await ask(late);
		await done();
		expect(fixture.mailbox.mails).toHaveLength(1);
	});
});
