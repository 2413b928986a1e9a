import { request } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startDashboard, type Dashboard } from '../../../simulators/demo/dashboard';
import { actions, type DemoServices } from '../../../simulators/demo/dashboardActions';
import type { DashboardN8n } from '../../../simulators/demo/dashboardRuns';
import { demoContents } from '../../../simulators/demo/contents';
import { joinLongAgo, openFeeds } from '../../../simulators/demo/members';
import { startMailbox, type Mailbox } from '../../harness/mailbox';
import { startMockServers, type MockServers } from '../../../simulators/memberships';
import type { StripeSubscription } from '../../../simulators/memberships/stripe';
import { ask } from '../../harness/system/http';
import { runSync, writesOf } from '../../support/members';
import { useSandbox } from '../../support/sandbox';

const RUN = '/workflow/stripe/executions/7';

const sandbox = useSandbox();
let mailbox: Mailbox;
let senders: MockServers;
let dashboard: Dashboard;
let services: DemoServices;
let executions: Array<Record<string, unknown>>;
let n8n: DashboardN8n;

beforeEach(async () => {
	mailbox = await startMailbox();
	senders = await startMockServers();
	dashboard = await startDashboard(mailbox);
	const { stripe, faults } = senders;
	const down = { stripe: false, supercast: false };
	services = { sandbox: sandbox.current, stripe, faults, down };
	executions = [];
	const answer = async (): Promise<unknown> => ({ results: executions });
	const logIn = async (): Promise<string> => 'n8n-auth=new';
	n8n = { url: 'http://n8n.test', client: { request: answer }, logIn, memberWorkflows: ['stripe'] };
});
afterEach(async () => {
	await Promise.all([dashboard.close(), mailbox.close(), senders.close()]);
});

async function content(): Promise<string> {
	const { status, body } = await ask(`${dashboard.url}/view`);
	expect(status).toBe(200);
	return String(body);
}

/** The sentences about what happened, newest first, without their times and links. */
async function story(): Promise<string[]> {
	const view = await content();
	const lines = [
		...view.matchAll(/<time>[\d:]+<\/time> (.*?)(?: <a[^>]*>.*?<\/a>)?(?:<\/p>|<\/li>)/g),
	];
	return lines.map(([, sentence = '']) => sentence.replaceAll('&quot;', '"'));
}

/** What a row shows about a member: Stripe's side, and Supercast's. */
async function rowOf(email: string): Promise<string[]> {
	const row =
		(await content())
			.split('<div class="row"')
			.slice(1)
			.find((one) => one.includes(email)) ?? '';
	return [...row.matchAll(/<b class="pill \w+">(.*?)<\/b>/g)]
		.slice(0, 2)
		.map(([, text = '']) => text);
}

async function press(path: string): Promise<void> {
	const { status } = await fetch(`${dashboard.url}${path}`, { method: 'POST', redirect: 'manual' });
	expect(status).toBe(303);
}

/** Opens a feed as n8n does, and notes the execution. */
async function openFeed(email: string): Promise<void> {
	const { accessToken, baseUrl } = sandbox.current;
	await ask(`${baseUrl}/subscribers`, {
		method: 'POST',
		headers: { authorization: `Bearer ${accessToken}` },
		json: { subscriber: { email } },
	});
	executions.unshift(execution('7'));
}

function closeFeed(email: string): void {
	Object.assign(sandbox.current.state.subscriber(email)!, { state: 'deactivated' });
}

function execution(id: string, more: Record<string, unknown> = {}) {
	const now = new Date().toISOString();
	return {
		id,
		workflowId: 'stripe',
		workflowName: 'Stripe Members',
		status: 'success',
		mode: 'trigger',
		startedAt: now,
		stoppedAt: now,
		...more,
	};
}

/** The parameters of Sync in the demo's workflow for Stripe. */
function syncOfDemo(): IDataObject {
	const addresses = { sandbox: sandbox.current, senders, dashboard: dashboard.url, smtpPort: 1 };
	const { workflows } = demoContents(addresses);
	const [stripe] = workflows.filter(({ name }) => name === 'Stripe Members');
	return stripe!.nodes.find(({ name }) => name === 'Sync')!.parameters as IDataObject;
}

const join = (email: string) => senders.stripe.join(email, 'Ann');

/** The situations in which someone can press a button. */
const states: Record<string, () => Promise<unknown> | void> = {
	'n8n is not ready yet': () => undefined,
	'all is well': () => dashboard.connect(services, n8n),
	'there is a member': () => {
		dashboard.connect(services, n8n);
		join('ann@example.com');
	},
	'n8n has stopped': () => {
		const refuse = async (): Promise<never> => await Promise.reject(new Error('gone'));
		dashboard.connect(services, { ...n8n, client: { request: refuse } });
	},
	'Supercast is down': async () => {
		dashboard.connect(services, n8n);
		join('ann@example.com');
		await press('/away');
	},
	'Stripe is down': async () => {
		dashboard.connect(services, n8n);
		await press('/stripe-away');
	},
};

it.each(Object.entries(states))(
	'when %s, every button leads back to the dashboard, which says in a sentence what happened',
	async (_, prepare) => {
		await prepare();
		for (const { path } of [...actions, { path: '/no-such-button' }]) {
			await press(path);
			const [sentence] = await story();
			expect(sentence).toMatch(/^\w.*\.$/);
			expect(sentence).not.toMatch(/undefined|Error:|fetch failed|ECONNREFUSED|\[object/);
		}
	},
);

describe('while n8n starts', () => {
	const buttons = async () => [...(await content()).matchAll(/<button[^>]*>/g)].map(([tag]) => tag);

	it('the dashboard says so, and no button can be pressed', async () => {
		expect(await content()).toContain('n8n is still starting');
		expect(await content()).not.toContain('Press <b>A Member Pays');
		expect(new Set(await buttons())).toEqual(new Set(['<button disabled>']));
	});

	it('until it is ready', async () => {
		dashboard.connect(services, n8n);
		expect(await content()).toContain('Press <b>A Member Pays</b>');
		expect(new Set(await buttons())).toEqual(new Set(['<button>']));
	});
});

describe('the members who were there before', () => {
	/** The demo's own members, with their feeds, as n8n finds them. */
	async function addExisting(): Promise<StripeSubscription[]> {
		const members = joinLongAgo(senders.stripe);
		await openFeeds(sandbox.current, members);
		services.existing = new Set(members.map(({ customer }) => customer.id));
		return members;
	}

	it('are so many that several can cancel at the same time, with the usual limit', async () => {
		const members = await addExisting();
		const listed = members.map(({ customer: { id, email } }) => ({ id, email }));
		const { maxClosePercent, options, customerIdPrefix } = syncOfDemo();
		expect(options).toMatchObject({ closeAfter: 1 });
		const run = async (rows: typeof listed) =>
			await runSync(sandbox.current, rows, {
				...{ maxClosePercent, customerIdPrefix, close: 'prefix' },
				options: { closeAfter: 1 },
			} as INodeParameters);
		expect(writesOf(sandbox.current)).toHaveLength(members.length);
		expect((await run(listed)).error).toBeUndefined();
		expect(writesOf(sandbox.current)).toHaveLength(members.length);
		expect((await run(listed.slice(9))).error).toBeUndefined();
		for (const [index, { email }] of listed.entries()) {
			const { state } = sandbox.current.state.subscriber(String(email))!;
			expect([index, state]).toEqual([index, index < 9 ? 'deactivated' : 'available']);
		}
	});

	it('are no news', async () => {
		const members = await addExisting();
		dashboard.connect(services, n8n);
		expect(await story()).toEqual([]);
		const [{ customer }] = members as [StripeSubscription];
		closeFeed(String(customer.email));
		expect((await story())[0]).toContain(`${customer.email} closed`);
	});
});

it('says that a feed opened and closed, why, and which run of n8n did it', async () => {
	dashboard.connect(services, n8n);
	const subscription = join('ann@example.com');
	expect(await rowOf('ann@example.com')).toEqual(['pays', 'no feed yet']);

	await openFeed('ann@example.com');
	expect(await rowOf('ann@example.com')).toEqual(['pays', 'open']);
	expect((await story())[0]).toBe(
		'The feed of ann@example.com opened, because this member pays at Stripe.',
	);
	expect(await content()).toContain(`href="/n8n?to=${encodeURIComponent(RUN)}"`);

	senders.stripe.end(subscription);
	closeFeed('ann@example.com');
	expect(await rowOf('ann@example.com')).toEqual(['canceled', 'closed']);
	expect((await story())[0]).toBe(
		'The feed of ann@example.com closed, because the membership at Stripe ended.',
	);
});

it('says so if a feed changed although Stripe did not ask for it', async () => {
	dashboard.connect(services, n8n);
	join('ann@example.com');
	await openFeed('ann@example.com');
	await content();
	closeFeed('ann@example.com');
	expect((await story())[0]).toContain('closed, although Stripe does not say so.');
});

describe('a sync run reads Stripe first, and changes the feed later', () => {
	const ANN = 'ann@example.com';
	const BEFORE = new Date(Date.now() - 600_000).toISOString();
	/** Which of the steps the dashboard sees separately. It always looks at the end. */
	const looks = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
		[0, 1, 2].map((at) => (bits >> at) % 2 === 1),
	);

	/** Time for the clock to move on. A switch of plans ends and begins at the same time. */
	const aMoment = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 3));

	/** Runs the steps. After the step with this number, Stripe changes. Returns what the dashboard said. */
	async function tell(
		steps: Array<() => Promise<void> | void>,
		changes: { after: number; change: () => void },
		seen: boolean[],
	): Promise<string> {
		for (const [at, step] of steps.entries()) {
			await step();
			if (at === changes.after) changes.change();
			if (seen[at] === true) await content();
		}
		return (await story()).join('\n');
	}

	it.each([1, 2].flatMap((after) => looks.map((seen) => ({ after, seen }))))(
		'a member who pays and cancels after step $after got the feed for paying ($seen)',
		async ({ after, seen }) => {
			dashboard.connect(services, n8n);
			const run = execution('7', { status: 'running', startedAt: BEFORE, stoppedAt: null });
			const paid = join(ANN);
			paid.created = Date.parse(BEFORE) - 1_000;
			const steps = [
				() => void executions.unshift(run),
				aMoment,
				async () => {
					await openFeed(ANN);
					Object.assign(run, { status: 'success', stoppedAt: new Date().toISOString() });
				},
			];
			const said = await tell(steps, { after, change: () => senders.stripe.end(paid) }, seen);
			expect(said).toMatch(
				/^The feed of ann@example.com opened, because this member (paid at Stripe. The membership has ended since|pays at Stripe)\.$/m,
			);
			expect(said).not.toContain('although');
		},
	);

	it.each([1, 2].flatMap((after) => looks.map((seen) => ({ after, seen }))))(
		'a member who cancels and pays again after step $after lost the feed for canceling ($seen)',
		async ({ after, seen }) => {
			dashboard.connect(services, n8n);
			const paid = join(ANN);
			await openFeed(ANN);
			await content();
			const run = execution('8', { status: 'running', stoppedAt: null });
			const steps = [
				() => {
					senders.stripe.end(paid);
					executions.unshift(run);
				},
				aMoment,
				() => closeFeed(ANN),
			];
			const again = () => void senders.stripe.subscribe(paid.customer);
			const said = await tell(steps, { after, change: again }, seen);
			expect(said).toMatch(
				/^The feed of ann@example.com closed, because the membership at Stripe (had ended. This member pays again|ended)\.$/m,
			);
			expect(said).not.toContain('although');
		},
	);

	it('but a feed that opens long after the membership ended was not opened by a sync run', async () => {
		dashboard.connect(services, n8n);
		const ended = join(ANN);
		Object.assign(ended, { created: Date.parse(BEFORE), status: 'canceled' });
		ended.endedAt = Date.now() - 300_000;
		await content();
		await openFeed(ANN);
		expect(await story()).toEqual([
			'The feed of ann@example.com opened, although Stripe does not say so. A person or another workflow did it.',
		]);
	});
});

it('says in one sentence that many feeds opened', async () => {
	dashboard.connect(services, n8n);
	for (const name of ['ann', 'bob', 'cleo']) {
		join(`${name}@example.com`);
		await openFeed(`${name}@example.com`);
	}
	expect(await story()).toEqual(['3 feeds opened, because these members pay at Stripe.']);
});

it('puts what changed last on top', async () => {
	dashboard.connect(services, n8n);
	for (const name of ['ann', 'bob', 'cleo']) join(`${name}@example.com`);
	await content();
	await new Promise((resolve) => setTimeout(resolve, 5));
	await openFeed('bob@example.com');
	const emails = [...(await content()).matchAll(/class="who">(\w+)@/g)].map(([, name]) => name);
	expect(emails).toEqual(['bob', 'cleo', 'ann']);
});

it('says once that a run failed, and that nothing changed while Stripe is down', async () => {
	dashboard.connect(services, n8n);
	await press('/stripe-away');
	executions.unshift(execution('8', { status: 'error' }));
	executions.unshift(execution('9', { mode: 'error' }));
	await content();
	const told = (await story()).filter((sentence) => sentence.startsWith('Stripe Members'));
	expect(told).toEqual(["Stripe Members could not read Stripe's list, so it changed nothing."]);
	// The run of an error workflow is not a sync run.
	expect(await content()).toContain('No sync run has finished yet');
});

it('shows emails and chat messages as text, the newest first', async () => {
	dashboard.connect(services, n8n);
	mailbox.mails.push({ to: 'ann@example.com', subject: 'Welcome <b>', text: 'Your feed' });
	expect((await story())[0]).toBe('ann@example.com has an email: "Welcome &lt;b&gt;".');
	await fetch(`${dashboard.url}/chat`, { method: 'POST', body: '{ "text": "Ann joined" }' });
	expect((await story())[0]).toBe('The chat has a message: "Ann joined".');
	const subjects = [...(await content()).matchAll(/<summary><b>(.*?)<\/b><br>/g)];
	expect(subjects.map(([, subject]) => subject)).toEqual(['Ann joined', 'Welcome &lt;b&gt;']);
});

it('offers to bring Supercast up again only while it is down', async () => {
	dashboard.connect(services, n8n);
	expect(await content()).not.toContain('Supercast Is Up Again');
	await press('/away');
	const view = await content();
	expect(view).toContain('Supercast Is Up Again');
	expect(view).not.toContain('<button>Supercast Is Down');
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
		dashboard.connect(services, n8n);
		const { to, cookies } = await open(dashboard.loginUrl);
		expect(to).toBe('/');
		const entered = await open(login, `other=1; ${cookies[0]!}`);
		expect(entered).toEqual({ to: `http://n8n.test${RUN}`, cookies: ['n8n-auth=new'] });
	});

	it('gives other programs and pages on this machine no session of n8n', async () => {
		dashboard.connect(services, n8n);
		const plain = await ask(`${dashboard.url}/?key=guessed`);
		expect([plain.status, plain.headers.getSetCookie()]).toEqual([200, []]);
		for (const cookie of ['', 'supercast-dashboard=', 'supercast-dashboard=guessed']) {
			expect(await open(login, cookie)).toEqual({ to: `http://n8n.test${RUN}`, cookies: [] });
		}
		expect(await content()).not.toContain(new URL(dashboard.loginUrl).searchParams.get('key'));
	});

	it.each(['https://attacker.example/', '//attacker.example/', '/\\attacker.example'])(
		'leads to no other place: %s',
		async (to) => {
			dashboard.connect(services, n8n);
			const { cookies } = await open(dashboard.loginUrl);
			const opened = await open(`/n8n?to=${encodeURIComponent(to)}`, cookies[0]);
			expect(opened.to).toBe('http://n8n.test');
		},
	);
});

it('uses up none of the requests that Supercast allows', async () => {
	dashboard.connect(services, n8n);
	join('ann@example.com');
	await content();
	await content();
	expect(sandbox.current.stats().requests).toBe(0);
});

it('shows on its page what it could not do', async () => {
	await fetch(`${dashboard.url}/chat`, { method: 'POST', body: 'no JSON' });
	expect((await story())[0]).toContain('The dashboard could not do that');
});

it.each([
	['a host name that points here', { host: 'attacker.example:80' }],
	['another web page', { origin: 'https://attacker.example' }],
])('refuses a request of %s', async (_, headers) => {
	dashboard.connect(services, n8n);
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
