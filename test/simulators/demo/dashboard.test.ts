import { request } from 'node:http';

import { startDashboard, type Dashboard } from '../../../simulators/demo/dashboard';
import { startMockServers, type MockServers } from '../../../simulators/memberships';
import { startMailbox, type Mailbox } from '../../harness/mailbox';
import { ask } from '../../harness/system/http';
import { useSandbox } from '../../support/sandbox';

const RUN = '/workflow/stripe/executions/7';

const sandbox = useSandbox();
let mailbox: Mailbox;
let senders: MockServers;
let dashboard: Dashboard;

beforeEach(async () => {
	mailbox = await startMailbox();
	senders = await startMockServers();
	dashboard = await startDashboard(mailbox);
	const { stripe, faults } = senders;
	const down = { stripe: false, supercast: false };
	dashboard.connect(
		{ sandbox: sandbox.current, stripe, faults, down },
		{
			url: 'http://n8n.test',
			client: { request: async () => ({ results: [] }) },
			logIn: async () => 'n8n-auth=new',
			memberWorkflows: ['stripe'],
		},
	);
});
afterEach(async () => {
	await Promise.all([dashboard.close(), mailbox.close(), senders.close()]);
});

describe('Open n8n', () => {
	/** Opens an address without following it, and returns where it leads and the cookies it sets. */
	async function open(path: string, cookie = '') {
		const response = await fetch(new URL(path, dashboard.url), {
			redirect: 'manual',
			headers: { cookie },
		});
		expect(response.status).toBe(303);
		return {
			to: response.headers.get('location'),
			cookies: response.headers.getSetCookie().map((line) => line.split(';')[0]!),
		};
	}
	const login = `/n8n?to=${encodeURIComponent(RUN)}`;

	it('opens n8n without a password for a browser that used the address in the terminal', async () => {
		const { to, cookies } = await open(dashboard.loginUrl);
		expect(to).toBe('/');
		const entered = await open(login, `other=1; ${cookies[0]!}`);
		expect(entered).toEqual({ to: `http://n8n.test${RUN}`, cookies: ['n8n-auth=new'] });
	});

	it('gives other programs and pages on this machine no session of n8n', async () => {
		const plain = await ask(`${dashboard.url}/?key=guessed`);
		expect([plain.status, plain.headers.getSetCookie()]).toEqual([200, []]);
		for (const cookie of ['', 'supercast-dashboard=', 'supercast-dashboard=guessed']) {
			expect(await open(login, cookie)).toEqual({ to: `http://n8n.test${RUN}`, cookies: [] });
		}
		const { body } = await ask(`${dashboard.url}/view`);
		expect(String(body)).not.toContain(new URL(dashboard.loginUrl).searchParams.get('key'));
	});

	it.each(['https://attacker.example/', '//attacker.example/', '/\\attacker.example'])(
		'leads to no other place: %s',
		async (to) => {
			const { cookies } = await open(dashboard.loginUrl);
			const opened = await open(`/n8n?to=${encodeURIComponent(to)}`, cookies[0]);
			expect(opened.to).toBe('http://n8n.test');
		},
	);
});

it.each([
	['a host name that points here', { host: 'attacker.example:80' }],
	['another web page', { origin: 'https://attacker.example' }],
])('refuses a request of %s', async (_, headers) => {
	const { port } = new URL(dashboard.url);
	for (const [method, path] of [
		['GET', '/'],
		['GET', '/view'],
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
