import { setTimeout as sleep } from 'node:timers/promises';

import type { Credential, WorkflowNode } from '../../harness/n8n/setup';
import type { Sandbox } from '../../../simulators/supercast';
import { UNSURE_MS } from '../../../nodes/Supercast/trigger/state';
import { untilAllEnded } from './queueRuns';
import type { QueueEnvironment } from './queueEnvironment';
import { everyFiveSeconds } from './triggerInstance';
import { inARow } from './workflows';

/** Between two polls. */
const LONGEST_PAUSE_MS = 6_000;
const FIRST_POLL_PATIENCE_MS = 60_000;

/** A workflow that usage alerts start, and its expected state. */
export class AlertWatch {
	private readonly raised: string[] = [];

	private lastRaisedAt = 0;

	private constructor(
		private readonly environment: QueueEnvironment,
		private readonly sandbox: Sandbox,
		private readonly workflowId: string,
	) {}

	/** Publishes the workflow. It does not announce the alerts that exist by then. */
	static async start(
		environment: QueueEnvironment,
		sandbox: Sandbox,
		credential: Credential,
	): Promise<AlertWatch> {
		const { id, name, type } = credential;
		const trigger: WorkflowNode = {
			id: 'trigger',
			name: 'Supercast Trigger',
			type: 'n8n-nodes-supercast.supercastTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {
				authentication: 'accessToken',
				event: 'usageAlertCreated',
				options: {},
				pollTimes: { item: everyFiveSeconds },
			},
			credentials: { [type]: { id, name } },
		};
		const done: WorkflowNode = {
			id: 'done',
			name: 'Done',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			position: [200, 0],
			parameters: {},
		};
		const workflowId = await environment.use(inARow('alerts', [trigger, done]));
		return new AlertWatch(environment, sandbox, workflowId);
	}

	/** Raises alerts one by one, each after the poll that found the last one. */
	async raise(count: number): Promise<void> {
		for (let index = 0; index < count; index++) {
			this.raiseUnseen();
			await this.untilPolled();
		}
	}

	/** Raises an alert while no process may be there to see it. */
	raiseUnseen(): void {
		for (const { id } of this.sandbox.controls.addUsageAlerts(1)) this.raised.push(String(id));
		this.lastRaisedAt = Date.now();
	}

	/** Waits for the end of the next poll. */
	async untilPolled(): Promise<void> {
		const before = this.polls();
		const deadline = Date.now() + FIRST_POLL_PATIENCE_MS;
		while (this.polls() === before) {
			if (Date.now() > deadline) throw new Error('The trigger does not poll.');
			await sleep(100);
		}
	}

	/** Waits long enough for a new process to know that the last alert has started its execution. */
	async untilSure(): Promise<void> {
		const sureAt = this.lastRaisedAt + LONGEST_PAUSE_MS + UNSURE_MS;
		await sleep(Math.max(0, sureAt - Date.now()));
	}

	/** How many executions each raised alert has started, once all have ended. */
	async executionsOfEach(): Promise<number[]> {
		await untilAllEnded(this.environment, this.workflowId, this.raised.length, 30_000);
		const found = await this.executions();
		return this.raised.map((id) => found.filter(({ data }) => data.includes(id)).length);
	}

	/** The workflow's executions, with all their stored data. */
	async executions(): Promise<Array<{ id: string; status: string; data: string }>> {
		return await this.environment.query(
			`SELECT e.id::text, e.status, d.data FROM execution_entity e
			JOIN execution_data d ON d."executionId" = e.id
			WHERE e."workflowId" = '${this.workflowId}' ORDER BY e.id`,
		);
	}

	private polls(): number {
		return this.sandbox.stats().byRoute['GET /usage_alerts']?.['200'] ?? 0;
	}
}
