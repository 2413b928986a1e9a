import { all, hookOf, settings, startKit, until, type Kit } from './workflows/kit';
import { secrets } from './workflows/credentials';
import { addListener, person, requests, setFeed } from './workflows/people';
import type { WorkflowNode } from '../../harness/n8n/setup';

/** Triggers poll once a minute. n8n allows no shorter time. */
const A_LOOK = 100_000;

let kit: Kit;
const chat = () =>
	kit.senders.asked.filter(({ url }) => url.startsWith('/chat')).map(({ body }) => body);
const filled = { mailFrom: 'podcast@example.com', tellWhom: 'you@example.com' };

beforeAll(async () => {
	kit = await startKit();
	const { origin } = kit.senders;
	await kit.use('joined-or-left.json', (node: WorkflowNode) => {
		if (node.name === 'Slack') delete node.disabled;
		settings({ slackUrl: `${origin}/chat` })(node);
	});
	await kit.use('chat.json', settings({ chatUrl: `${origin}/chat` }));
	await kit.use(
		'payment-failed.json',
		settings({ ...filled, accountUrl: 'https://podcast.example.com/account' }),
	);
});
afterAll(async () => await kit?.stop());

it('reports who joined, came back and left, and posts a question and an episode', async () => {
	const [known] = kit.sandbox.state.subscribers.filter(({ state }) => state === 'available');
	const email = String(known?.email);
	await addListener(kit, 'new.here@example.com');
	await setFeed(kit, email, 'inactive');
	kit.sandbox.controls.addRecords('questions', 1);
	kit.sandbox.controls.addRecords('episodes', 1);
	await until('four posts', () => chat().length === 4, A_LOOK);
	expect(chat().join('\n')).toMatch(/new\.here@example\.com\) joined/);
	expect(chat().join('\n')).toContain(`${email}) left`);
	expect(chat().join('\n')).toContain(String(kit.sandbox.state.questions.at(-1)?.title));
	expect(chat().join('\n')).toContain(String(kit.sandbox.state.episodes.at(-1)?.title));
	await setFeed(kit, email, 'available');
	await until('a fifth post', () => chat().length === 5, A_LOOK);
	expect(chat().at(-1)).toContain(`${email}) came back`);
});

it('sends an email to a member whose payment at Supercast failed', async () => {
	kit.mailbox.mails.length = 0;
	const somebody = kit.sandbox.state.subscribers.find(({ state }) => state === 'available');
	kit.sandbox.controls.setState(String(somebody?.uuid), 'charge_failure');
	const mail = await kit.mailbox.next(/payment failed/, 0, A_LOOK);
	expect(mail.to).toBe(somebody?.email);
	expect(mail.text).toContain('https://podcast.example.com/account');
});

it('reports the week', async () => {
	const id = await kit.use('weekly-report.json', settings(filled));
	await addListener(kit, 'joined.this.week@example.com');
	expect(await kit.run(id, 'Every Monday')).toBe('success');
	const mail = await kit.mailbox.next(/this week/);
	expect(mail.text).toMatch(/Open feeds: \d+ of \d+ subscribers/);
	expect(mail.text).toContain('joined.this.week@example.com');
});

describe('Any System', () => {
	const call = async (body: Record<string, unknown>, secret = secrets.header) => {
		const headers = { 'x-secret': secret };
		const answer = await kit.call(hookOf('any-system.json'), JSON.stringify(body), headers);
		return { status: answer.status, body: (await answer.json().catch(() => ({}))) as object };
	};
	const ann = { email: 'ann@example.com', customerId: 'own-1', firstName: 'Ann' };
	const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

	beforeAll(async () => {
		const texts = { welcomeText: 'Hello {name}: {feed}', againText: 'Again: {feed}' };
		await kit.use('any-system.json', all(settings({ ...filled, ...texts })));
	});

	it('opens and closes, and ignores a call that is older than the last one', async () => {
		kit.mailbox.mails.length = 0;
		const opened = await call({ access: 'open', ...ann, at: at(10) });
		expect(opened).toMatchObject({ status: 200, body: { action: 'created' } });
		await kit.mailbox.next(/Your private podcast feed/);
		expect(await call({ access: 'close', ...ann, at: at(5) })).toMatchObject({
			body: { action: 'ignored' },
		});
		expect(person(kit, ann.email)?.state).toBe('available');
		expect(await call({ access: 'close', ...ann, at: at(20) })).toMatchObject({
			body: { action: 'closed' },
		});
		expect(person(kit, ann.email)?.state).toBe('deactivated');
		expect(kit.mailbox.mails).toHaveLength(1);
	});

	it('refuses a wrong secret and bad input, and can be called again after an outage', async () => {
		expect((await call({ access: 'open', ...ann }, 'wrong')).status).toBe(403);
		expect((await call({ access: 'delete', ...ann, at: at(30) })).status).toBe(500);
		const away = {
			kind: 'status',
			status: 403,
			method: 'PATCH',
			path: '/feeds',
			share: 1,
		} as const;
		kit.sandbox.controls.addFaults(away);
		expect((await call({ access: 'open', ...ann, at: at(40) })).status).toBe(500);
		kit.sandbox.controls.clearFaults();
		const before = requests(kit, 'PATCH');
		expect(await call({ access: 'open', ...ann, at: at(40) })).toMatchObject({
			body: { action: 'reopened' },
		});
		expect(requests(kit, 'PATCH')).toBeGreaterThan(before);
	});
});
