import { startKit, until, type Kit } from './workflows/kit';
import { asOwner, requests } from './workflows/people';
import type { WorkflowNode } from '../../harness/n8n/setup';

/** Triggers poll once a minute. n8n allows no shorter time. */
const A_LOOK = 100_000;

let kit: Kit;
let triage: string;
let episode: string;

beforeAll(async () => {
	kit = await startKit();
	await kit.use('on-error.json');
	triage = await kit.use('usage-alerts.json', oneMinuteToDecide);
	episode = await kit.use('new-episode.json', everyMinute);
});
afterAll(async () => await kit?.stop());

function oneMinuteToDecide(node: WorkflowNode): void {
	if (node.name !== 'Ask a Person') return;
	const limit = { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'minutes' };
	(node.parameters.options as Record<string, unknown>).limitWaitTime = { values: limit };
}

function everyMinute(node: WorkflowNode): void {
	if (node.name === 'Episode Published')
		node.parameters.pollTimes = { item: [{ mode: 'everyMinute' }] };
}

/** Opens the form that an email links to, and chooses. */
async function decide(text: string, choice: string): Promise<void> {
	const link = /href="(http[^"]*webhook-waiting[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
	const address = String(link);
	let option: string | undefined;
	// The email is sent a moment before n8n waits for the answer.
	await until('the form is there', async () => {
		const form = await (await fetch(address)).text();
		option = new RegExp(`${choice}: [^"<]+`).exec(form)?.[0];
		return option !== undefined;
	});
	const body = new FormData();
	body.set('field-0', String(option).trim());
	expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
}

it('asks a person about each new usage alert, and none holds up another', async () => {
	const before = kit.sandbox.state.usageAlerts.length;
	const alerts = kit.sandbox.controls.addUsageAlerts(4);
	const people = () =>
		alerts.map(({ subscriber_uuid: uuid }) =>
			kit.sandbox.state.subscribers.find((one) => one.uuid === uuid),
		);
	const states = () => people().map((one) => one?.state);
	const open = () =>
		alerts.map(({ id }) => kit.sandbox.state.usageAlerts.some((one) => one.id === id));

	// All four questions are asked at the same time, and each email names the person.
	await until('four emails', () => kit.mailbox.mails.length === 4, A_LOOK);
	const mails = people().map((one) =>
		kit.mailbox.mails.find(({ text }) => text.includes(String(one?.email))),
	);
	expect(mails.every((mail) => mail !== undefined)).toBe(true);
	expect(requests(kit, 'PATCH')).toBe(0);

	// The last one is answered first.
	await decide(String(mails[3]?.text), 'Suspend Listener and Stop Billing');
	await until('the feed is suspended', () => states()[3] === 'suspended');
	await decide(String(mails[1]?.text), 'Dismiss');
	await until('the alert is dismissed', () => !open()[1]);
	await decide(String(mails[0]?.text), 'Ignore');
	await until('the alert is ignored', () => people()[0]?.ignore_usage_alerts === true);

	// Nobody answers the third one, so nothing happens to it.
	await until('the executions end', async () => await endedWell(triage), A_LOOK);
	expect(open()).toEqual([false, false, true, false]);
	expect(states()).toEqual(['available', 'available', 'available', 'suspended']);
	expect(requests(kit, 'PATCH')).toBe(3);
	expect(kit.sandbox.state.usageAlerts).toHaveLength(before + 1);
	expect(kit.mailbox.mails).toHaveLength(4);
});

async function endedWell(id: string): Promise<boolean> {
	const all = await kit.executions(id);
	return all.length > 0 && all.every(({ status }) => status === 'success');
}

it('announces an episode once it is published, and no other', async () => {
	kit.mailbox.mails.length = 0;
	await asOwner(kit, 'POST', '/episodes', { episode: { title: 'A draft' } });
	const [out] = kit.sandbox.controls.addRecords('episodes', 1) as Array<{ title: string }>;
	const mail = await kit.mailbox.next(/./, 0, A_LOOK);
	expect(mail.subject).toBe(`The Demo Hour: ${out?.title}`);
	expect(mail.to).toBe('members@example.com');
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	expect(kit.mailbox.mails).toHaveLength(1);

	const draft = kit.sandbox.state.episodes.find(({ title }) => title === 'A draft');
	const published = { published_at: new Date(Date.now() - 1_000).toISOString() };
	// The SMTP server is down. The execution fails, and continues when a person retries it.
	kit.mailbox.refusing = true;
	await asOwner(kit, 'PATCH', `/episodes/${String(draft?.id)}`, { episode: published });
	const failed = async () =>
		(await kit.executions(episode)).find(({ status }) => status === 'error');
	await until('the execution fails', async () => (await failed()) !== undefined, A_LOOK + 40_000);
	kit.mailbox.refusing = false;
	const { id } = (await failed())!;
	await kit.environment.client.request('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	await kit.mailbox.next(/A draft/, 0, A_LOOK);
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	expect(kit.mailbox.mails).toHaveLength(2);
});
