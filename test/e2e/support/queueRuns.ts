import { setTimeout as sleep } from 'node:timers/promises';

import { ask, bodyText } from '../../harness/system/http';
import type { Credential, N8nClient, WorkflowNode } from '../../harness/n8n/setup';
import type { Sandbox } from '../../../simulators/supercast';
import type { QueueEnvironment } from './queueEnvironment';

/** An execution as the database has it. */
export interface Execution {
	id: string;
	status: string;
}

/** A member whom the sandbox should have. */
export interface Member {
	email: string;
	firstName: string;
}

/** Starts with a call, which gets an immediate response. */
export function instantWebhook(path: string): WorkflowNode {
	return {
		id: `webhook-${path}`,
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		position: [0, 0],
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
}

/** Makes an item for each member of a call. */
export const splitMembers: WorkflowNode = {
	id: 'split',
	name: 'Members',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	position: [200, 0],
	parameters: { fieldToSplitOut: 'body.members', options: {} },
};

/** A Supercast node that works with subscribers. */
export function subscriberNode(
	operation: string,
	{ id, name, type }: Pick<Credential, 'id' | 'name' | 'type'>,
	parameters: WorkflowNode['parameters'],
): WorkflowNode {
	const authentication = type === 'supercastApi' ? 'accessToken' : 'oAuth2';
	return {
		id: operation,
		name: 'Supercast',
		type: 'n8n-nodes-supercast.supercast',
		typeVersion: 1,
		position: [400, 0],
		parameters: { authentication, resource: 'subscriber', operation, ...parameters },
		credentials: { [type]: { id, name } },
	};
}

/** Creates or updates a subscriber for each member. */
export function tellService(
	operation: 'create' | 'upsert',
	credential: Pick<Credential, 'id' | 'name' | 'type'>,
): WorkflowNode {
	return subscriberNode(operation, credential, {
		email: '={{ $json.email }}',
		additionalFields: { firstName: '={{ $json.firstName }}' },
	});
}

/** Makes members who exist nowhere else. */
export function newMembers(group: string, count: number): Member[] {
	return Array.from({ length: count }, (_, index) => ({
		email: `${group}-${index + 1}@members.example`,
		firstName: `Member ${index + 1} of ${group}`,
	}));
}

/** Calls a webhook with members. */
export async function send(
	environment: QueueEnvironment,
	path: string,
	list: Member[],
): Promise<void> {
	const request = { method: 'POST', json: { members: list } };
	const answer = await ask(`${environment.url}/webhook/${path}`, request);
	if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${bodyText(answer)}`);
}

/** The most recently started execution of a workflow, as n8n's editor gets it. */
export async function latestExecution(client: N8nClient, workflowId: string): Promise<Execution> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const found = await client.request('GET', `/executions?limit=1&filter=${filter}`);
	return (found as { results: Execution[] }).results[0]!;
}

/** The executions of a workflow, the oldest first. */
export async function executionsOf(
	{ query }: QueueEnvironment,
	workflowId: string,
): Promise<Execution[]> {
	return await query<Execution>(
		`SELECT id::text, status FROM execution_entity e WHERE "workflowId" = '${workflowId}' ORDER BY e.id`,
	);
}

/** Waits until a workflow has this many executions, and all have ended. */
export async function untilAllEnded(
	environment: QueueEnvironment,
	workflowId: string,
	count: number,
	patienceMs: number,
): Promise<Execution[]> {
	return await untilExecutions(
		environment,
		workflowId,
		(all) =>
			all.length >= count &&
			all.every(({ status }) => !['new', 'running', 'waiting'].includes(status)),
		patienceMs,
	);
}

/** Waits until the executions of a workflow meet a condition. */
export async function untilExecutions(
	environment: QueueEnvironment,
	workflowId: string,
	areSo: (all: Execution[]) => boolean,
	patienceMs: number,
): Promise<Execution[]> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const all = await executionsOf(environment, workflowId);
		if (areSo(all)) return all;
		if (Date.now() > deadline) throw new Error(`Waited in vain: ${JSON.stringify(all)}`);
		await sleep(500);
	}
}

/** The members who do not exist exactly once, with the right name. */
export function wrong(sandbox: Sandbox, list: Member[]): string[] {
	const known = new Map<string, unknown[]>();
	for (const { email, first_name: name } of sandbox.controls.state().subscribers) {
		known.set(email, [...(known.get(email) ?? []), name]);
	}
	return list.flatMap(({ email, firstName }) => {
		const names = known.get(email) ?? [];
		const isRight = names.length === 1 && names[0] === firstName;
		return isRight ? [] : [`${email}: ${JSON.stringify(names)}`];
	});
}
