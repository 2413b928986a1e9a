import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contents } from '../../test/harness/environment';
import { root } from '../../test/harness/system/paths';
import type { Credential, Workflow, WorkflowNode } from '../../test/harness/n8n/setup';
import { JOINED, SYSTEMS } from '../memberships';
import { RESTRICTED_KEY } from '../memberships/stripe';
import { SYNC_SECONDS, type DemoAddresses } from './addresses';
import { startHere } from './startHere';

/** The secret header of the demo's "Any System". */
export const SECRET = { name: 'x-secret', value: 'the-demo-may-call' };

/** Not published: the demo has members only at Stripe, and no agents. Support needs a login. */
const drafts = new Set([
	...Object.values(SYSTEMS).flatMap((system) => (system === SYSTEMS.stripe ? [] : system.file)),
	...[...Object.keys(JOINED), 'mcp-server.json', 'support.json'],
]);

/** All workflows, connected to the sandbox and the demo's mailbox, and a start page. */
export function demoContents(addresses: DemoAddresses): Contents {
	const folder = join(root, 'workflows');
	const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
	const workflows = files.map((file) => {
		const text = addresses.senders.redirect(file, readFileSync(join(folder, file), 'utf8'));
		return { name: file.replace('.json', ''), workflow: JSON.parse(text) as Workflow };
	});
	for (const { name, workflow } of workflows) {
		// The dashboard links to each run.
		workflow.settings = { ...(workflow.settings as object), saveDataSuccessExecution: 'all' };
		for (const node of workflow.nodes) fillIn(node, name, addresses);
	}
	return {
		credentials: credentials(addresses),
		workflows: [startHere(addresses), ...workflows.map(({ workflow }) => workflow)],
		publish: published(workflows).map(({ id }) => id),
		env: addresses.senders.env,
	};
}

/** The workflows that run. The first are those of the members, so that their first sync run comes early. */
function published(all: Array<{ name: string; workflow: Workflow }>): Workflow[] {
	const running = all
		.filter(({ name }) => !drafts.has(`${name}.json`))
		.map(({ workflow }) => workflow);
	return [...running.filter(changesFeeds), ...running.filter((one) => !changesFeeds(one))];
}

/** Whether a workflow opens or closes feeds for the members at Stripe. */
export function changesFeeds({ nodes }: Workflow): boolean {
	return nodes.some(({ parameters }) =>
		['setAccess', 'sync'].includes(String(parameters.operation)),
	);
}

/** What a person fills in after the import. Sync runs more often than the file says. */
function fillIn(node: WorkflowNode, file: string, { dashboard }: DemoAddresses): void {
	const type = credentialType(node);
	if (type !== undefined) node.credentials = { [type]: { id: credentialId(type), name: type } };
	if (node.name === 'Chat' || node.type === 'n8n-nodes-base.emailSend') delete node.disabled;
	const isWebhook = node.type === 'n8n-nodes-base.webhook';
	if (isWebhook) Object.assign(node, { webhookId: file }).parameters.path = file;
	fillInSync(node);
	const chat = `${dashboard}/chat`;
	fillEmptyFields(node, {
		url: chat,
		fromEmail: 'podcast@example.com',
		toEmail: 'you@example.com',
	});
}

/** Without these values n8n publishes no workflow. */
function fillEmptyFields({ parameters }: WorkflowNode, values: Record<string, string>): void {
	for (const [name, value] of Object.entries(values)) {
		if (parameters[name] === '') parameters[name] = value;
	}
}

/** Makes the member workflows sync often and without a dry run. */
function fillInSync(node: WorkflowNode): void {
	const { name, parameters } = node;
	if (name === 'Every 5 Minutes') {
		const rule = { field: 'seconds', secondsInterval: SYNC_SECONDS };
		parameters.rule = { interval: [rule] };
	}
	if (name === 'Sync') {
		parameters.dryRun = false;
		Object.assign(parameters.options as object, { closeAfter: 1 });
	}
	if (name === 'Note 2') {
		parameters.content = `${String(parameters.content)}\n\n**In this demo**, a sync run comes every ${SYNC_SECONDS} seconds, and a feed closes after one sync run.`;
	}
}

function credentialType({ type, parameters }: WorkflowNode): string | undefined {
	if (type.startsWith('n8n-nodes-supercast.')) return 'supercastApi';
	if (type === 'n8n-nodes-base.emailSend') return 'smtp';
	if (type === 'n8n-nodes-base.stripeTrigger') return 'stripeApi';
	if (parameters.nodeCredentialType === 'stripeApi') return 'stripeApi';
	const usesHeader = [parameters.authentication, parameters.genericAuthType].some(
		(one) => one === 'headerAuth' || one === 'httpHeaderAuth',
	);
	return usesHeader ? 'httpHeaderAuth' : undefined;
}

function credentialId(type: string): string {
	return type === 'supercastApi' ? 'supercastSandbox' : `demo-${type}`;
}

function credentials({ smtpPort }: DemoAddresses): Credential[] {
	const smtp = { host: '127.0.0.1', port: smtpPort, secure: false, disableStartTls: true };
	const all = { smtp, httpHeaderAuth: SECRET, stripeApi: { secretKey: RESTRICTED_KEY } };
	return Object.entries(all).map(([type, data]) => ({
		id: credentialId(type),
		name: `${type} (demo)`,
		type,
		data: { ...data },
	}));
}
