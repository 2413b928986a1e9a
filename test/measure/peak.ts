/** 240 people pay within minutes, at Supercast's own limit. When are their feeds open? */

import { setTimeout as sleep } from 'node:timers/promises';

import type { Credential, WorkflowNode } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
import type { Sandbox } from '../../simulators/supercast';
import { inARow } from '../e2e/support/workflows';
import { addMembers } from '../support/addMembers';
import { startN8nUnderLoad } from './n8nUnderLoad';

const JOINS = 240;
const PATIENCE_MS = 15 * 60_000;
const POLL_MS = 100;

/** A variant of the measurement. */
export interface Peak {
	/** How many subscribers there are before. */
	subscribers: number;
	/** How many new members pay. The default is 240. */
	joins?: number;
	/** Whether a Sync of the whole list runs in the middle. */
	hasSyncRun?: boolean;
	/** The number of workers, in queue mode. */
	workers?: number;
	/** The period in which all new members pay. */
	withinMs: number;
	/** Settings of n8n that differ from its defaults. */
	settings?: Record<string, string>;
}

interface Payment {
	email: string;
	customerId: string;
	paidAt: number;
	/** The status with which n8n answered the webhook. */
	status?: number;
	answeredAt?: number;
	openedAt?: number;
}

/** What was measured. Times in seconds. */
export interface Outcome {
	medianS: number;
	/** The longest time between a payment and the open feed. */
	longestS: number;
	open: number;
	/** Emails or customer IDs that more than one subscriber has. */
	twice: number;
	/** Webhook calls that n8n did not answer, or answered with a status other than 200. */
	refusedByN8n: number;
	/** The longest time between a webhook call and n8n's answer. Infinite if one got none. */
	slowestAnswerS: number;
	/** Requests to Supercast, and how many of them it refused. */
	requests: number;
	refusedBySupercast: number;
	/** The most memory of n8n, with the processes that it started, in MB. */
	memoryMb: number;
}

/** Measures one variant in a real n8n with its default settings. Takes six to ten minutes. */
export async function measurePeak(variant: Peak): Promise<Outcome> {
	const { subscribers, settings, workers } = variant;
	const n8n = await startN8nUnderLoad(`peak-${subscribers}`, {
		sandbox: { rateLimit: 100, subscribers: 0, logSize: 10_000 },
		// n8n's own default.
		env: { N8N_LOG_LEVEL: 'info', ...settings },
		credential: credentialOf,
		workflows: [
			inARow('joined', [webhook('joined'), setAccess]),
			inARow('sync', [webhook('sync'), eachMember, sync]),
		],
		...(workers !== undefined && { workers }),
	});
	try {
		const { sandbox, url } = n8n;
		addMembers(sandbox, subscribers, () => ({ state: 'available' }));
		const payments = await letPeopleJoin(sandbox, url, variant);
		await untilOpen(sandbox, payments);
		return outcomeOf(sandbox, payments, n8n.memoryMb());
	} finally {
		await n8n.stop();
	}
}

async function letPeopleJoin(
	sandbox: Sandbox,
	url: string,
	{ hasSyncRun = false, joins = JOINS, withinMs }: Peak,
): Promise<Payment[]> {
	const payments: Payment[] = [];
	const calls: Array<Promise<void>> = [];
	const startedAt = Date.now();
	for (let number = 0; number < joins; number++) {
		await sleep(startedAt + (number * withinMs) / joins - Date.now());
		const [email, customerId] = [`new.${number}@example.com`, `cus_new_${number}`];
		const payment: Payment = { email, customerId, paidAt: Date.now() };
		payments.push(payment);
		calls.push(
			ask(`${url}/webhook/joined`, { method: 'POST', json: { email, customerId } }).then(
				({ status }) => void Object.assign(payment, { status, answeredAt: Date.now() }),
				// Without an answer within half a minute, it counts as refused.
				() => undefined,
			),
		);
		if (hasSyncRun && number === joins / 2) calls.push(runSync(sandbox, url, payments));
		noteOpenFeeds(sandbox, payments);
	}
	await Promise.all(calls);
	return payments;
}

/** Runs Sync with the list of members, which contains everyone who has paid so far. */
async function runSync(sandbox: Sandbox, url: string, payments: readonly Payment[]): Promise<void> {
	const members = new Map(payments.map(({ email, customerId }) => [email, customerId]));
	for (const { email, customer_id: id } of sandbox.state.subscribers) members.set(email, id ?? '');
	const json = { members: [...members].map(([email, customerId]) => ({ email, customerId })) };
	const { status } = await ask(`${url}/webhook/sync`, { method: 'POST', json });
	if (status !== 200) throw new Error(`n8n answered the sync run with ${status}`);
}

async function untilOpen(sandbox: Sandbox, payments: Payment[]): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (noteOpenFeeds(sandbox, payments) > 0 && Date.now() < deadline) await sleep(POLL_MS);
}

/** Notes when feeds opened. Returns how many are not open yet. */
function noteOpenFeeds(sandbox: Sandbox, payments: readonly Payment[]): number {
	const waiting = payments.filter(({ openedAt }) => openedAt === undefined);
	for (const payment of waiting) {
		const found = sandbox.state.subscriber(payment.email);
		if (found?.state === 'available') payment.openedAt = Date.parse(found.created_at);
	}
	return waiting.filter(({ openedAt }) => openedAt === undefined).length;
}

function outcomeOf(sandbox: Sandbox, payments: readonly Payment[], memoryMb: number): Outcome {
	const delays = payments
		.flatMap(({ paidAt, openedAt }) => (openedAt === undefined ? [] : [openedAt - paidAt]))
		.sort((one, other) => one - other);
	const { requests, byStatus } = sandbox.stats();
	const names = sandbox.state.subscribers.flatMap(({ email, customer_id: id }) => [email, id]);
	return {
		medianS: seconds(delays[Math.floor(delays.length / 2)] ?? Infinity),
		longestS: seconds(delays.at(-1) ?? Infinity),
		open: delays.length,
		twice: names.length - new Set(names).size,
		slowestAnswerS: seconds(Math.max(...payments.map(waitForAnswer))),
		refusedByN8n: payments.filter(({ status }) => status !== 200).length,
		requests,
		refusedBySupercast: byStatus['429'] ?? 0,
		memoryMb,
	};
}

const waitForAnswer = ({ paidAt, answeredAt = Infinity }: Payment): number => answeredAt - paidAt;

const seconds = (ms: number): number => Math.round(ms / 100) / 10;

function credentialOf({ accessToken, baseUrl }: Sandbox): Credential {
	// The credential's default limit is that of Supercast.
	const data = { accessToken, baseUrl, requestsPerMinute: 100 };
	return { id: 'supercastApi', name: 'Supercast', type: 'supercastApi', data };
}

/** Answers immediately, which is n8n's default. */
function webhook(path: string): WorkflowNode {
	const parameters = { httpMethod: 'POST', path, options: {} };
	return { ...node('Webhook', 'n8n-nodes-base.webhook', 2.1, parameters), webhookId: path };
}

const eachMember = node('Each Member', 'n8n-nodes-base.splitOut', 1, {
	fieldToSplitOut: 'body.members',
	options: {},
});

const setAccess = supercast('Set Access', {
	operation: 'setAccess',
	access: 'open',
	email: '={{ $json.body.email }}',
	customerId: '={{ $json.body.customerId }}',
});

const sync = supercast('Sync', {
	operation: 'sync',
	...{ dryRun: false, access: 'open', close: 'all' },
	email: '={{ $json.email }}',
	customerId: '={{ $json.customerId }}',
});

function supercast(name: string, parameters: WorkflowNode['parameters']): WorkflowNode {
	return {
		...node(name, 'n8n-nodes-supercast.supercast', 1, { resource: 'subscriber', ...parameters }),
		credentials: { supercastApi: { id: 'supercastApi', name: 'Supercast' } },
	};
}

function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: WorkflowNode['parameters'],
): WorkflowNode {
	const id = name.toLowerCase().replaceAll(' ', '-');
	return { id, name, type, typeVersion, position: [0, 0], parameters };
}
