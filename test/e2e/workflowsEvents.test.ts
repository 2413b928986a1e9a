import type { WorkflowNode } from '../harness/n8n/setup';
import { everyFiveSeconds } from './support/triggerInstance';
import { secrets } from './workflows/credentials';
import { hookOf, type Fixture, startFixture, until } from './workflows/fixture';
import { person } from './workflows/people';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** One n8n for all parts of this file. */
let fixture: Fixture;

beforeAll(async () => (fixture = await startFixture()));
afterAll(async () => await fixture?.stop());

describe('any-system.json', () => {
	beforeAll(async () => {
		await fixture.use('any-system.json', (node: WorkflowNode) => {
			if (node.name !== 'Email to You') return;
			node.disabled = false;
			node.waitBetweenTries = 100;
			Object.assign(node.parameters, { fromEmail: 'n8n@example.com', toEmail: 'you@example.com' });
		});
	});
	beforeEach(() => {
		fixture.sandbox.controls.clearFaults();
		fixture.mailbox.mails.length = 0;
	});

	async function call(body: unknown, secret = secrets.header) {
		const headers = { 'x-secret': secret };
		const answer = await fixture.call(hookOf('any-system.json'), JSON.stringify(body), headers);
		const json = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
		return { status: answer.status, body: json };
	}

	const ann = { email: 'ann@example.com', customerId: 'own-1', firstName: 'Ann' };

	it('opens and closes the feed of the person in the call', async () => {
		expect(await call({ access: 'open', ...ann })).toMatchObject({
			status: 200,
			body: { action: 'created', state: 'available' },
		});
		expect(person(fixture, ann.email)).toMatchObject({ first_name: 'Ann', customer_id: 'own-1' });
		expect(await call({ access: 'Close', customerId: ann.customerId })).toMatchObject({
			status: 200,
			body: { action: 'closed' },
		});
		expect(person(fixture, ann.email)?.state).toBe('deactivated');
	});

	it('refuses a call without the secret', async () => {
		expect((await call({ access: 'open', ...ann }, 'wrong')).status).toBe(403);
	});

	it('answers 500 if it could not be done, emails you once, and can be called again', async () => {
		const bea = { email: 'bea@example.com' };
		fixture.sandbox.controls.addFaults({
			...{ kind: 'status', status: 403, method: 'POST', path: '/subscribers', share: 1 },
		});
		for (let time = 0; time < 3; time++) {
			const answer = await call({ access: 'open', ...bea });
			expect(answer.status).toBe(500);
			expect(answer.body.error).toContain('bea@example.com');
		}
		const mail = await fixture.mailbox.next(/a call failed/);
		expect([mail.to, mail.text]).toEqual([
			'you@example.com',
			expect.stringContaining('bea@example.com'),
		]);
		fixture.sandbox.controls.clearFaults();
		expect(await call({ access: 'open', ...bea })).toMatchObject({ body: { action: 'created' } });
		expect(fixture.mailbox.mails).toHaveLength(1);
	});
});

describe('usage-alerts.json', () => {
	const [fromEmail, toEmail] = ['n8n@example.com', 'host@example.com'];
	const headers = { 'user-agent': BROWSER };
	let id: string;

	beforeEach(async () => {
		fixture.mailbox.mails.length = 0;
		fixture.mailbox.refused.length = 0;
		fixture.mailbox.delayMs = 0;
		id = await fixture.use('usage-alerts.json', (node: WorkflowNode) => {
			if (node.type.endsWith('supercastTrigger'))
				node.parameters.pollTimes = { item: everyFiveSeconds };
			if (node.name === 'Ask Again Later')
				Object.assign(node.parameters, { amount: 2, unit: 'seconds' });
			if (node.name === 'Ask a Person') Object.assign(node.parameters, { fromEmail, toEmail });
		});
	});
	afterEach(async () => {
		fixture.sandbox.controls.clearFaults();
		fixture.mailbox.unknown.clear();
		await fixture.unuse(id);
	});

	/** Waits for the question, and returns the link in it. */
	async function question(): Promise<string> {
		fixture.sandbox.controls.addUsageAlerts(1);
		const { text } = await fixture.mailbox.next(/Usage alert/, 0, 100_000);
		// n8n refuses the link until it has stored the execution, which nobody is fast enough to see.
		await until('the execution waits', async () =>
			(await fixture.executions(id)).some(({ status }) => status === 'waiting'),
		);
		return linkIn(text);
	}

	function linkIn(email: string): string {
		return /http:\/\/[^\s"<>]+/.exec(email.replaceAll('&amp;', '&'))?.[0] ?? '';
	}

	async function decide(link: string, decision: string): Promise<string> {
		const body = new FormData();
		body.set('field-0', decision);
		const answer = await fetch(link, { method: 'POST', body, headers });
		expect(answer.status).toBe(200);
		return await answer.text();
	}

	const SUSPEND = 'Suspend Listener and Stop Billing: end a paid subscription and close the feed';
	const DISMISS = 'Dismiss: close only this alert';

	it('shows the form as often as someone opens the link, decides once, and says so later', async () => {
		const link = await question();
		const { length } = fixture.sandbox.state.usageAlerts;
		for (const agent of ['curl/8', BROWSER, BROWSER]) {
			const shown = await fetch(link, { headers: { 'user-agent': agent } });
			expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(DISMISS)]);
		}
		await decide(link, DISMISS);
		const { state } = fixture.sandbox;
		await until('the alert is dismissed', () => state.usageAlerts.length === length - 1);
		await until('the execution ends', async () =>
			(await fixture.executions(id)).every(({ status }) => status === 'success'),
		);
		for (const again of [
			await decide(link, SUSPEND),
			await (await fetch(link, { headers })).text(),
		])
			expect(again).toContain('No action required');
		expect(state.usageAlerts).toHaveLength(length - 1);
	});

	it('tells the person who decided if Supercast refuses', async () => {
		const link = await question();
		fixture.sandbox.controls.addFaults({
			...{ kind: 'status', status: 403, method: 'PATCH', path: '/usage_alerts', share: 1 },
		});
		await decide(link, SUSPEND);
		const told = await fixture.mailbox.next(/Not done/, 0, 60_000);
		expect(told.to).toBe(toEmail);
		expect(told.text).toMatch(/Supercast refused what you decided \(Suspend Listener/);
	});

	it('asks about no alert twice if n8n is killed, and leaves the others in Supercast', async () => {
		const { state } = fixture.sandbox;
		const { length } = state.usageAlerts;
		// Slow enough that n8n is killed after the next poll. Within seconds of a poll, the trigger
		// repeats its items.
		fixture.mailbox.delayMs = 1_500;
		fixture.sandbox.controls.addUsageAlerts(14);
		await until('some questions', () => fixture.mailbox.mails.length > 6, 100_000);
		await fixture.restart();
		// Long enough for a poll.
		await new Promise((resolve) => setTimeout(resolve, 10_000));
		const subjects = fixture.mailbox.mails.map(({ subject }) => subject);
		expect(new Set(subjects).size).toBe(subjects.length);
		expect(state.usageAlerts).toHaveLength(length + 14);
		await decide(linkIn(fixture.mailbox.mails[0]?.text ?? ''), DISMISS);
		await until('it is dismissed', () => state.usageAlerts.length === length + 13);
	});

	it('asks later if the email server refuses the question', async () => {
		fixture.mailbox.unknown.add(toEmail);
		fixture.sandbox.controls.addUsageAlerts(1);
		await until('the question is refused twice', () => fixture.mailbox.refused.length > 1, 60_000);
		fixture.mailbox.unknown.clear();
		await fixture.mailbox.next(/Usage alert/);
		expect(await fixture.failures(id)).toEqual([]);
	});
});
