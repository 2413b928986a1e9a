import { startChatServer, type ChatServer } from './workflows/chatServer';
import { all, type Fixture, startFixture, until } from './workflows/fixture';
import { addListener, asOwner, setFeed } from './workflows/people';
import { failure, filledIn, quick, retry } from './workflows/tries';

let fixture: Fixture;
let chats: ChatServer;
let id: string;

beforeAll(async () => {
	chats = await startChatServer();
	fixture = await startFixture({ subscribers: 12, rateLimit: 0 });
});
afterAll(async () => {
	await fixture?.stop();
	await chats?.close();
});
beforeEach(() => {
	fixture.sandbox.reset();
	chats.broken.clear();
	chats.tagged.clear();
	Object.assign(chats, { refused: 0 }).accepted.length = 0;
});
afterEach(async () => await fixture.unuse(id));

const seconds = async (count: number): Promise<void> =>
	await new Promise((resolve) => setTimeout(resolve, count * 1000));
const posted = (): string[] =>
	chats.accepted
		.filter(({ target }) => target === 'discord' || target === 'slack')
		.map(({ body }) => String(body.content ?? body.text));
const emails = (count: number): string[] =>
	Array.from({ length: count }, (_, at) => `member.${at}@example.com`);
/** Someone who is open, and not billed by Supercast. */
function someone(at: number) {
	const open = fixture.sandbox.state.subscribers.filter(({ state }) => state === 'available');
	return open[at];
}
/** Changes a record as Supercast itself may, also to a state that nobody knows. */
const change = (who: object | undefined, fields: object): object =>
	Object.assign(who ?? {}, { ...fields, updated_at: new Date().toISOString() });

describe('tell-team.json', () => {
	const use = async (target: string): Promise<string> =>
		await fixture.use(
			'tell-team.json',
			all(quick(), filledIn({ Chat: { url: `${chats.origin}/${target}` } })),
		);

	it('tells whose feed closed or opened, whatever Supercast calls the states, and nothing else', async () => {
		id = await use('slack');
		const [held, deleted, back] = [someone(0), someone(1), someone(2)];
		change(held, { state: 'on_hold' });
		change(back, { state: 'on_hold' });
		await seconds(8);
		expect(posted()).toEqual([]);
		change(held, { state: 'deactivated' });
		change(back, { state: 'available' });
		await asOwner(fixture, 'DELETE', `/subscribers/${String(deleted?.uuid)}`);
		const told = () => posted().join('\n');
		await until('both are told', () => told().split('no longer').length === 3, 60_000);
		for (const one of [held, deleted]) expect(told()).toContain(`\`${String(one?.email)}\``);
		change(held, { state: 'available', email: null });
		await until('one more', () => told().includes('`no email`'), 60_000);
		expect(told()).toMatch(/`no email` .+ can listen now/);
		expect(told()).not.toContain(String(back?.email));
	});

	it('tells about 14 people once, their names as text, on one line and without addresses', async () => {
		id = await use('discord');
		const names = ['@everyone <!channel>', '```', '[Log in](http://evil.example.com)', '*b* _i_'];
		for (const [at, email] of emails(14).entries()) {
			const first_name = `${names[at % 4]}\n${'x'.repeat(200)}`;
			await asOwner(fixture, 'POST', '/subscribers', { subscriber: { email, first_name } });
		}
		const lines = () => posted().flatMap((text) => text.split('\n'));
		await until('14 lines', () => lines().length >= 14, 60_000);
		await seconds(6);
		const form = /^`(member\.\d+@example\.com)` [\p{L}\p{N} ]{1,40} can listen now$/u;
		const told = lines().map((line) => form.exec(line)?.[1]);
		expect(told.sort()).toEqual(emails(14).sort());
		for (const { body } of chats.accepted) expect(body.allowed_mentions).toEqual({ parse: [] });
		expect(await fixture.failures(id)).toEqual([]);
	});
});

describe('mailing-list.json', () => {
	const use = async (tries?: number): Promise<string> => {
		const { origin } = chats;
		return await fixture.use(
			'mailing-list.json',
			all(
				quick(tries),
				filledIn({
					Kit: { url: `${origin}/kit/subscribers` },
					'Kit Tag': { url: `${origin}/kit/tags/9/subscribers` },
				}),
			),
		);
	};
	const tagged = (): string[] => [...chats.tagged].sort();
	const calls = () => chats.accepted.filter(({ target }) => target === 'kit');

	it('tags 14 people although n8n is killed, and takes the tag from who left or was deleted', async () => {
		id = await use();
		for (const email of emails(14)) await addListener(fixture, email);
		await until('some calls', () => calls().length > 4, 60_000);
		await fixture.restart();
		await until('all are tagged', () => chats.tagged.size === 14, 90_000);
		const [left = '', deleted = '', ...others] = emails(14);
		await setFeed(fixture, left, 'inactive');
		await asOwner(fixture, 'DELETE', `/subscribers/${deleted}`);
		// Kit answers 404, because it does not know this person.
		change(someone(0), { state: 'deactivated' });
		await until('two tags are gone', () => chats.tagged.size === 12, 60_000);
		await seconds(6);
		expect(tagged()).toEqual(others.sort());
		expect(await fixture.failures(id)).toEqual([]);
	});

	it('calls Kit for nobody without an email', async () => {
		id = await use();
		change(someone(0), { state: 'deactivated', email: null });
		await seconds(8);
		expect(calls()).toEqual([]);
		expect(await fixture.failures(id)).toEqual([]);
	});

	it('names whom Kit refused, and tags them after Retry', async () => {
		id = await use(1);
		await addListener(fixture, 'first@example.com');
		await until('the first is tagged', () => chats.tagged.size === 1, 60_000);
		chats.broken.add('kit');
		for (const email of emails(3)) await addListener(fixture, email);
		const said = await failure(fixture, id);
		for (const email of emails(3)) expect(said).toContain(email);
		expect(said).not.toContain('first@example.com');
		chats.broken.clear();
		chats.accepted.length = 0;
		await retry(fixture, id);
		await until('all are tagged', () => chats.tagged.size === 4, 60_000);
		await seconds(4);
		expect(calls().map(({ body }) => body.email_address)).not.toContain('first@example.com');
	});
});

describe('chat.json', () => {
	const use = async (): Promise<string> =>
		await fixture.use(
			'chat.json',
			all(quick(), filledIn({ 'Post It': { url: `${chats.origin}/discord` } })),
		);
	type Question = Record<string, unknown>;
	const ask = (count: number) =>
		fixture.sandbox.controls.addRecords('questions', count) as Question[];

	it('posts 14 questions and an episode once each, as text, however long they are', async () => {
		id = await use();
		const [evil, long, empty, ...others] = ask(14);
		Object.assign(evil ?? {}, { body: '``` [Log in](http://evil.example.com) @everyone' });
		Object.assign(long ?? {}, { body: 'Why? '.repeat(1000) });
		Object.assign(empty ?? {}, { body: `One${'\n'.repeat(4000)}more line` });
		fixture.sandbox.controls.addRecords('episodes', 1);
		await until('all messages', () => posted().length === 15, 90_000);
		await seconds(6);
		const all = posted();
		expect([all.length, chats.refused]).toEqual([15, 0]);
		for (const text of all) expect(text).toMatch(/^```\n[^`]+\n```$/);
		for (const { title } of others)
			expect(all.filter((text) => text.includes(String(title)))).toHaveLength(1);
		expect(all.join()).toContain('One\n\nmore line');
		expect(all.join()).toContain(String(fixture.sandbox.state.episodes.at(-1)?.title));
		for (const { body } of chats.accepted) expect(body.allowed_mentions).toEqual({ parse: [] });
	});
});
