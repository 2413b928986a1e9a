import { settings, startKit, until, type Kit } from './workflows/kit';
import { addListener, asOwner, person, setFeed } from './workflows/people';
import type { WorkflowNode } from '../../harness/n8n/setup';

/** Triggers poll once a minute. n8n allows no shorter time. */
const A_LOOK = 100_000;

let kit: Kit;
const chat = () => kit.senders.asked.filter(({ path }) => path === '/chat').map(({ body }) => body);

beforeAll(async () => {
	kit = await startKit();
	const { origin } = kit.senders;
	kit.senders.replies.set('/chat', { body: {} });
	await kit.use('joined-or-left.json', (node: WorkflowNode) => {
		if (node.name === 'Slack') delete node.disabled;
		settings({ slackUrl: `${origin}/chat` })(node);
	});
	await kit.use('questions.json', settings({ chatUrl: `${origin}/chat` }));
	await kit.use('payment-failed.json');
});
afterAll(async () => await kit?.stop());

it('reports who joined, came back and left, and posts a question', async () => {
	const [known] = kit.sandbox.state.subscribers.filter(({ state }) => state === 'available');
	const email = String(known?.email);
	await addListener(kit, 'new.here@example.com');
	await setFeed(kit, email, 'inactive');
	kit.sandbox.controls.addRecords('questions', 1);
	await until('three posts', () => chat().length === 3, A_LOOK);
	expect(chat().join('\n')).toContain('new.here@example.com joined');
	expect(chat().join('\n')).toMatch(new RegExp(`${email}\\)? left`));
	expect(chat().join('\n')).toContain(String(kit.sandbox.state.questions.at(-1)?.title));
	await setFeed(kit, email, 'available');
	await until('a fourth post', () => chat().length === 4, A_LOOK);
	expect(chat().at(-1)).toMatch(new RegExp(`${email}\\)? came back`));
});

it('sends an email to a member whose payment at Supercast failed', async () => {
	kit.mailbox.mails.length = 0;
	const somebody = kit.sandbox.state.subscribers.find(({ state }) => state === 'available');
	kit.sandbox.controls.setState(String(somebody?.uuid), 'charge_failure');
	const mail = await kit.mailbox.next(/payment failed/, 0, A_LOOK);
	expect(mail.to).toBe(somebody?.email);
});

describe('workflows that run at a time of the day', () => {
	it('reports the week', async () => {
		const id = await kit.use('weekly-report.json');
		await addListener(kit, 'joined.this.week@example.com');
		expect(await kit.run(id, 'Every Monday')).toBe('success');
		const mail = await kit.mailbox.next(/this week/);
		expect(mail.text).toMatch(/Open feeds: \d+ of \d+ subscribers/);
		expect(mail.text).toContain('joined.this.week@example.com');
	});

	it('sends an email to those whose feed closed on the day, and to nobody else', async () => {
		await addListener(kit, 'left.today@example.com');
		await setFeed(kit, 'left.today@example.com', 'inactive');
		const later = await kit.use('win-back.json');
		const today = await kit.use('win-back.json', settings({ daysClosed: 0 }));
		kit.mailbox.mails.length = 0;
		expect(await kit.run(later, 'Every Day')).toBe('success');
		expect(kit.mailbox.mails.map(({ to }) => to)).not.toContain('left.today@example.com');
		expect(await kit.run(today, 'Every Day')).toBe('success');
		expect(kit.mailbox.mails.map(({ to }) => to)).toContain('left.today@example.com');
	});

	it('keeps VIPs from raising alerts', async () => {
		await addListener(kit, 'vip@example.com');
		const id = await kit.use(
			'vips.json',
			settings({ vips: 'VIP@example.com, nobody@example.com' }),
		);
		expect(await kit.run(id, 'Every Night')).toBe('success');
		expect(person(kit, 'vip@example.com')?.ignore_usage_alerts).toBe(true);
		const others = kit.sandbox.state.subscribers.filter((one) => one.ignore_usage_alerts);
		expect(others.map(({ email }) => email)).toEqual(['vip@example.com']);
	});

	it('closes a feed whose days of grace are over, unless the member has paid since', async () => {
		const any = { 'x-secret': 'a secret header' };
		await kit.use('set-access.json', settings({ graceDays: 0.00002 }));
		await kit.use('any-system.json');
		const night = await kit.use('grace-period.json');
		const call = async (email: string, access: string) =>
			await kit.call('access', JSON.stringify({ email, access, customerId: email }), any);
		await addListener(kit, 'late@example.com');
		await addListener(kit, 'paid.since@example.com');
		for (const email of ['late@example.com', 'paid.since@example.com']) await call(email, 'hold');
		await call('paid.since@example.com', 'open');
		await new Promise((resolve) => setTimeout(resolve, 2_500));
		expect(person(kit, 'late@example.com')?.state).toBe('available');
		expect(await kit.run(night, 'Every Night')).toBe('success');
		expect(person(kit, 'late@example.com')?.state).toBe('deactivated');
		expect(person(kit, 'paid.since@example.com')?.state).toBe('available');
		await asOwner(kit, 'GET', '/channel');
	});
});
