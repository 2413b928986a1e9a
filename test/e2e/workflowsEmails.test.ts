import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow, WorkflowNode } from '../harness/n8n/setup';
import type { People } from '../../simulators/memberships/people';
import { root } from '../harness/system/paths';
import { seededRandom } from '../../simulators/supercast/data/random';
import {
	all,
	type Edit,
	type Fixture,
	ready,
	type Ready,
	startFixture,
	until,
} from './workflows/fixture';
import { counting } from './workflows/lists';
import { addListener, person, requests, setFeed } from './workflows/people';
import { tellMembers } from './workflows/tellMembers';
import { failure, quick, retry } from './workflows/tries';

describe('emails to you', () => {
	/** A sync run every so many seconds. */
	const EVERY = 10;

	let fixture: Fixture;
	let id: string | undefined;

	beforeAll(async () => (fixture = await startFixture({ subscribers: 30, rateLimit: 0 })));
	afterAll(async () => await fixture?.stop());
	beforeEach(() => {
		fixture.sandbox.reset();
		fixture.mailbox.mails.length = 0;
		fixture.senders.faults.length = 0;
		fixture.senders.asked.length = 0;
	});
	afterEach(async () => {
		if (id !== undefined) await fixture.unuse(id);
		id = undefined;
	});

	async function use(file: string, how: Ready, ...edits: Edit[]): Promise<void> {
		id = await fixture.use(file, all(ready(how), ...edits));
	}

	const changes = (): number => requests(fixture, 'POST') + requests(fixture, 'PATCH');
	const email = async () => await fixture.mailbox.next(/./, 0, 60_000);

	/** The people of a mock server, of whom one is a member. */
	function oneMember(people: People): void {
		people.all.length = 0;
		people.join('ann@example.com', 'Ann Bell');
	}

	it('any-list.json reads a public file without a credential', async () => {
		oneMember(fixture.senders.list.people);
		await use('any-list.json', {});
		expect(await fixture.run(id ?? '', 'Every 5 Minutes')).toBe('success');
		const asked = fixture.senders.asked.filter(({ url }) => url.startsWith('/members.csv'));
		expect(asked.map(({ authorization }) => authorization)).toEqual(['']);
		expect(requests(fixture, 'POST')).toBe(1);
	});

	it('begins with DRY RUN in a dry run, and says how to end it', async () => {
		oneMember(fixture.senders.list.people);
		await use('any-list.json', { every: EVERY, dryRun: true });
		const { subject, text, html } = await email();
		expect(subject).toMatch(/^DRY RUN: the next real run would open 1 feed /);
		expect(html).toContain('ann@example.com');
		expect(text).toMatch(/^This was a dry run.* turn off 'Dry Run' in the node Sync/);
		expect(changes()).toBe(0);
	});

	it('names the node that failed, and counts nothing then', async () => {
		fixture.senders.faults.push({ path: '/members.csv', status: 500 });
		await use('any-list.json', { every: EVERY });
		const { subject, text, html } = await email();
		expect(subject).toMatch(/not able to process/);
		expect(text).toMatch(/^Node: Read the File$/m);
		expect(html).toMatch(/not able to process/);
		for (const page of [subject, text, html]) expect(page).not.toMatch(/feeds? open/);
	});

	it('shows what others have named as it is, and none as a tag', async () => {
		const { patreon } = fixture.senders;
		oneMember(patreon.people);
		patreon.tiers.set('501', 'Listener <img src=x> & friends');
		await use('patreon.json', { every: EVERY }, counting('999'));
		const { text, html } = await email();
		patreon.tiers.set('501', 'Listener');
		expect(text).toContain('Listener <img src=x> & friends');
		expect(html).toContain('Listener');
		expect(html).not.toContain('<img');
	});
});

describe('tell-members.json', () => {
	/**
	 * How often n8n is killed on day one, how many members join, how many seconds apart, and for how
	 * many seconds the SMTP server is down after half of the kills.
	 */
	const { KILLS = '4', MEMBERS = '150', SEED = '1', PACE = '0.5', OUTAGE = '0' } = process.env;
	const kills = Number(KILLS);
	const members = Number(MEMBERS);
	const outage = Number(OUTAGE);
	jest.setTimeout(180_000 + kills * 60_000 + members * 2_000 + outage * 10_000);

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

	it('sends nothing as imported', async () => {
		id = await fixture.use('tell-members.json', (node) => {
			filledIn(node);
			if (node.name === 'Send Email') node.disabled = true;
		});
		await addListener(fixture, 'nora@example.com');
		await seconds(12);
		expect(fixture.mailbox.mails).toEqual([]);
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
			if (Number(PACE) > 0) await seconds(Number(PACE));
		}
	}

	/** The server accepts no email for a while. */
	async function smtpOutage(): Promise<void> {
		fixture.mailbox.refusing = true;
		await seconds(outage);
		fixture.mailbox.refusing = false;
	}

	/** Kills n8n anywhere between a poll and the emails of a later one. */
	async function kill(random: () => number): Promise<void> {
		const { length } = fixture.mailbox.mails;
		const isBusy = () => fixture.mailbox.refusing || fixture.mailbox.mails.length > length;
		await until('an email', isBusy, 60_000).catch(() => undefined);
		await seconds(random() * 8);
		await fixture.restart();
	}

	it(`sends ${members} new members their emails, though n8n is killed ${kills} times`, async () => {
		// As long as a real server may take.
		fixture.mailbox.delayMs = 200;
		id = await fixture.use('tell-members.json', busy);
		const random = seededRandom(Number(SEED));
		const emails = addresses(members);
		const running = [join(emails)];
		for (let count = 1; count <= kills; count++) {
			await kill(random);
			const { mails, refusing } = fixture.mailbox;
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
	async function ask(email: string): Promise<{ status: number; text: string; ms: number }> {
		const body = new FormData();
		body.set('field-0', email);
		const started = performance.now();
		const answer = await fetch(page(), { method: 'POST', body, headers });
		const text = await answer.text();
		return { status: answer.status, text, ms: performance.now() - started };
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

	it('shows a page with one field', async () => {
		const html = await (await fetch(page(), { headers })).text();
		expect(html.match(/<input[^>]+type=['"]email['"]/g)).toHaveLength(1);
		expect(html).toContain('Your private podcast feed');
	});

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
	});

	it('takes the same time for members and strangers', async () => {
		const times: Record<string, number[]> = { [open]: [], [unknown]: [] };
		for (let round = 0; round < 12; round++) {
			for (const email of [open, unknown]) {
				times[email]?.push((await ask(email)).ms);
				await done();
			}
		}
		const median = (list: number[] = []): number => list.sort((a, b) => a - b)[6] ?? 0;
		const [member, stranger] = [median(times[open]), median(times[unknown])];
		process.stdout.write(
			`median: member ${member.toFixed(1)} ms, stranger ${stranger.toFixed(1)} ms\n`,
		);
		const spread = Math.abs((times[open]?.[9] ?? 0) - (times[open]?.[3] ?? 0));
		expect(Math.abs(member - stranger)).toBeLessThan(Math.max(10, spread));
	}, 600_000);

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

	it('names to the owner whom it could not look up, and sends the address after Retry', async () => {
		await fixture.edit(id, quick(1));
		const fourth = 'fourth@example.com';
		await addListener(fixture, fourth);
		fixture.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'GET', share: 1 });
		await ask(fourth);
		expect(await failure(fixture, id)).toContain(fourth);
		fixture.sandbox.controls.clearFaults();
		await retry(fixture, id);
		expect((await fixture.mailbox.next(/private podcast feed/, 0, 60_000)).to).toBe(fourth);
	});
});
