import type { Credential, Workflow, WorkflowNode } from '../harness/n8n/setup';

/** n8n polls at most once a minute per expression. Twelve expressions poll every five seconds. */
const everyFiveSeconds = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

/**
 * A workflow that starts with a webhook call, and responds with a subscriber that it has read. Its
 * path is the name of its OAuth2 credential.
 */
export function listWorkflow(credential: string): Workflow {
	const webhook = {
		...node('Webhook', 'n8n-nodes-base.webhook'),
		webhookId: credential,
		parameters: { httpMethod: 'POST', path: credential, responseMode: 'lastNode', options: {} },
	};
	const read = {
		...node('Subscribers', 'n8n-nodes-supercast.supercast'),
		parameters: {
			authentication: 'oAuth2',
			resource: 'subscriber',
			operation: 'getAll',
			returnAll: false,
			limit: 1,
		},
		credentials: { supercastOAuth2Api: { id: credential, name: credential } },
	};
	return pair(credential, webhook, read);
}

/** A workflow that dismisses each new usage alert. */
export function alertWorkflow({ id, name, type }: Credential): Workflow {
	const credentials = { [type]: { id, name } };
	const trigger = {
		...node('Supercast Trigger', 'n8n-nodes-supercast.supercastTrigger'),
		parameters: {
			authentication: 'accessToken',
			event: 'usageAlertCreated',
			options: {},
			pollTimes: { item: everyFiveSeconds },
		},
		credentials,
	};
	const dismiss = {
		...node('Dismiss', 'n8n-nodes-supercast.supercast'),
		parameters: {
			authentication: 'accessToken',
			resource: 'usageAlert',
			operation: 'dismiss',
			usageAlert: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
		credentials,
	};
	return pair('alerts', trigger, dismiss);
}

function node(name: string, type: string): WorkflowNode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {} };
}

function pair(id: string, first: WorkflowNode, second: WorkflowNode): Workflow {
	const connections = { [first.name]: { main: [[{ node: second.name, type: 'main', index: 0 }]] } };
	const settings = { executionOrder: 'v1' };
	return { id, name: id, nodes: [first, second], connections, settings, active: false };
}
