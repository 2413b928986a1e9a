import { setTimeout as sleep } from 'node:timers/promises';

import { credentialFor } from '../harness/environment';
import type { Credential, WorkflowNode } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
import { createSandbox, type FaultSpec, type Sandbox } from '../../simulators/supercast';
import { limitReport } from './support/limitReport';
import { grants, tokenRequests } from './support/oauthGrants';
import {
	type QueueEnvironment,
	type QueueProcess,
	startQueueEnvironment,
} from './support/queueEnvironment';
import {
	executionsOf,
	instantWebhook,
	latestExecution,
	newMembers,
	send,
	splitMembers,
	subscriberNode,
	tellService,
	untilAllEnded,
	untilExecutions,
	wrong,
} from './support/queueRuns';
import { AlertWatch } from './support/queueTrigger';
import { withStrain } from './support/strain';
import { type E2eEnvironment, startE2eEnvironment } from './support/testEnvironment';
import { chain, inARow, readSteps, webhook } from './support/workflows';

describe('queue mode', () => {
	/** Uses the real minute. `LIMIT=100 npm run test:e2e -- queueMode` takes half an hour. */
	const LIMIT = Number(process.env.LIMIT ?? 600);
	const WINDOW_MS = 60_000;
	const EXECUTIONS = 12;
	/**
	 * All items together fill 3.8 windows. With four full ones, a single refusal would move the end by a
	 * whole window, and say nothing about the speed.
	 */
	const ITEMS = 190;
	/** Four times the shortest possible time, because the machine may be busy. */
	const LOAD_PATIENCE_MS = 4 * ((EXECUTIONS * ITEMS) / LIMIT) * WINDOW_MS;
	const TOKEN_TTL_S = 4;
	const EXPIRIES = 6;
	const WORKERS = 3;
	/**
	 * Workers learn of each other only when Supercast refuses their requests. How often depends on
	 * when they meet: 1 to 7% in five runs. Pauses of equal length would lead to 18% (decision 0006).
	 */
	const MOST_REFUSED = 0.1;

	let limited: Sandbox;
	let connected: Sandbox;
	let watched: Sandbox;
	let environment: QueueEnvironment;
	let alerts: AlertWatch;

	function limitedCredential({ accessToken, baseUrl }: Sandbox): Credential {
		const data = { accessToken, baseUrl, requestsPerMinute: LIMIT };
		return { id: 'limited', name: 'Limited', type: 'supercastApi', data };
	}

	beforeAll(async () => {
		limited = await createSandbox({
			rateLimit: LIMIT,
			rateWindowMs: WINDOW_MS,
			retryAfter: 'absent',
			latencyMs: 100,
			// A second create then makes a second record.
			onExistingEmail: 'duplicate',
			logSize: 100_000,
		});
		connected = await createSandbox({
			rateLimit: 0,
			tokenTtlS: TOKEN_TTL_S,
			subscribers: 60,
			onExistingEmail: 'duplicate',
			logSize: 100_000,
		});
		watched = await createSandbox({ rateLimit: 0, ids: 'uuid', usageAlerts: 3 });
		environment = await startQueueEnvironment({
			workers: WORKERS,
			concurrency: 5,
			env: {
				// n8n notices a dead worker after this time, and not only after 90 seconds.
				QUEUE_WORKER_LOCK_DURATION: '30000',
				QUEUE_WORKER_STALLED_INTERVAL: '5000',
			},
			credentials: [
				limitedCredential(limited),
				credentialFor(watched),
				...(await Promise.all(grants.map(async ({ credential }) => await credential(connected)))),
			],
		});
		alerts = await AlertWatch.start(environment, watched, credentialFor(watched));
		await alerts.raise(3);
	});
	afterAll(async () => {
		await environment?.stop();
		for (const sandbox of [limited, connected, watched]) await sandbox?.close();
	});

	/** The first of some executions that a worker has started. */
	function begun(worker: QueueProcess, ids: string[]): string | undefined {
		return worker.executions().find((id) => ids.includes(id));
	}

	/** How many of some executions each worker has started. */
	function shares(ids: string[]): number[] {
		return environment.workers.map(
			(worker) => worker.executions().filter((id) => ids.includes(id)).length,
		);
	}

	describe('12 executions of 190 items at the same time, one limit', () => {
		const work = async (): Promise<void> => {
			const steps = [splitMembers, tellService('create', limitedCredential(limited))];
			const id = await environment.use(inARow('load', [instantWebhook('load'), ...steps]));
			const groups = Array.from({ length: EXECUTIONS }, (_, index) =>
				newMembers(`group-${index}`, ITEMS),
			);
			const { result: ended, strain } = await withStrain(async () => {
				await Promise.all(groups.map(async (group) => await send(environment, 'load', group)));
				return await untilAllEnded(environment, id, groups.length, LOAD_PATIENCE_MS);
			});
			const report = limitReport(limited, LIMIT, WINDOW_MS);
			process.stdout.write(`limit of ${LIMIT}: ${JSON.stringify({ ...report, ...strain })}\n`);
			expect(ended.map(({ status }) => status)).toEqual(groups.map(() => 'success'));
			expect(Math.min(...shares(ended.map((one) => one.id)))).toBeGreaterThan(0);
			expect(wrong(limited, groups.flat())).toEqual([]);
			expect(report.accepted).toBe(EXECUTIONS * ITEMS);
			// Requests that wait for a processor reach the sandbox later than the limiter assumes.
			if (strain.isBusy) {
				process.stdout.write('The machine was too busy to judge the speed and the refusals.\n');
				return;
			}
			expect(report.timesShortest).toBeLessThanOrEqual(1.15);
			expect(report.refusedShare).toBeLessThanOrEqual(MOST_REFUSED);
		};
		it('loses none, creates none twice, and keeps to the limit', work, LOAD_PATIENCE_MS + 60_000);
	});

	describe.each(grants)(
		'$path, with tokens that expire every few seconds',
		({ path, requested }) => {
			it('fails no execution and uses no token twice', async () => {
				connected.reset();
				const id = await environment.use(
					chain(path, webhook(path), { id: path, name: path }, readSteps),
				);
				const statuses = new Set<number | string>();
				while (tokenRequests(connected, requested).length <= EXPIRIES) {
					const wave = Array.from({ length: 30 }, async () => {
						const call = { method: 'POST', json: {} };
						const answer = ask(`${environment.url}/webhook/${path}`, call);
						// The executions then say whether it was the node or n8n that did not end.
						statuses.add(await answer.then(({ status }) => status, String));
					});
					await Promise.all(wave);
				}
				const executions = await executionsOf(environment, id);
				const asked = tokenRequests(connected, requested);
				process.stdout.write(
					`${path}: ${executions.length} executions, ${asked.length} token requests\n`,
				);
				expect([...statuses]).toEqual([200]);
				expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
				expect(Math.min(...shares(executions.map((one) => one.id)))).toBeGreaterThan(0);
				expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
				expect(connected.state.oauth).toMatchObject({ refreshReuse: 0, familiesRevoked: 0 });
			});
		},
	);

	describe('workers killed in the middle of a batch', () => {
		it('reaches the same state once the batch has run again, with each subscriber once', async () => {
			connected.reset();
			connected.controls.changeSettings({ latencyMs: 200 });
			const oAuth2 = { id: 'authorizationCode', name: 'OAuth2', type: 'supercastOAuth2Api' };
			const steps = [splitMembers, tellService('upsert', oAuth2)];
			const id = await environment.use(inARow('batch', [instantWebhook('batch'), ...steps]));
			// Some exist already, and get another name.
			const existing = connected.controls.state().subscribers.map(({ email }) => email);
			const groups = [0, 1, 2].map((index) => [
				...existing
					.slice(20 * index, 20 * index + 20)
					.map((email) => ({ email, firstName: 'Renamed' })),
				...newMembers(`batch-${index}`, 180),
			]);
			for (const group of groups) await send(environment, 'batch', group);
			const all = groups.flat();
			while (wrong(connected, all).length > 0.7 * all.length) await sleep(20);
			const running = (await executionsOf(environment, id)).map((one) => one.id);
			const busy = environment.workers.filter((worker) => begun(worker, running) !== undefined);
			const [first, second] = busy as [QueueProcess, QueueProcess];
			const [retried, repeated] = [first, second].map((worker) => begun(worker, running));
			await Promise.all([first.kill(), second.kill()]);
			expect(wrong(connected, all).length).toBeGreaterThan(100);

			// One worker restarts immediately. n8n finds its interrupted execution. A person
			// retries it.
			await first.start();
			const isCrashed = (one: { id: string; status: string }): boolean =>
				one.id === retried && one.status === 'crashed';
			await untilExecutions(environment, id, (list) => list.some(isCrashed), 30_000);
			await environment.client.request('POST', `/executions/${retried}/retry`, {
				loadWorkflow: false,
			});
			// n8n notices the other's death after a while, and keeps no input. The sender sends it
			// again.
			const ended = await untilAllEnded(environment, id, 4, 90_000);
			expect(ended.find((one) => one.id === repeated)?.status).toBe('error');
			await second.start();
			await send(environment, 'batch', groups[running.indexOf(repeated!)]!);
			const after = await untilAllEnded(environment, id, 5, 60_000);

			expect(after.slice(3).map(({ status }) => status)).toEqual(['success', 'success']);
			expect(wrong(connected, all)).toEqual([]);
			expect(connected.controls.state().subscribers).toHaveLength(all.length);
			expect(connected.state.oauth).toMatchObject({ refreshReuse: 0, familiesRevoked: 0 });
		});
	});

	describe('the trigger', () => {
		it('starts one execution for each alert, with main restarted in between', async () => {
			await alerts.untilSure();
			await environment.main.stop();
			alerts.raiseUnseen();
			await environment.main.start();
			await alerts.untilPolled();
			await alerts.raise(3);
			expect(await alerts.executionsOfEach()).toEqual([1, 1, 1, 1, 1, 1, 1]);
			const executions = await alerts.executions();
			expect(executions.map(({ status }) => status)).toEqual(Array(7).fill('success'));
			expect(shares(executions.map(({ id }) => id)).reduce((sum, one) => sum + one)).toBe(7);
		});
	});
});

describe('an execution that waits for', () => {
	const FEW = 5;
	const ITEMS = 40;
	const PATIENCE_MS = 30_000;

	// A separate address for each test, because credentials of one channel share its rate limiter,
	// which keeps what it learned from refusals.
	const type = 'supercastApi';
	const paced = { id: 'paced', name: 'Five a minute', type, from: '', to: '' };
	const refused = { id: 'refused', name: 'Refused', type, from: '/api/v1', to: '/v1' };
	const failing = { id: 'failing', name: 'Down', type, from: '127.0.0.1', to: 'localhost' };
	const credentials = [paced, refused, failing];

	/** What an execution can wait for, and how many requests it has sent by then. */
	const waits: Array<{
		what: string;
		credential: (typeof credentials)[number];
		fault?: FaultSpec;
		after: number;
	}> = [
		{ what: 'its turn under the limit', credential: paced, after: FEW },
		{
			what: 'the time that a refusal named',
			credential: refused,
			fault: { kind: 'status', status: 429, retryAfter: '300', share: 1, seed: 1 },
			after: 1,
		},
		{
			what: 'a service that is down',
			credential: failing,
			fault: { kind: 'status', status: 503, share: 1, seed: 1 },
			after: ITEMS,
		},
	];

	let environment: E2eEnvironment;

	const deletion = (credential: (typeof credentials)[number]): WorkflowNode =>
		subscriberNode('delete', credential, {
			subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		});

	beforeAll(async () => {
		environment = await startE2eEnvironment('stopping', {
			sandbox: { subscribers: ITEMS },
			credentials: ({ baseUrl, accessToken }) =>
				credentials.map(({ from, to, ...one }) => ({
					...one,
					data: {
						accessToken,
						baseUrl: baseUrl.replace(from, to),
						requestsPerMinute: one.id === paced.id ? FEW : 0,
					},
				})),
			workflows: credentials.map((credential) =>
				inARow(credential.id, [instantWebhook(credential.id), splitMembers, deletion(credential)]),
			),
		});
	});
	afterAll(async () => await environment?.stop());
	beforeEach(() => environment.sandbox.reset());

	async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
		const deadline = Date.now() + PATIENCE_MS;
		while (!(await isTrue())) {
			if (Date.now() > deadline) throw new Error('waited for too long');
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}

	const latest = async (workflowId: string) =>
		await latestExecution(environment.client, workflowId);

	it.each(waits)('$what ends within a second when it is stopped', async (wait) => {
		const { sandbox, server, client } = environment;
		const members = sandbox.state.subscribers.map(({ email }) => ({ email }));
		if (wait.fault) sandbox.controls.addFaults(wait.fault);
		const { id } = wait.credential;
		await ask(`${server.url}/webhook/${id}`, { method: 'POST', json: { members } });
		await until(() => sandbox.stats().requests >= wait.after);
		await new Promise((resolve) => setTimeout(resolve, 1000));
		const execution = await latest(id);
		expect(execution.status).toBe('running');

		const asked = Date.now();
		await client.request('POST', `/executions/${execution.id}/stop`);
		await until(async () => (await latest(id)).status !== 'running');
		const ms = Date.now() - asked;
		const requests = sandbox.stats().requests;
		process.stdout.write(`${wait.what}: stopped after ${ms} ms, ${requests} requests\n`);

		expect(ms).toBeLessThan(1000);
		expect(await latest(id)).toMatchObject({ id: execution.id, status: 'canceled' });
		// Nothing continues in the background. The wait outlasts the next steps of the rate
		// limiter and backoff.
		await new Promise((resolve) => setTimeout(resolve, 15_000));
		expect(sandbox.stats().requests).toBe(requests);
	});
});
