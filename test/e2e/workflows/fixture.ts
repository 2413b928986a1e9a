import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../harness/system/paths';
import { startN8n } from '../../harness/n8n/server';
import { publishWorkflow, unpublishWorkflow } from '../../harness/n8n/publish';
import { logIn, type Workflow, type WorkflowNode } from '../../harness/n8n/setup';
import { startMailbox, type Mailbox } from '../../harness/mailbox';
import { startMockServers, type MockServers } from '../../../simulators/memberships';
import type { Sandbox, SandboxOptions } from '../../../simulators/supercast';
import { built, type Cleanup } from '../support/cleanup';
import { startE2eEnvironment, type E2eEnvironment } from '../support/testEnvironment';
import { chosenIn, credentials } from './credentials';
import { failureOf } from './executionItems';
import { until } from './until';

export { until } from './until';

/** An execution as n8n lists it. */
export interface FixtureExecution {
	id: string;
	status: string;
	mode: string;
}

/** An n8n, a sandbox, an SMTP server and mock servers of the membership systems. */
export interface Fixture {
	environment: E2eEnvironment;
	sandbox: Sandbox;
	mailbox: Mailbox;
	senders: MockServers;
	/** Imports a workflow, chooses its credentials and publishes it. */
	use: (file: string, edit?: (node: WorkflowNode) => void) => Promise<string>;
	/** Changes nodes of a workflow and publishes it again, as a person does in the editor. */
	edit: (id: string, edit: Edit) => Promise<void>;
	/** Ends what `use` began. */
	unuse: (id: string) => Promise<void>;
	/** A workflow's executions, the newest first. n8n deletes successful ones of some workflows. */
	executions: (id: string) => Promise<FixtureExecution[]>;
	/** What a workflow's failed executions say, each with the node that failed. */
	failures: (id: string) => Promise<string[]>;
	/** Runs a workflow to its end, starting with one of its triggers, as the button does. */
	run: (id: string, trigger: string) => Promise<string>;
	/** Calls a webhook with an unchanged body. */
	call: (path: string, body: string, headers?: Record<string, string>) => Promise<Response>;
	/** Kills n8n without a warning, and starts it again. */
	restart: () => Promise<void>;
	/** The process of n8n. */
	pid: () => number;
	stop: () => Promise<void>;
}

/** Starts everything that the workflows need. */
export async function startFixture(
	sandbox?: SandboxOptions,
	env: NodeJS.ProcessEnv = {},
): Promise<Fixture> {
	return await built(async (cleanup) => await build(sandbox, env, cleanup));
}

async function build(
	sandbox: SandboxOptions | undefined,
	env: NodeJS.ProcessEnv,
	cleanup: Cleanup,
): Promise<Fixture> {
	const mailbox = await startMailbox();
	cleanup.add(async () => await mailbox.close());
	const senders = await startMockServers();
	cleanup.add(async () => await senders.close());
	const environment = await startE2eEnvironment('workflows', {
		sandbox,
		// Thousands of expressions would each write a line.
		env: { N8N_LOG_LEVEL: 'warn', ...env, ...senders.env, ...nodeOptions(senders.env, env) },
		credentials: async (started) =>
			credentials(started, mailbox.port, senders, Number(sandbox?.rateLimit ?? 0)),
	});
	cleanup.add(async () => await environment.stop());
	const { server } = environment;
	// n8n 1 runs the workflow that it is sent, and n8n 2 the one that it has saved.
	const isFirst = server.instance.install.version.startsWith('1.');
	let running = server;
	let { request } = environment.client;
	const client = { request: async (...call: Parameters<typeof request>) => await request(...call) };
	const executions: Fixture['executions'] = async (workflowId) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const found = await client.request('GET', `/executions?limit=100&filter=${filter}`);
		return (found as { results: FixtureExecution[] }).results;
	};
	const run: Fixture['run'] = async (id, trigger) => {
		const started = await client.request('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger },
			...(isFirst ? { workflowData: await client.request('GET', `/workflows/${id}`) } : undefined),
		});
		const { executionId } = started as { executionId: string };
		let status = 'new';
		await until(
			'the execution ends',
			async () => {
				status = (await executions(id)).find((one) => one.id === executionId)?.status ?? 'new';
				return !['new', 'running', 'waiting'].includes(status);
			},
			600_000,
		);
		return status;
	};
	return {
		environment,
		sandbox: environment.sandbox,
		mailbox,
		senders,
		executions,
		failures: async (id) => {
			const failed = (await executions(id)).filter(({ status }) => status === 'error');
			const read = async (one: FixtureExecution) =>
				await client.request('GET', `/executions/${one.id}`);
			return (await Promise.all(failed.map(read))).map(failureOf);
		},
		use: async (file, edit) => {
			const created = await client.request('POST', '/workflows', prepare(file, senders, edit));
			const { id } = created as Workflow;
			await publishWorkflow(client, id);
			return id;
		},
		edit: async (id, change) => {
			const saved = (await client.request('GET', `/workflows/${id}`)) as Saved;
			saved.nodes.forEach(change);
			const { nodes, connections, settings, versionId } = saved;
			const changed = { nodes, connections, settings, versionId };
			await client.request('PATCH', `/workflows/${id}`, changed);
			await publishWorkflow(client, id);
		},
		pid: () => running.pid,
		unuse: async (id) => await unpublishWorkflow(client, id),
		run,
		call: async (path, body, headers = {}) =>
			await fetch(`${server.url}/webhook/${path}`, {
				method: 'POST',
				body,
				headers: { 'content-type': 'application/json', ...headers },
			}),
		restart: async () => {
			const { instance, pid, ended } = running;
			process.kill(pid, 'SIGKILL');
			await ended;
			running = await startN8n(instance);
			cleanup.add(running.stop);
			({ request } = await logIn(running));
		},
		stop: async () => await cleanup.run(),
	};
}

type Saved = Workflow & { settings: object; versionId: string };

function nodeOptions(...all: NodeJS.ProcessEnv[]): NodeJS.ProcessEnv {
	return { NODE_OPTIONS: all.map((env) => env.NODE_OPTIONS ?? '').join(' ') };
}

/** What a test changes in a member workflow. */
export interface Ready {
	/** A sync run every so many seconds. Without it, only the button runs a sync run. */
	every?: number;
	/** From how many lists in a row a member must be missing. The file leaves it at 2. */
	closeAfter?: number;
}

/**
 * Fills in a member workflow as a person does, and makes its schedule faster. By default, a feed
 * closes after one list, so that a test doesn't wait for a second one.
 */
export function ready({ every, closeAfter }: Ready = {}): Edit {
	const rules: Record<string, number | undefined> = {
		'Every 5 Minutes': every,
		'Every Minute': undefined,
	};
	return (node) => {
		const { name, parameters } = node;
		if (node.retryOnFail === true) node.waitBetweenTries = 100;
		if (name in rules) parameters.rule = { interval: [scheduleOf(rules[name])] };
		if (name === 'Sync') {
			parameters.dryRun = false;
			Object.assign(parameters.options as object, { closeAfter: closeAfter ?? 1 });
		}
		if (name !== 'Email to You') return;
		delete node.disabled;
		Object.assign(parameters, { fromEmail: 'podcast@example.com', toEmail: 'you@example.com' });
	};
}

function scheduleOf(every?: number): Record<string, unknown> {
	if (every === undefined) return { field: 'days', triggerAtHour: 3 };
	return { field: 'seconds', secondsInterval: every };
}

/** Several edits of a node, one after the other. */
export function all(...edits: Array<(node: WorkflowNode) => void>): (node: WorkflowNode) => void {
	return (node) => edits.forEach((edit) => edit(node));
}

/** Changes a node of a workflow before the import. */
export type Edit = (node: WorkflowNode) => void;

/** What a person does after the import: chooses credentials. Addresses lead to the mock servers. */
function prepare(file: string, senders: MockServers, edit?: Edit) {
	const text = senders.redirect(file, readFileSync(join(root, 'workflows', file), 'utf8'));
	const workflow = JSON.parse(text) as Workflow;
	for (const node of workflow.nodes) {
		const type = credentialType(node);
		if (node.type === 'n8n-nodes-base.webhook')
			Object.assign(node, { webhookId: randomUUID() }).parameters.path = hookOf(file);
		if (type !== undefined) node.credentials = { [type]: chosenIn(file, type, senders) };
		edit?.(node);
	}
	// Tests look at what a run by hand returned.
	const settings = { ...(workflow.settings as object), saveManualExecutions: true };
	return { ...workflow, id: undefined, active: false, settings };
}

/** The path that the editor gives to a webhook is random. Tests use this one. */
export function hookOf(file: string): string {
	return `hook-${file.replace('.json', '')}`;
}

/** The credential that a node needs. */
function credentialType({ type, parameters }: WorkflowNode): string | undefined {
	if (type.startsWith('n8n-nodes-supercast.')) return 'supercastApi';
	if (type === 'n8n-nodes-base.emailSend') return 'smtp';
	if (type === 'n8n-nodes-base.stripeTrigger') return 'stripeApi';
	const { authentication, nodeCredentialType, genericAuthType } = parameters;
	if (authentication === 'basicAuth') return 'httpBasicAuth';
	if (authentication === 'bearerAuth') return 'httpBearerAuth';
	if (authentication === 'headerAuth') return 'httpHeaderAuth';
	return (nodeCredentialType ?? genericAuthType) as string | undefined;
}
