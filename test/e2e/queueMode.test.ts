import { setTimeout as sleep } from 'node:timers/promises';

import type { Credential } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
import { createSandbox, type Sandbox } from '../../simulators/supercast';
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
	newMembers,
	send,
	splitMembers,
	tellService,
	untilAllEnded,
	untilExecutions,
	wrong,
} from './support/queueRuns';
import { withStrain } from './support/strain';
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
	let environment: QueueEnvironment;

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
				...(await Promise.all(grants.map(async ({ credential }) => await credential(connected)))),
			],
		});
	});
	afterAll(async () => {
		await environment?.stop();
		for (const sandbox of [limited, connected]) await sandbox?.close();
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
});
