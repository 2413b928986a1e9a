import type { Workflow, WorkflowNode } from '../../harness/n8n/setup';

type Parameters = Record<string, unknown>;

/** The credential of a workflow's Supercast nodes. */
export interface UsedCredential {
	id: string;
	name: string;
}

/** One of n8n's trigger nodes, followed by Supercast nodes one after the other. */
export function chain(
	id: string,
	trigger: WorkflowNode,
	credential: UsedCredential,
	steps: Parameters[],
): Workflow {
	const nodes = steps.map((parameters, index) => ({
		id: `supercast-${index}`,
		name: `Supercast ${index + 1}`,
		type: 'n8n-nodes-supercast.supercast',
		typeVersion: 1,
		position: [300 * (index + 1), 0],
		parameters: { authentication: 'oAuth2', ...parameters },
		credentials: { supercastOAuth2Api: { id: credential.id, name: credential.name } },
	}));
	return inARow(id, [trigger, ...nodes]);
}

/** A workflow of nodes in a row. */
export function inARow(id: string, nodes: WorkflowNode[]): Workflow {
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index]!.name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	return { id, name: id, nodes, connections, settings: {}, active: false };
}

/** Starts when someone clicks the button. */
export const manualTrigger: WorkflowNode = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Starts with a call, and responds when the last node is done. */
export function webhook(path: string): WorkflowNode {
	return {
		id: `webhook-${path}`,
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		position: [0, 0],
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
	};
}

/** Reads three subscribers, and then each of them separately. */
export const readSteps: Parameters[] = [
	{ resource: 'subscriber', operation: 'getAll', returnAll: false, limit: 3 },
	{
		resource: 'subscriber',
		operation: 'get',
		subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
	},
];
