import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../harness/system/paths';
import type { Credential, Workflow, WorkflowNode } from '../../../harness/n8n/setup';
import type { Sandbox, SandboxOptions } from '../../../sandbox';
import { built, type Cleanup } from '../support/cleanup';
import { startE2eEnvironment, type E2eEnvironment } from '../support/testEnvironment';
import { startMailbox, type Mailbox } from '../../../harness/mailbox';
import { startSenders, type Senders } from './senders';

/** Secrets with which the test's senders sign, and which open the webhooks. */
export const secrets = {
	hmac: 'a secret for signatures',
	header: 'a secret header',
	bearer: 'a secret for agents',
};

/** An n8n, a sandbox, an SMTP server and stand-ins for the senders' APIs. */
export interface Kit {
	environment: E2eEnvironment;
	sandbox: Sandbox;
	mailbox: Mailbox;
	senders: Senders;
	/** Imports a workflow, chooses its credentials and publishes it. */
	use: (file: string, edit?: (node: WorkflowNode) => void) => Promise<string>;
	/** Ends what `use` began. */
	unuse: (id: string) => Promise<void>;
	/** The statuses of a workflow's executions, the newest first. */
	executions: (id: string) => Promise<Array<{ id: string; status: string }>>;
	/** Runs a workflow to its end, starting with one of its triggers, as the button does. */
	run: (id: string, trigger: string) => Promise<string>;
	/** Calls a webhook with an unchanged body. */
	call: (path: string, body: string, headers?: Record<string, string>) => Promise<Response>;
	stop: () => Promise<void>;
}

/** Starts everything that the workflows need. */
export async function startKit(sandbox?: SandboxOptions): Promise<Kit> {
	return await built(async (cleanup) => await build(sandbox, cleanup));
}

async function build(sandbox: SandboxOptions | undefined, cleanup: Cleanup): Promise<Kit> {
	const mailbox = await startMailbox();
	cleanup.add(async () => await mailbox.close());
	const senders = await startSenders();
	cleanup.add(async () => await senders.close());
	const environment = await startE2eEnvironment('workflows', {
		sandbox,
		env: {
			NODE_OPTIONS: `--require ${join(__dirname, 'redirect.cjs')}`,
			SENDERS_ORIGIN: senders.origin,
		},
		credentials: async (started) => credentials(started, mailbox.port, senders.origin),
	});
	cleanup.add(async () => await environment.stop());
	const { client, server } = environment;
	/** The IDs that n8n gave to workflows, by the IDs in the files. */
	const ids = new Map<string, string>();
	const executions: Kit['executions'] = async (workflowId) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const found = await client.request('GET', `/executions?limit=50&filter=${filter}`);
		return (found as { results: Array<{ id: string; status: string }> }).results;
	};
	return {
		environment,
		sandbox: environment.sandbox,
		mailbox,
		senders,
		executions,
		use: async (file, edit) => {
			const workflow = prepare(readText(file, senders.origin), edit, ids);
			const created = await client.request('POST', '/workflows', workflow);
			const { id, versionId } = created as { id: string; versionId: string };
			await client.request('POST', `/workflows/${id}/activate`, { versionId });
			ids.set(shippedId(file), id);
			return id;
		},
		unuse: async (id) => void (await client.request('POST', `/workflows/${id}/deactivate`, {})),
		run: async (id, trigger) => {
			const started = await client.request('POST', `/workflows/${id}/run`, {
				triggerToStartFrom: { name: trigger },
			});
			const { executionId } = started as { executionId: string };
			return await untilEnded(async () => {
				const all = await executions(id);
				return all.find((one) => one.id === executionId)?.status ?? 'unknown';
			});
		},
		call: async (path, body, headers = {}) =>
			await fetch(`${server.url}/webhook/${path}`, {
				method: 'POST',
				body,
				headers: { 'content-type': 'application/json', ...headers },
			}),
		stop: async () => await cleanup.run(),
	};
}

/** Waits until a condition is true. */
export async function until(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	patienceMs = 30_000,
): Promise<void> {
	const deadline = Date.now() + patienceMs;
	while (!(await isSo())) {
		if (Date.now() > deadline) throw new Error(`Waited in vain: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 150));
	}
}

/** Makes every Wait node short, so that a test sees the next steps. */
export function shortWaits(node: WorkflowNode): void {
	if (node.type === 'n8n-nodes-base.wait')
		Object.assign(node.parameters, { amount: 1, unit: 'seconds' });
}

/** Changes fields of the node "Settings", as a person does after the import. */
export function settings(values: Record<string, unknown>): (node: WorkflowNode) => void {
	return (node) => {
		if (node.name !== 'Settings') return;
		const { assignments } = node.parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		for (const field of assignments) {
			if (field.name in values) field.value = values[field.name];
		}
	};
}

async function untilEnded(status: () => Promise<string>): Promise<string> {
	let now = await status();
	await until('the execution ends', async () => {
		now = await status();
		return !['new', 'running', 'waiting', 'unknown'].includes(now);
	});
	return now;
}

/** The only addresses that change: those of other systems, and of the person's own. */
function readText(file: string, origin: string): string {
	return readFileSync(join(root, 'workflows', file), 'utf8')
		.replaceAll('https://api.stripe.com', origin)
		.replaceAll('https://www.patreon.com', origin)
		.replaceAll('https://example.memberful.com', origin)
		.replaceAll('https://members.example.com', origin)
		.replaceAll('"https://example.com"', JSON.stringify(origin));
}

function shippedId(file: string): string {
	return (JSON.parse(readFileSync(join(root, 'workflows', file), 'utf8')) as Workflow).id;
}

type Edit = (node: WorkflowNode) => void;

/** What a person does after the import: chooses credentials, the sub-workflow, the error workflow. */
function prepare(text: string, edit?: Edit, ids = new Map<string, string>()) {
	const {
		nodes,
		settings = {},
		...workflow
	} = JSON.parse(text) as Workflow & {
		settings?: { errorWorkflow?: string };
	};
	for (const node of nodes) {
		const type = credentialType(node);
		if (type !== undefined) node.credentials = { [type]: { id: type, name: type } };
		const called = node.parameters.workflowId as { value: string } | undefined;
		if (called?.value === '') called.value = ids.get(shippedId('set-access.json')) ?? '';
		edit?.(node);
	}
	const errorWorkflow = ids.get(settings.errorWorkflow ?? '');
	return { ...workflow, id: undefined, nodes, settings: { ...settings, errorWorkflow } };
}

/** The credential that a node needs. */
function credentialType({ type, parameters }: WorkflowNode): string | undefined {
	if (type.startsWith('n8n-nodes-supercast.')) return 'supercastApi';
	if (type === 'n8n-nodes-base.crypto') return 'crypto';
	if (type === 'n8n-nodes-base.emailSend') return 'smtp';
	if (type === 'n8n-nodes-base.stripeTrigger') return 'stripeApi';
	const { authentication, nodeCredentialType, genericAuthType } = parameters;
	if (authentication === 'bearerAuth') return 'httpBearerAuth';
	if (authentication === 'headerAuth') return 'httpHeaderAuth';
	return (nodeCredentialType ?? genericAuthType) as string | undefined;
}

function credentials(
	{ accessToken, baseUrl }: Sandbox,
	smtpPort: number,
	origin: string,
): Credential[] {
	const all: Record<string, Record<string, unknown>> = {
		supercastApi: { accessToken, baseUrl, requestsPerMinute: 0 },
		crypto: { hmacSecret: secrets.hmac },
		smtp: { host: '127.0.0.1', port: smtpPort, secure: false, disableStartTls: true },
		httpHeaderAuth: { name: 'x-secret', value: secrets.header },
		httpBearerAuth: { token: secrets.bearer },
		httpBasicAuth: { user: 'ck_key', password: 'cs_secret' },
		stripeApi: { secretKey: 'sk_test_key' },
		ghostAdminApi: { url: origin, apiKey: '6489a1b2:00ff00ff00ff00ff' },
	};
	return Object.entries(all).map(([type, data]) => ({ id: type, name: type, type, data }));
}
