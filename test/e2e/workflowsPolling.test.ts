import { all, settings, startKit, until, type Kit } from './workflows/kit';
import { requests } from './workflows/people';
import type { WorkflowNode } from '../../harness/n8n/setup';

/** Triggers poll once a minute. n8n allows no shorter time. */
const A_LOOK = 100_000;

let kit: Kit;
let triage: string;

beforeAll(async () => {
	kit = await startKit();
	triage = await kit.use('usage-alerts.json', oneMinuteToDecide);
});
afterAll(async () => await kit?.stop());

function oneMinuteToDecide(node: WorkflowNode): void {
	settings({ mailFrom: 'podcast@example.com', tellWhom: 'you@example.com' })(node);
	if (node.name !== 'Ask a Person') return;
	const limit = { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'minutes' };
	(node.parameters.options as Record<string, unknown>).limitWaitTime = { values: limit };
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

it('ignores the alerts of VIPs without asking', async () => {
	await kit.unuse(triage);
	kit.mailbox.mails.length = 0;
	const vips = kit.sandbox.state.subscribers.map(({ email }) => email.toUpperCase()).join(', ');
	triage = await kit.use('usage-alerts.json', all(oneMinuteToDecide, settings({ vips })));
	const [alert] = kit.sandbox.controls.addUsageAlerts(1);
	const vip = kit.sandbox.state.subscribers.find(({ uuid }) => uuid === alert?.subscriber_uuid);
	await until('ignored', () => vip?.ignore_usage_alerts === true, A_LOOK);
	expect(kit.mailbox.mails).toEqual([]);
});
