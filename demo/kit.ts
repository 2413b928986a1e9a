import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contents } from '../harness/environment';
import { root } from '../harness/system/paths';
import type { Credential, Workflow, WorkflowNode } from '../harness/n8n/setup';
import { startHere } from './startHere';

/** The secret header of the demo's "Any System", and of its list of members. */
export const SECRET = { name: 'x-secret', value: 'the-demo-may-call' };

/** The demo's SMTP server and desk. */
export interface DemoAddresses {
	smtpPort: number;
	desk: string;
	sandbox: { accessToken: string; baseUrl: string };
}

/** Workflows that query a seller's system. The demo has none. */
const ofSellers = new Set(['stripe', 'memberful', 'patreon', 'ghost', 'woocommerce']);
/** Other workflows call these, so they are published first. */
const first = ['set-access', 'on-error'];
/** Published only by users who have agents, or files with lists. */
const drafts = new Set(['mcp-server', 'import-members', ...ofSellers]);

/** All workflows of the kit, connected to the sandbox and the demo's mailbox, and a start page. */
export function demoContents(addresses: DemoAddresses): Contents {
	const folder = join(root, 'workflows');
	const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
	const workflows = files.map((file) => ({
		name: file.replace('.json', ''),
		workflow: JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow,
	}));
	const setAccess = workflows.find(({ name }) => name === 'set-access')?.workflow.id;
	for (const { workflow } of workflows) {
		for (const node of workflow.nodes) wire(node, { ...addresses, setAccess });
	}
	const published = workflows.filter(({ name }) => !drafts.has(name));
	const rank = (name: string) => (first.includes(name) ? 0 : 1);
	published.sort((one, other) => rank(one.name) - rank(other.name));
	return {
		credentials: credentials(addresses),
		workflows: [startHere(addresses), ...workflows.map(({ workflow }) => workflow)],
		publish: published.map(({ workflow }) => workflow.id),
	};
}

/** What a person fills in after the import. */
function wire(
	node: WorkflowNode,
	{ desk, setAccess }: DemoAddresses & { setAccess: string | undefined },
): void {
	const type = credentialType(node);
	if (type !== undefined) node.credentials = { [type]: { id: credentialId(type), name: type } };
	const chat = `${desk}/chat`;
	const values: Record<string, unknown> = {
		listUrl: `${desk}/members.csv`,
		slackUrl: chat,
		chatUrl: chat,
		mailFrom: 'podcast@example.com',
		tellWhom: 'you@example.com',
	};
	if (node.name === 'Slack') delete node.disabled;
	if (node.name === 'Set Access')
		Object.assign(node.parameters.workflowId as object, { value: setAccess });
	if (node.name !== 'Settings') return;
	const { assignments } = node.parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	for (const field of assignments) field.value = values[field.name] ?? field.value;
}

function credentialType({ type, parameters }: WorkflowNode): string | undefined {
	if (type.startsWith('n8n-nodes-supercast.')) return 'supercastApi';
	if (type === 'n8n-nodes-base.emailSend') return 'smtp';
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
	const all = { smtp, httpHeaderAuth: SECRET };
	return Object.entries(all).map(([type, data]) => ({
		id: credentialId(type),
		name: `${type} (demo)`,
		type,
		data: { ...data },
	}));
}
