import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../harness/system/paths';
import type { Workflow, WorkflowNode } from '../../harness/n8n/setup';
import { startKit, until, type Kit } from './workflows/kit';
import { addListener, person, setFeed } from './workflows/people';

const open = 'ann@example.com';
const closed = 'carl@example.com';
const unknown = 'nobody@example.com';

let kit: Kit;
let id: string;

beforeAll(async () => {
	kit = await startKit();
	for (const email of [open, closed]) await addListener(kit, email);
	await setFeed(kit, closed, 'inactive');
	id = await kit.use('feed-link.json', (node: WorkflowNode) => {
		if (node.name === 'Email the Address') node.parameters.fromEmail = 'podcast@example.com';
		if (node.name === 'Wait a Moment') node.parameters.amount = '={{ Math.random() * 3 }}';
	});
});
afterAll(async () => await kit?.stop());
beforeEach(() => {
	kit.sandbox.controls.clearFaults();
	kit.mailbox.mails.length = 0;
});

const page = (): string => {
	const text = readFileSync(join(root, 'workflows', 'feed-link.json'), 'utf8');
	const form = (JSON.parse(text) as Workflow).nodes.find(({ type }) =>
		type.endsWith('formTrigger'),
	);
	return `${kit.environment.server.url}/form/${String(form?.webhookId)}`;
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
		(await kit.executions(id)).every(({ status }) => !['new', 'running'].includes(status));
	// A request without an answer takes a minute.
	await until('executions end', isOver, 180_000);
}

const lookUps = (): number =>
	kit.sandbox.state.requests.filter(({ route }) => route.startsWith('GET /subscribers/')).length;

it('shows a page with one field', async () => {
	const html = await (await fetch(page(), { headers })).text();
	expect(html.match(/<input[^>]+type=['"]email['"]/g)).toHaveLength(1);
	expect(html).toContain('Your private podcast feed');
});

it('sends one email, however often and fast someone asks, and only to the email on record', async () => {
	await Promise.all(Array.from({ length: 20 }, async () => await ask(open)));
	await until('an email', () => kit.mailbox.mails.length > 0);
	await done();
	await ask(open);
	await done();
	expect(kit.mailbox.mails.map(({ to }) => to)).toEqual([open]);
	expect(kit.mailbox.mails[0]?.text).toMatch(/\/feeds\/\S+/);
});

it('shows everyone the same answer, before the workflow asks Supercast', async () => {
	kit.sandbox.controls.addFaults({ kind: 'stall', method: 'GET', path: '/subscribers', share: 1 });
	const answers = [];
	for (const email of [open, closed, unknown]) {
		answers.push(await ask(email));
	}
	expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
	kit.sandbox.controls.clearFaults();
});

it('takes the same time for members and strangers', async () => {
	const times: Record<string, number[]> = { [open]: [], [unknown]: [] };
	for (let round = 0; round < 20; round++) {
		for (const email of [open, unknown]) {
			times[email]?.push((await ask(email)).ms);
			await done();
		}
	}
	const median = (list: number[] = []): number => list.sort((a, b) => a - b)[10] ?? 0;
	const [member, stranger] = [median(times[open]), median(times[unknown])];
	process.stdout.write(
		`median: member ${member.toFixed(1)} ms, stranger ${stranger.toFixed(1)} ms\n`,
	);
	const spread = Math.abs((times[open]?.[15] ?? 0) - (times[open]?.[5] ?? 0));
	expect(Math.abs(member - stranger)).toBeLessThan(Math.max(10, spread));
}, 600_000);

it('sends nothing to strangers and about closed feeds', async () => {
	const before = lookUps();
	await ask(closed);
	await ask(unknown);
	await until('look-ups', () => lookUps() >= before + 2);
	await done();
	expect(person(kit, closed)?.state).toBe('deactivated');
	expect(kit.mailbox.mails).toEqual([]);
	expect((await kit.executions(id)).map(({ status }) => status)).not.toContain('error');
});

it('tells the owner if the look-up itself failed', async () => {
	kit.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'GET', share: 1 });
	await ask(open);
	await until('an execution that failed', async () =>
		(await kit.executions(id)).some(({ status }) => status === 'error'),
	);
});
