import type { WorkflowNode } from '../harness/n8n/setup';
import { everyFiveSeconds } from './support/triggerInstance';
import { startChatServer, type ChatServer } from './workflows/chatServer';
import { type Fixture, startFixture, until } from './workflows/fixture';
import { addListener, asOwner, setFeed } from './workflows/people';

let fixture: Fixture;
let chats: ChatServer;
let id: string;

beforeAll(async () => {
	chats = await startChatServer();
	fixture = await startFixture({ subscribers: 5, rateLimit: 0 });
});
afterAll(async () => {
	await fixture?.stop();
	await chats?.close();
});
beforeEach(() => {
	fixture.sandbox.reset();
	chats.broken.clear();
	Object.assign(chats, { refused: 0 }).accepted.length = 0;
});
afterEach(async () => await fixture.unuse(id));

/** What a person does: enters addresses, and enables the nodes. */
function filledIn(node: WorkflowNode): void {
	const urls: Record<string, string> = {
		Slack: `${chats.origin}/slack`,
		Discord: `${chats.origin}/discord`,
		'Post It': `${chats.origin}/discord`,
		Kit: `${chats.origin}/kit/subscribers`,
		'Kit Tag': `${chats.origin}/kit/tags/9/subscribers`,
	};
	if (node.type.endsWith('supercastTrigger'))
		node.parameters.pollTimes = { item: everyFiveSeconds };
	const url = urls[node.name];
	if (url === undefined) return;
	node.parameters.url = url;
	node.disabled = false;
	node.waitBetweenTries = 1000;
}

const posted = (target: string): string[] =>
	chats.accepted
		.filter((one) => one.target === target)
		.map(({ body }) => String(body.content ?? body.text));
const linesOf = (target: string): string[] => posted(target).flatMap((text) => text.split('\n'));

describe('joined-or-left.json, when 14 people join together', () => {
	const emails = Array.from({ length: 14 }, (_, at) => `member.${at}@example.com`);

	async function join(): Promise<void> {
		const names = { first_name: '@everyone', last_name: '<!channel> <@&1>' };
		for (const email of emails)
			await asOwner(fixture, 'POST', '/subscribers', { subscriber: { email, ...names } });
	}
	const everybody = (target: string): number =>
		emails.filter(
			(email) => linesOf(target).filter((line) => line.includes(`(${email}) joined`)).length === 1,
		).length;

	it('tells each target about each of them once, as text', async () => {
		id = await fixture.use('joined-or-left.json', filledIn);
		await join();
		await until('all are tagged', () => chats.tagged.size === 14, 90_000);
		expect([everybody('slack'), everybody('discord'), chats.refused]).toEqual([14, 14, 0]);
		expect(posted('slack').join()).not.toMatch(/<!channel>/);
		expect(posted('slack').join()).toContain('&lt;!channel&gt;');
		for (const { target, body } of chats.accepted)
			if (target === 'discord') expect(body.allowed_mentions).toEqual({ parse: [] });
		const [gone = '', unknown = ''] = [emails[3], 'not.in.kit@example.com'];
		await setFeed(fixture, gone, 'inactive');
		await until('the tag is gone', () => !chats.tagged.has(gone), 60_000);
		expect(chats.tagged.size).toBe(13);
		await addListener(fixture, unknown);
		await until('one more', () => chats.tagged.has(unknown), 60_000);
		expect(await fixture.failures(id)).toEqual([]);
	});

	it('tells the others if one target fails, and then says so', async () => {
		id = await fixture.use('joined-or-left.json', (node) => {
			filledIn(node);
			if (node.name === 'Slack') node.maxTries = 2;
		});
		chats.broken.add('slack');
		chats.tagged.clear();
		await join();
		await until(
			'the execution fails',
			async () => (await fixture.failures(id)).length > 0,
			120_000,
		);
		await until('the others are told', () => chats.tagged.size === 14, 60_000);
		expect(everybody('discord')).toBe(14);
		expect((await fixture.failures(id)).join()).toMatch(/messages or entries failed\. The first: /);
	});
});

describe('chat.json', () => {
	it('posts eight questions, one of them very long, each once', async () => {
		id = await fixture.use('chat.json', filledIn);
		fixture.sandbox.controls.addRecords('questions', 8);
		const questions = fixture.sandbox.state.questions.slice(-8);
		const [first] = questions;
		Object.assign(first ?? {}, { body: 'Why? '.repeat(1000) });
		await until('all messages', () => posted('discord').length === 10, 90_000);
		await new Promise((resolve) => setTimeout(resolve, 8_000));
		expect([posted('discord').length, chats.refused]).toEqual([10, 0]);
		const all = posted('discord').join('\n');
		for (const { title } of questions) expect(all.split(String(title)).length).toBe(2);
		expect(posted('discord').join('').split('Why?').length).toBeGreaterThan(990);
	});
});
