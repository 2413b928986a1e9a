import type { WorkflowNode } from '../harness/n8n/setup';
import { everyFiveSeconds } from './support/triggerInstance';
import { secrets } from './workflows/credentials';
import { hookOf, type Fixture, startFixture, until } from './workflows/fixture';
import { addListener, asOwner, person, setFeed } from './workflows/people';

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

	it('emails you once a day about calls that are not complete', async () => {
		for (const body of [{ access: 'open' }, { email: 'bea@example.com' }])
			expect((await call(body)).status).toBe(400);
		const mail = await fixture.mailbox.next(/not complete/);
		expect(mail.to).toBe('you@example.com');
		expect((await call({ access: '' })).status).toBe(400);
		expect(fixture.mailbox.mails).toHaveLength(1);
	});

	it('changes nothing for a kind of call that it does not name, and emails you once', async () => {
		const before = fixture.sandbox.stats().requests;
		for (const email of ['fay@example.com', 'gil@example.com'])
			expect(await call({ access: 'paused', email })).toMatchObject({
				status: 200,
				body: {
					action: 'kept',
					reason: expect.stringMatching(/does not name .*: paused$/) as string,
				},
			});
		expect((await fixture.mailbox.next(/calls of the kind paused/)).to).toBe('you@example.com');
		expect(await call({ access: 'keep', email: 'fay@example.com' })).toMatchObject({ status: 200 });
		expect(fixture.mailbox.mails).toHaveLength(1);
		expect(person(fixture, 'fay@example.com')).toBeUndefined();
		expect(fixture.sandbox.stats().requests - before).toBeLessThan(5);
	});

	it('takes a number as a customer ID, and a missing one as none', async () => {
		await call({ access: 'open', email: 'cal@example.com', customerId: 17 });
		await call({ access: 'open', email: 'dee@example.com', customerId: null });
		expect(person(fixture, 'cal@example.com')?.customer_id).toBe('17');
		expect(person(fixture, 'dee@example.com')).toMatchObject({
			state: 'available',
			customer_id: null,
		});
	});

	it.each([
		[{ access: 'open', email: 'eve@example.com', customerId: { id: 17 } }],
		[{ ...ann }],
		[{ access: 'open' }],
		[{ access: 'open', email: '', customerId: null }],
		[{ access: 'open', email: 'no email' }],
		[{ access: 'open', email: ['a@example.com', 'b@example.com'] }],
		[[{ access: 'open', ...ann }]],
		[{}],
	])('answers %j with a sentence that helps, and asks Supercast nothing', async (body) => {
		const before = fixture.sandbox.stats().requests;
		const answer = await call(body);
		expect(answer.status).toBe(400);
		expect(answer.body.error).toMatch(
			/'access' \(open, keep or close\).*'email', 'customerId' or both/,
		);
		expect(fixture.sandbox.stats().requests).toBe(before);
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
		const mail = await fixture.mailbox.next(/bea@example.com/);
		expect(mail.to).toBe('you@example.com');
		fixture.sandbox.controls.clearFaults();
		expect(await call({ access: 'open', ...bea })).toMatchObject({ body: { action: 'created' } });
		expect(fixture.mailbox.mails).toHaveLength(1);
	});

	it('emails you if you must decide something', async () => {
		const billed = fixture.sandbox.state.subscribers.find(
			({ state, plan_id }) => state === 'available' && plan_id !== null,
		);
		const answer = await call({ access: 'close', email: billed?.email });
		expect(answer.body.action).toBe('kept');
		const mail = await fixture.mailbox.next(new RegExp(String(billed?.email)));
		expect(mail.text).toContain(String(answer.body.attention));
	});
});

describe('usage-alerts.json', () => {
	it('tells the person who decided if Supercast refuses', async () => {
		const [fromEmail, toEmail] = ['n8n@example.com', 'host@example.com'];
		const id = await fixture.use('usage-alerts.json', (node: WorkflowNode) => {
			if (node.name === 'Ask a Person') Object.assign(node.parameters, { fromEmail, toEmail });
		});
		fixture.sandbox.controls.addUsageAlerts(1);
		const asked = await fixture.mailbox.next(/Usage alert/, 0, 100_000);
		const refusal = {
			kind: 'status',
			status: 403,
			method: 'PATCH',
			path: '/usage_alerts',
			share: 1,
		};
		fixture.sandbox.controls.addFaults(
			refusal as Parameters<typeof fixture.sandbox.controls.addFaults>[0],
		);
		const [link = ''] = /http:\/\/[^\s"<>]+/.exec(asked.text.replaceAll('&amp;', '&')) ?? [];
		const body = new FormData();
		body.set(
			'field-0',
			'Suspend Listener and Stop Billing: end a paid subscription and close the feed',
		);
		const headers = { 'user-agent': BROWSER };
		expect((await fetch(link, { method: 'POST', body, headers })).status).toBe(200);
		const told = await fixture.mailbox.next(/Not done/, 0, 60_000);
		expect(told.to).toBe(toEmail);
		expect(told.text).toMatch(/Supercast refused what you decided \(Suspend Listener/);
		for (const press of [{}, { method: 'POST', body }]) {
			const again = await fetch(link, { ...press, headers });
			expect([again.status, await again.text()]).toEqual([
				200,
				expect.stringContaining('No action required'),
			]);
		}
		fixture.sandbox.controls.clearFaults();
		await fixture.unuse(id);
	});

	it('asks later if the email server refuses the question', async () => {
		const id = await fixture.use('usage-alerts.json', (node: WorkflowNode) => {
			if (node.type.endsWith('supercastTrigger'))
				node.parameters.pollTimes = { item: everyFiveSeconds };
			if (node.name === 'Ask Again Later')
				Object.assign(node.parameters, { amount: 2, unit: 'seconds' });
			if (node.name !== 'Ask a Person') return;
			node.waitBetweenTries = 100;
			const [fromEmail, toEmail] = ['n8n@example.com', 'host@example.com'];
			Object.assign(node.parameters, { fromEmail, toEmail });
		});
		fixture.mailbox.mails.length = 0;
		fixture.mailbox.unknown.add('host@example.com');
		fixture.sandbox.controls.addUsageAlerts(1);
		await until('the question is refused twice', () => fixture.mailbox.refused.length > 3, 60_000);
		fixture.mailbox.unknown.clear();
		await fixture.mailbox.next(/Usage alert/);
		expect(await fixture.failures(id)).toEqual([]);
		await fixture.unuse(id);
	});
});

describe('small workflows', () => {
	/** Triggers poll once a minute. n8n allows no shorter time. */
	const A_LOOK = 100_000;

	const chat = () =>
		fixture.senders.asked.filter(({ url }) => url.startsWith('/chat')).map(({ body }) => body);
	const fromEmail = 'podcast@example.com';

	/** What a person does: fills in a node, and enables it. */
	function enabled(name: string, values: Record<string, unknown>): (node: WorkflowNode) => void {
		return (node) => {
			if (node.name !== name) return;
			node.disabled = false;
			Object.assign(node.parameters, values);
		};
	}

	beforeAll(async () => {
		fixture.sandbox.reset();
		const { origin } = fixture.senders;
		const url = `${origin}/chat`;
		await fixture.use('joined-or-left.json', enabled('Slack', { url }));
		await fixture.use('chat.json', enabled('Post It', { url }));
		await fixture.use('payment-failed.json', enabled('Email the Member', { fromEmail }));
	});

	it('reports who joined, came back and left, and posts a question and an episode', async () => {
		const [known] = fixture.sandbox.state.subscribers.filter(({ state }) => state === 'available');
		const email = String(known?.email);
		await addListener(fixture, 'new.here@example.com');
		await setFeed(fixture, email, 'inactive');
		fixture.sandbox.controls.addRecords('questions', 1);
		fixture.sandbox.controls.addRecords('episodes', 1);
		await until('four posts', () => chat().length === 4, A_LOOK);
		expect(chat().join('\n')).toMatch(/new\.here@example\.com\) joined/);
		expect(chat().join('\n')).toContain(`${email}) left`);
		expect(chat().join('\n')).toContain(String(fixture.sandbox.state.questions.at(-1)?.title));
		expect(chat().join('\n')).toContain(String(fixture.sandbox.state.episodes.at(-1)?.title));
		await setFeed(fixture, email, 'available');
		await until('a fifth post', () => chat().length === 5, A_LOOK);
		expect(chat().at(-1)).toContain(`${email}) came back`);
	});

	it('sends an email to a member whose payment at Supercast failed', async () => {
		fixture.mailbox.mails.length = 0;
		const somebody = fixture.sandbox.state.subscribers.find(({ state }) => state === 'available');
		fixture.sandbox.controls.setState(String(somebody?.uuid), 'charge_failure');
		const mail = await fixture.mailbox.next(/payment failed/, 0, A_LOOK);
		expect(mail.to).toBe(somebody?.email);
		expect(mail.text).toContain('Please check your card');
	});

	it('reports the week as its triggers noted it, and no change of a record', async () => {
		const fill = enabled('Email the Report', { fromEmail, toEmail: 'you@example.com' });
		const id = await fixture.use('weekly-report.json', (node) => {
			fill(node);
			if (node.type.endsWith('supercastTrigger'))
				node.parameters.pollTimes = { item: everyFiveSeconds };
		});
		const some = fixture.sandbox.state.subscribers.filter(({ state }) => state === 'available');
		const [left = '', back = '', deleted = ''] = some.slice(-3).map(({ email }) => email);
		const old = fixture.sandbox.state.subscribers.find(({ state }) => state === 'deactivated');
		await setFeed(fixture, back, 'inactive');
		await until('the first polls', () => noted(id, 'left'), 60_000);
		await setFeed(fixture, left, 'inactive');
		await setFeed(fixture, back, 'available');
		await asOwner(fixture, 'DELETE', `/subscribers/${encodeURIComponent(deleted)}`);
		await addListener(fixture, 'joined.this.week@example.com');
		Object.assign(old ?? {}, { first_name: 'Corrected', updated_at: new Date().toISOString() });
		const reported = /: 1 joined, 1 came back, 2 left, 1 deleted, \d+ open \(.+\)$/;
		let subject = '';
		await until(
			'the report',
			async () => {
				expect(await fixture.run(id, 'Every Monday')).toBe('success');
				subject = fixture.mailbox.mails.at(-1)?.subject ?? '';
				return reported.test(subject);
			},
			90_000,
		);
		const { text = '' } = fixture.mailbox.mails.at(-1) ?? {};
		for (const email of ['joined.this.week@example.com', left, back, deleted])
			expect(text).toContain(email);
		expect(text).not.toContain(String(old?.email));
		await fixture.unuse(id);
	});

	/** Whether the report has noted something of a kind. */
	async function noted(id: string, kind: string): Promise<boolean> {
		const items = await fixture.look(id, 'Every Monday', 'What Was Noted');
		return items.some((item) => item.kind === kind);
	}
});
