import { startKit, until, type Kit } from './workflows/kit';
import { addListener, setFeed } from './workflows/people';
import type { WorkflowNode } from '../../harness/n8n/setup';

/** Triggers poll once a minute. n8n allows no shorter time. */
const A_LOOK = 100_000;

let kit: Kit;
const chat = () =>
	kit.senders.asked.filter(({ url }) => url.startsWith('/chat')).map(({ body }) => body);
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
	kit = await startKit();
	const { origin } = kit.senders;
	const url = `${origin}/chat`;
	await kit.use('joined-or-left.json', enabled('Slack', { url }));
	await kit.use('chat.json', enabled('Post It', { url }));
	await kit.use('payment-failed.json', enabled('Email the Member', { fromEmail }));
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
	expect(mail.text).toContain('Please check your card');
});

it('reports the week', async () => {
	const id = await kit.use(
		'weekly-report.json',
		enabled('Email the Report', { fromEmail, toEmail: 'you@example.com' }),
	);
	await addListener(kit, 'joined.this.week@example.com');
	expect(await kit.run(id, 'Every Monday')).toBe('success');
	const mail = await kit.mailbox.next(/this week/);
	expect(mail.text).toMatch(/Open feeds: \d+ of \d+ subscribers/);
	expect(mail.text).toContain('joined.this.week@example.com');
});
