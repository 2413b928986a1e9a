import { createServer, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startDesk, type Desk } from '../../demo/desk';
import { actions, type DeskWorld } from '../../demo/deskActions';
import { startMailbox, type Mailbox } from '../../harness/mailbox';
import { startSenders, type Senders } from '../../harness/senders';
import { ask } from '../../harness/system/http';
import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox();
let mailbox: Mailbox;
let senders: Senders;
let desk: Desk;
let world: DeskWorld;
/** Takes the events that the stand-in for Stripe sends, as n8n does. */
let n8n: Server;
let takeEvent: RequestListener;

const accept: RequestListener = (_, response) => response.end('{}');

beforeEach(async () => {
	mailbox = await startMailbox();
	senders = await startSenders();
	desk = await startDesk(mailbox);
	takeEvent = accept;
	n8n = createServer((...args) => takeEvent(...args));
	await new Promise<void>((resolve) => n8n.listen(0, '127.0.0.1', resolve));
	const { port } = n8n.address() as AddressInfo;
	const types = ['customer.subscription.created'];
	senders.stripe.webhooks = [{ url: `http://127.0.0.1:${port}`, types }];
	world = { sandbox: sandbox.current, stripe: senders.stripe, faults: senders.faults };
});
afterEach(async () => {
	n8n.closeAllConnections();
	n8n.close();
	await Promise.all([desk.close(), mailbox.close(), senders.close()]);
});

/** Presses a button. Returns the line that says what happened, and the page. */
async function press(path: string): Promise<{ line: string; page: string }> {
	const { status } = await fetch(`${desk.url}${path}`, { method: 'POST', redirect: 'manual' });
	expect(status).toBe(303);
	const answer = await ask(desk.url);
	expect(answer.status).toBe(200);
	const page = String(answer.body);
	for (const { label } of actions) expect(page).toContain(`<button>${label}</button>`);
	const [, line = ''] = /<pre>(.*?)(?:<\/pre>|\n)/.exec(page)!;
	return { line, page };
}

/** Everything that can be the matter when someone presses a button of Start Here. */
const states: Record<string, () => Promise<unknown> | void> = {
	'n8n is not ready yet': () => undefined,
	'all is well': () => desk.connect(world),
	'there is a member': () => {
		desk.connect(world);
		senders.stripe.join('ann@example.com', 'Ann');
	},
	'n8n refuses the event': () => {
		desk.connect(world);
		takeEvent = (_, response) => response.writeHead(500).end();
	},
	'n8n has stopped': () => {
		desk.connect(world);
		n8n.close();
	},
	'Supercast is down': async () => {
		desk.connect(world);
		senders.stripe.join('ann@example.com', 'Ann');
		await press('/away');
	},
	'Stripe is down': async () => {
		desk.connect(world);
		await press('/stripe-away');
	},
};

describe.each(Object.entries(states))('when %s', (_, prepare) => {
	it('every button leads back to the desk, which says in a sentence what happened', async () => {
		await prepare();
		for (const { path } of [...actions, { path: '/no-such-button' }]) {
			const { line } = await press(path);
			expect(line).toMatch(/^\d.* {2}\w.*\.$/);
			expect(line).not.toMatch(/undefined|Error:|fetch failed|ECONNREFUSED|\[object/);
		}
	});
});

it.each([
	['a host name that points here', { host: 'attacker.example:80' }],
	['another web page', { origin: 'https://attacker.example' }],
])('refuses a request of %s', async (_, headers) => {
	desk.connect(world);
	const { port } = new URL(desk.url);
	for (const [method, path] of [
		['GET', '/'],
		['POST', '/pay'],
	] as const) {
		const status = await new Promise((resolve) => {
			request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
				response.resume();
				resolve(response.statusCode);
			}).end();
		});
		expect([method, status]).toEqual([method, 403]);
	}
	expect(senders.stripe.subscriptions).toEqual([]);
});

it('a payment does not wait for an n8n that does not answer', async () => {
	desk.connect({ ...world, patienceMs: 100 });
	takeEvent = () => undefined;
	const { line } = await press('/pay');
	expect(line).toContain('n8n has not answered yet');
});

it('does not call a feed closed while Supercast is down', async () => {
	desk.connect(world);
	senders.stripe.join('ann@example.com', 'Ann');
	expect((await press('/away')).page).toContain('feed <b>unknown</b>');
	expect((await press('/back')).page).toContain('feed <b>closed</b>');
});

it('shows what it could not do on its own page', async () => {
	await fetch(`${desk.url}/chat`, { method: 'POST', body: 'no JSON' });
	const { body } = await ask(desk.url);
	expect(String(body)).toContain('The desk could not do that');
});
