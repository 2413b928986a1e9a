import type { WorkflowNode } from '../../harness/n8n/setup';
import { secrets } from './workflows/credentials';
import { hookOf, startKit, type Kit } from './workflows/kit';
import { person } from './workflows/people';

let kit: Kit;

beforeAll(async () => {
	kit = await startKit();
	await kit.use('any-system.json', (node: WorkflowNode) => {
		if (node.name !== 'Email to You') return;
		node.disabled = false;
		node.waitBetweenTries = 100;
		Object.assign(node.parameters, { fromEmail: 'n8n@example.com', toEmail: 'you@example.com' });
	});
});
afterAll(async () => await kit?.stop());
beforeEach(() => {
	kit.sandbox.controls.clearFaults();
	kit.mailbox.mails.length = 0;
});

async function call(body: unknown, secret = secrets.header) {
	const headers = { 'x-secret': secret };
	const answer = await kit.call(hookOf('any-system.json'), JSON.stringify(body), headers);
	const json = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
	return { status: answer.status, body: json };
}

const ann = { email: 'ann@example.com', customerId: 'own-1', firstName: 'Ann' };

it('opens and closes the feed of the person in the call', async () => {
	expect(await call({ access: 'open', ...ann })).toMatchObject({
		status: 200,
		body: { action: 'created', state: 'available' },
	});
	expect(person(kit, ann.email)).toMatchObject({ first_name: 'Ann', customer_id: 'own-1' });
	expect(await call({ access: 'Close', customerId: ann.customerId })).toMatchObject({
		status: 200,
		body: { action: 'closed' },
	});
	expect(person(kit, ann.email)?.state).toBe('deactivated');
});

it.each([
	[{ access: 'delete', ...ann }],
	[{ ...ann }],
	[{ access: 'open' }],
	[{ access: 'open', email: '', customerId: null }],
	[{ access: 'open', email: 'no email' }],
	[{ access: 'open', email: ['a@example.com', 'b@example.com'] }],
	[[{ access: 'open', ...ann }]],
	[{}],
])('answers %j with a sentence that helps, and asks Supercast nothing', async (body) => {
	const before = kit.sandbox.stats().requests;
	const answer = await call(body);
	expect(answer.status).toBe(400);
	expect(answer.body.error).toMatch(/'access' \(open or close\).*'email', 'customerId' or both/);
	expect(kit.sandbox.stats().requests).toBe(before);
});

it('refuses a call without the secret', async () => {
	expect((await call({ access: 'open', ...ann }, 'wrong')).status).toBe(403);
});

it('answers 500 if it could not be done, emails you once, and can be called again', async () => {
	const bea = { email: 'bea@example.com' };
	kit.sandbox.controls.addFaults({
		...{ kind: 'status', status: 403, method: 'POST', path: '/subscribers', share: 1 },
	});
	for (let time = 0; time < 3; time++) {
		const answer = await call({ access: 'open', ...bea });
		expect(answer.status).toBe(500);
		expect(answer.body.error).toContain('bea@example.com');
	}
	const mail = await kit.mailbox.next(/bea@example.com/);
	expect(mail.to).toBe('you@example.com');
	kit.sandbox.controls.clearFaults();
	expect(await call({ access: 'open', ...bea })).toMatchObject({ body: { action: 'created' } });
	expect(kit.mailbox.mails).toHaveLength(1);
});

it('emails you if you must decide something', async () => {
	const billed = kit.sandbox.state.subscribers.find(
		({ state, plan_id }) => state === 'available' && plan_id !== null,
	);
	const answer = await call({ access: 'close', email: billed?.email });
	expect(answer.body.action).toBe('kept');
	const mail = await kit.mailbox.next(new RegExp(String(billed?.email)));
	expect(mail.text).toContain(String(answer.body.attention));
});
