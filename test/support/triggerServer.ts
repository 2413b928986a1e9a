import 'reflect-metadata';

import { PollContext } from 'n8n-core';
import {
	NodeHelpers,
	Workflow,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node';
import { poll } from '../../nodes/Supercast/trigger/poll';
import type { Sandbox } from '../../simulators/supercast';
import { TestCredentialsHelper } from '../harness/engine/credentialsHelper';
import { credentialOf } from './sandbox';

const trigger = new SupercastTrigger();

const nodeTypes: INodeTypes = {
	getByName: () => trigger,
	getByNameAndVersion: () => NodeHelpers.getVersionedNodeType(trigger),
	getKnownTypes: () => ({}),
};

/** How a test sets up a trigger. */
export interface TriggerOptions {
	parameters?: INodeParameters;
	/** The value of `getPollBudgetMs`. n8n before 2.38 has no such function: `null`. */
	budgetMs?: number | null;
	credentialId?: string;
	/** The channel of the credential. */
	subdomain?: string;
	/** An OAuth2 credential. The default is an access token. */
	oAuth2?: TestCredentialsHelper;
	/** How many requests the credential allows. By default, there is no pacing. */
	requestsPerMinute?: number;
	nodeName?: string;
	/** Whether the Base URL ends with a slash. */
	hasSlash?: boolean;
	/** Whether each poll starts from what n8n has saved, as with its durable scheduler. */
	isDurable?: boolean;
	/** Whether n8n saves the data of the node with each poll, as with its durable cursors. */
	hasCursors?: boolean;
	nodeId?: string;
	/** The static data of a workflow that has several triggers. */
	database?: Database;
	/** Triggers with the same number run in the same process. */
	process?: number;
	workflowId?: string;
	/** The name of a second trigger with the same ID, as in a workflow that someone has copied. */
	twin?: string;
}

/** What n8n's database keeps of a workflow. */
export interface Database {
	staticData: string;
	/** The cursor of each node. */
	cursors: Record<string, string>;
}

/** When the last n8n process started. No process may know what another one does. */
let lastProcess = Date.now() - 1_000_000_000;

/** Runs the trigger as n8n's server does, in n8n's own poll context. */
export class TriggerServer {
	/** Items of each execution that the trigger started. */
	readonly executions: IDataObject[][] = [];

	private workflow: Workflow;

	/** Whether the second trigger polls. */
	private isTwin = false;

	/** Milliseconds that have passed in addition to the real ones. */
	private passed = 0;

	private processStartedAt = lastProcess--;

	private readonly database: Database;

	constructor(
		private readonly sandbox: Sandbox,
		private readonly options: TriggerOptions = {},
	) {
		this.database = options.database ?? { staticData: '{}', cursors: {} };
		this.processStartedAt = options.process ?? this.processStartedAt;
		this.workflow = this.load();
	}

	/** Static data as in n8n's database. */
	get saved(): string {
		return this.database.staticData;
	}

	/** Everything that reached an execution. */
	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/** The first poll. n8n saves the static data after it, with or without news. */
	async activate(): Promise<IDataObject[] | null> {
		this.workflow = this.load();
		const items = await this.poll(undefined, true);
		this.save();
		return items;
	}

	/**
	 * One poll of the schedule.
	 *
	 * @param end With `before save`, n8n crashes, the execution exists, and the state is lost. With
	 * `before execution`, the state is saved, and the execution is not. With `superseded`, n8n drops
	 * the result, because someone has published the workflow meanwhile.
	 */
	async poll(
		end?: 'before save' | 'before execution' | 'superseded',
		isActivation = false,
	): Promise<IDataObject[] | null> {
		const { isDurable = false, hasCursors = false } = this.options;
		if (isDurable || hasCursors) this.workflow = this.load();
		const clock = { now: () => Date.now() + this.passed, processStartedAt: this.processStartedAt };
		const cursor = JSON.parse(this.database.cursors[this.node.id] ?? '{}') as IDataObject;
		const result = await poll(this.context('trigger', cursor), clock);
		const items = result && (result[0] ?? []).map(({ json }) => json);
		if (end === 'superseded') return items;
		if (items !== null && end !== 'before execution') this.executions.push(items);
		if (items !== null && end !== 'before save') this.save();
		// n8n commits the cursor together with the execution, and after a poll without items. It
		// does not after an activation without items.
		const isCommitted = items === null ? !isActivation : end === undefined;
		if (hasCursors && isCommitted) this.database.cursors[this.node.id] = JSON.stringify(cursor);
		return items;
	}

	/** A poll of the second trigger with the same ID. */
	async pollTwin(isActivation = false): Promise<IDataObject[] | null> {
		this.isTwin = true;
		return await this.poll(undefined, isActivation).finally(() => (this.isTwin = false));
	}

	/** Changes how long n8n lets a poll take, in milliseconds. With null, n8n has no such limit. */
	allow(budgetMs: number | null): void {
		this.options.budgetMs = budgetMs;
	}

	/** Lets time pass. */
	wait(ms: number): void {
		this.passed += ms;
	}

	/** The button Fetch Test Event in the editor. */
	async test(): Promise<IDataObject[]> {
		const result = await trigger.poll.call(this.context('manual'));
		return (result?.[0] ?? []).map(({ json }) => json);
	}

	/**
	 * The process ends, and a new one starts with the data of the database, immediately or long
	 * after.
	 */
	restart(changes: TriggerOptions = {}, isAtOnce = false): void {
		Object.assign(this.options, changes);
		this.wait(isAtOnce ? 0 : 10_000);
		this.processStartedAt = isAtOnce ? Date.now() + this.passed + 100 : lastProcess--;
		this.workflow = this.load();
	}

	private get node(): INode {
		return this.workflow.getPollNodes()[this.isTwin ? 1 : 0]!;
	}

	private save(): void {
		this.database.staticData = JSON.stringify(this.workflow.staticData);
	}

	private load(): Workflow {
		const { parameters = {}, credentialId = '1', nodeName = 'Supercast Trigger' } = this.options;
		const { oAuth2, twin } = this.options;
		const node: INode = {
			id: this.options.nodeId ?? 'trigger',
			name: nodeName,
			type: 'n8n-nodes-supercast.supercastTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: { authentication: oAuth2 ? 'oAuth2' : 'accessToken', ...parameters },
			credentials: oAuth2
				? { supercastOAuth2Api: { id: oAuth2.id, name: 'Test' } }
				: { supercastApi: { id: credentialId, name: 'Test' } },
		};
		return new Workflow({
			id: this.options.workflowId ?? 'test',
			nodes: twin === undefined ? [node] : [node, { ...node, name: twin }],
			connections: {},
			active: true,
			nodeTypes,
			staticData: JSON.parse(this.saved) as IDataObject,
		});
	}

	private context(mode: WorkflowExecuteMode, cursor?: IDataObject): PollContext {
		const { oAuth2, requestsPerMinute = 0, hasSlash = false, subdomain = '' } = this.options;
		const credential = credentialOf(this.sandbox);
		const baseUrl = `${credential.baseUrl}${hasSlash ? '/' : ''}`;
		const accessToken = { ...credential, baseUrl, requestsPerMinute, subdomain };
		const additionalData = {
			credentialsHelper: oAuth2 ?? new TestCredentialsHelper(accessToken),
		} as unknown as IWorkflowExecuteAdditionalData;
		const context = new PollContext(this.workflow, this.node, additionalData, mode, 'activate');
		const { budgetMs, hasCursors = false } = this.options;
		if (hasCursors && cursor) {
			const getWorkflowStaticData = (type: string): IDataObject =>
				type === 'node' ? cursor : this.workflow.getStaticData('global');
			Object.assign(context, { getWorkflowStaticData });
		}
		if (budgetMs !== undefined) {
			const budget = budgetMs === null ? undefined : (): number => budgetMs;
			Object.assign(context, { getPollBudgetMs: budget });
		}
		return context;
	}
}

/** The ids of a poll's items. */
export function idsOfItems(items: IDataObject[] | null): unknown[] {
	return (items ?? []).map(({ id }) => id);
}

/** Raises alerts, and returns their ids. */
export function raiseAlertsIn(sandbox: Sandbox, count: number): unknown[] {
	return sandbox.controls.addUsageAlerts(count).map(({ id }) => id);
}

/** Dismisses an alert, so that it leaves the list. */
export async function dismissAlert(sandbox: Sandbox, id: unknown): Promise<void> {
	const { baseUrl, accessToken } = credentialOf(sandbox);
	await fetch(`${baseUrl}/usage_alerts/${String(id)}/dismiss`, {
		method: 'PATCH',
		headers: { authorization: `Bearer ${accessToken}` },
	});
}
