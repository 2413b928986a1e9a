import { setTimeout as sleep } from 'node:timers/promises';

import { credentialFor } from '../harness/environment';
import type { Workflow, WorkflowNode } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
import { createSandbox, type Sandbox, type Subscriber } from '../../simulators/supercast';
import { type QueueEnvironment, startQueueEnvironment } from './support/queueEnvironment';
import { instantWebhook, splitMembers, subscriberNode, untilAllEnded } from './support/queueRuns';
import { everyFiveSeconds } from './support/triggerInstance';
import { inARow } from './support/workflows';
import { addMembers } from '../support/addMembers';

/** Two lists that were read closer together than this count as one. */
const APART_MS = 61_000;
const PEOPLE = 8;
/** Fewer for a quick look. */
const LEAVING = Number(process.env.SYNCS ?? 20);

/** A membership system with its own workflow. One of its members leaves. */
interface Group {
	name: string;
	workflowId: string;
	members: Subscriber[];
	leaver: Subscriber;
}

describe('Sync in queue mode, with two workers', () => {
	let sandbox: Sandbox;
	let environment: QueueEnvironment;
	let started = 0;

	beforeAll(async () => {
		sandbox = await createSandbox({ rateLimit: 0, subscribers: 0, usageAlerts: 3, ids: 'uuid' });
		environment = await startQueueEnvironment({
			workers: 2,
			concurrency: 2,
			credentials: [credentialFor(sandbox)],
		});
	});
	afterAll(async () => {
		await environment?.stop();
		await sandbox?.close();
	});

	function syncOf(name: string): WorkflowNode {
		return subscriberNode('sync', credentialFor(sandbox), {
			email: '={{ $json.email }}',
			customerId: '={{ $json.id }}',
			maxClosePercent: 100,
			dryRun: false,
			customerIdPrefix: `${name}_`,
			options: {},
		});
	}

	/** Members with a workflow that starts with a call. It has a schedule too, as ours do. */
	async function groupOf(
		more: Pick<Workflow, 'connections' | 'nodes'> = { nodes: [], connections: {} },
	): Promise<Group> {
		started += 1;
		const name = `group${started}`;
		const members = addMembers(sandbox, PEOPLE, (index) => ({
			...{ customer_id: `${name}_m${index}`, state: 'available' },
		}));
		const schedule: WorkflowNode = {
			id: 'schedule',
			name: 'Daily',
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			position: [0, 200],
			parameters: { rule: { interval: [{ field: 'days', daysInterval: 30 }] } },
		};
		const row = inARow(name, [instantWebhook(name), splitMembers, syncOf(name)]);
		const workflow = {
			...row,
			nodes: [...row.nodes, schedule, ...more.nodes],
			connections: { ...(row.connections as object), ...(more.connections as object) },
		};
		const workflowId = await environment.use(workflow);
		return { name, workflowId, members, leaver: members[3]! };
	}

	/** Sends a list to each workflow, and waits until all have ended. */
	async function send(groups: Group[], isWhole: (group: Group) => boolean, count: number) {
		for (const group of groups) {
			const { name, members, leaver } = group;
			const listed = members.filter((one) => isWhole(group) || one !== leaver);
			const rows = listed.map(({ email, customer_id: id }) => ({ email, id }));
			const call = { method: 'POST', json: { members: rows } };
			expect((await ask(`${environment.url}/webhook/${name}`, call)).status).toBe(200);
		}
		for (const { workflowId } of groups) {
			const ended = await untilAllEnded(environment, workflowId, count, 120_000);
			const [failed] = ended.filter(({ status }) => status !== 'success');
			if (failed !== undefined) throw new Error(await dataOf(failed.id));
		}
	}

	async function dataOf(id: string): Promise<string> {
		const rows = await environment.query<{ data: string }>(
			`SELECT data FROM execution_data WHERE "executionId" = ${id}`,
		);
		return String(rows[0]?.data).slice(0, 4_000);
	}

	/** Those of these workflows whose lists came to more than one worker. */
	async function acrossWorkers(groups: Group[]): Promise<Group[]> {
		const [first] = environment.workers;
		const onFirst = new Set(first!.executions());
		const across: Group[] = [];
		for (const group of groups) {
			const ended = await untilAllEnded(environment, group.workflowId, 1, 10_000);
			if (new Set(ended.map(({ id }) => onFirst.has(id))).size > 1) across.push(group);
		}
		return across;
	}

	const closedIn = (groups: Group[]): number =>
		groups.filter(({ leaver }) => leaver.state === 'deactivated').length;

	it('closes no feed after one list, and each feed after one list more than there are workers', async () => {
		const leaving: Group[] = [];
		const returning: Group[] = [];
		for (let number = 0; number < LEAVING; number++) leaving.push(await groupOf());
		for (let number = 0; number < 0.6 * LEAVING; number++) returning.push(await groupOf());
		const all = [...leaving, ...returning];

		await send(all, () => false, 1);
		const afterOne = closedIn(all);
		await sleep(APART_MS);
		await send(all, (group) => returning.includes(group), 2);
		const early = leaving.filter(({ leaver }) => leaver.state === 'deactivated');
		const earlyAcross = await acrossWorkers(early);
		await sleep(APART_MS);
		await send(all, () => false, 3);
		const across = await acrossWorkers(all);
		// A worker that got the first and the last list of someone does not know the one between.
		const onOneWorker = returning.filter((group) => !across.includes(group));
		const said = {
			...{ afterOne, earlyAcross: earlyAcross.length, afterThree: closedIn(leaving) },
			...{ onOneWorker: onOneWorker.length, returned: closedIn(onOneWorker) },
		};
		process.stdout.write(`lists across workers: ${JSON.stringify(said)}\n`);
		const expected = { afterOne: 0, earlyAcross: 0, afterThree: LEAVING, returned: 0 };
		expect(said).toMatchObject(expected);
		expect(across.length).toBeGreaterThan(0);
	});

	it('leaves the state of a Supercast Trigger as it was, which announces each alert once', async () => {
		const trigger: WorkflowNode = {
			id: 'trigger',
			name: 'Alerts',
			type: 'n8n-nodes-supercast.supercastTrigger',
			typeVersion: 1,
			position: [0, 400],
			parameters: {
				authentication: 'accessToken',
				event: 'usageAlertCreated',
				options: {},
				pollTimes: { item: everyFiveSeconds },
			},
			credentials: { supercastApi: credentialFor(sandbox) },
		};
		const done: WorkflowNode = {
			...{ id: 'done', name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1 },
			...{ position: [200, 400], parameters: {} },
		};
		const group = await groupOf({
			nodes: [trigger, done],
			connections: { Alerts: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
		});
		await send([group], () => true, 1);
		const [row] = await environment.query<{ data: string }>(
			`SELECT "staticData"::text AS data FROM workflow_entity WHERE id = '${group.workflowId}'`,
		);
		expect(row!.data).toContain('supercastTrigger');

		await environment.main.stop();
		const raised = sandbox.controls.addUsageAlerts(2).map(({ id }) => String(id));
		await environment.main.start();
		await untilAllEnded(environment, group.workflowId, 2, 60_000);
		raised.push(...sandbox.controls.addUsageAlerts(1).map(({ id }) => String(id)));
		await sleep(8_000);
		await untilAllEnded(environment, group.workflowId, 3, 60_000);
		const executions = await environment.query<{ data: string }>(
			`SELECT d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
			WHERE e."workflowId" = '${group.workflowId}'`,
		);
		const found = raised.map((id) => executions.filter(({ data }) => data.includes(id)).length);
		expect(found).toEqual([1, 1, 1]);
	});
});
