/** Runs the node through its public door without n8n's engine, on a clock that jumps. */

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import { channels } from '../../nodes/Supercast/api/sharedChannel';
import { runtime } from '../../nodes/Supercast/api/clock';
import { forgetAll } from '../../nodes/Supercast/execution/memory/syncMemory';
import { Supercast } from '../../nodes/Supercast/Supercast.node.js';
import { fieldsOf, pathOf, type SimulatedSupercast } from '../doubles/supercast';
import { VirtualClock } from './virtualClock';

const node = new Supercast();

/** Lets the tests of a file run in their own time. */
export function useJumpingClock(): VirtualClock {
	const clock = new VirtualClock();
	const real = { clock: runtime.clock, setTimeout: globalThis.setTimeout };
	// The node lets n8n work in between. Meanwhile, the clock must not jump.
	const quick = (work: () => void, ms = 0): unknown =>
		ms > 0 ? real.setTimeout(work, ms) : void Promise.resolve().then(work);
	beforeAll(() => {
		runtime.clock = clock;
		globalThis.setTimeout = quick as typeof setTimeout;
	});
	afterAll(() => {
		runtime.clock = real.clock;
		globalThis.setTimeout = real.setTimeout;
	});
	return clock;
}

/** Forgets what this process knows, as after a restart of n8n. */
export function restartProcess(): void {
	channels.clear();
	forgetAll();
}

/** How n8n starts a run. */
export interface Start {
	parameters: INodeParameters;
	items: IDataObject[];
	mode?: 'manual' | 'trigger';
	/** When the node before this one returned the items. By default, now. */
	readAt?: number;
	isPinned?: boolean;
	/** Whether another branch may bring more items. */
	isMoreDue?: boolean;
	/** Stops the execution. */
	signal?: AbortSignal;
}

/** What a run returned, or why it failed. */
export interface QuickRun {
	items: IDataObject[];
	error?: Error & { description?: string | null };
}

/** What the error of a run says. */
export function errorTexts({ error }: QuickRun): string {
	return error === undefined ? '' : `${error.message}\n${error.description ?? ''}`;
}

/** A node in a published workflow, and what n8n has stored for the workflow. */
export class QuickNode {
	/** What n8n stores between executions. Publishing a workflow with a schedule stores something. */
	staticData: IDataObject = newStaticData();

	constructor(
		private readonly service: SimulatedSupercast,
		private readonly clock: VirtualClock,
		readonly id: string,
	) {}

	async run(start: Start): Promise<QuickRun> {
		const data = structuredClone(this.staticData);
		const running = node.execute.call(this.contextOf(start, data)).then(
			([items = []]: INodeExecutionData[][]): QuickRun => ({
				items: items.map(({ json }) => json),
			}),
			(error: Error): QuickRun => ({ items: [], error }),
		);
		const ran = await this.clock.run(running);
		// n8n never saves it after a manual execution.
		if (start.mode !== 'manual') this.staticData = JSON.parse(JSON.stringify(data)) as IDataObject;
		return ran;
	}

	private contextOf(start: Start, staticData: IDataObject): IExecuteFunctions {
		const { parameters, items, mode = 'trigger', readAt = this.clock.date() } = start;
		const own: INode = {
			...{ id: this.id, name: 'Supercast', type: 'supercast', typeVersion: 1, position: [0, 0] },
			...{ parameters, credentials: { supercastApi: { id: 'credential', name: 'Test' } } },
		};
		const list = { name: 'List', type: 'list' };
		const stack = start.isMoreDue === true ? [{ node: list }] : [];
		const context = {
			...{ getNode: () => own, getWorkflow: () => ({ id: 'workflow' }), getMode: () => mode },
			getInputData: () => items.map((json) => ({ json })),
			getNodeParameter: (name: string, index: number, fallback?: unknown) =>
				parameterOf(parameters, name, items[index] ?? {}) ?? fallback,
			...{ getTimezone: () => 'UTC', continueOnFail: () => false },
			...{ getParentNodes: () => [list], getChildNodes: () => [] },
			getWorkflowDataProxy: () => ({ $runIndex: 0 }),
			...{ getWorkflowStaticData: () => staticData, workflow: { staticData } },
			getExecutionCancelSignal: () => start.signal,
			getCredentials: async () => CREDENTIAL,
			additionalData: { credentialsHelper: { getDecrypted: async () => CREDENTIAL } },
			runExecutionData: {
				resultData: {
					runData: { List: [{ startTime: readAt, executionTime: 0 }] },
					pinData: start.isPinned === true ? { List: [] } : {},
				},
				executionData: { nodeExecutionStack: stack, waitingExecution: {} },
			},
			helpers: {
				httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
					this.respond(options),
				prepareBinaryData: async () => ({ mimeType: 'text/plain', data: '' }),
			},
		};
		return context as unknown as IExecuteFunctions;
	}

	private respond({ method = 'GET', url, qs: query, body }: IHttpRequestOptions): object {
		const request = { method, path: pathOf(url), query, fields: fieldsOf(body) };
		const { status: statusCode, headers = {}, body: shown } = this.service.process(request);
		return { statusCode, headers, body: structuredClone(shown) };
	}
}

function newStaticData(): IDataObject {
	return { 'node:Schedule': { recurrenceRules: [] } };
}

const CREDENTIAL = {
	baseUrl: 'https://show.supercast.tech/api/v1',
	accessToken: 'a-token-of-the-tests',
	requestsPerMinute: 0,
};

/** Expressions here only name fields of the item, such as `={{ $json.email }}`. */
function parameterOf(parameters: INodeParameters, name: string, json: IDataObject): unknown {
	const value = name
		.split('.')
		.reduce<unknown>((of, key) => (of as IDataObject)?.[key], parameters);
	return resolved(value, json);
}

function resolved(value: unknown, json: IDataObject): unknown {
	if (Array.isArray(value)) return value.map((one) => resolved(one, json));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([key, one]) => [key, resolved(one, json)]),
		);
	}
	const [, field] = (typeof value === 'string' && /^=\{\{ \$json\.(\w+) \}\}$/.exec(value)) || [];
	return field === undefined ? value : json[field];
}
