/** Two events of one person shortly after each other, on two workers. How often is the end wrong? */

import { setTimeout as sleep } from 'node:timers/promises';

import { credentialFor } from '../harness/environment';
import type { WorkflowNode } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
import { createSandbox, type Sandbox, type Subscriber } from '../../simulators/supercast';
import { Cleanup } from '../e2e/support/cleanup';
import { startQueueEnvironment, type QueueEnvironment } from '../e2e/support/queueEnvironment';
import {
	executionsOf,
	instantWebhook,
	subscriberNode,
	untilAllEnded,
} from '../e2e/support/queueRuns';
import { inARow, webhook } from '../e2e/support/workflows';
import { addMembers } from '../support/addMembers';

const WORKERS = 2;
const PAIRS = 50;
const PATIENCE_MS = 120_000;
/** The response time of Supercast. */
const LATENCY_MS = 100;

/** A variant of the measurement. */
export interface Pairs {
	/** The longest time between the two events of a pair. The times are spread evenly. */
	withinMs: number;
	/** Whether the sender waits for n8n's response to the first event. */
	waits: boolean;
}

/** What was measured. */
export interface PairsOutcome {
	pairs: number;
	/** Pairs whose events ran on two workers. */
	onTwoWorkers: number;
	/** People who left last, and have an open feed. */
	leaversOpen: number;
	/** People who paid last, and have a closed feed. */
	payersClosed: number;
}

/** Measures one variant in a real n8n in queue mode. Takes two minutes. */
export async function measurePairs({ withinMs, waits }: Pairs): Promise<PairsOutcome> {
	const cleanup = new Cleanup();
	try {
		const sandbox = await createSandbox({ rateLimit: 0, subscribers: 0, latencyMs: LATENCY_MS });
		cleanup.add(async () => await sandbox.close());
		const credential = credentialFor(sandbox);
		// Without pacing, because the order of two events is measured here.
		Object.assign(credential.data, { requestsPerMinute: 0 });
		const environment = await startQueueEnvironment({
			...{ workers: WORKERS, concurrency: 5, credentials: [credential] },
		});
		cleanup.add(async () => await environment.stop());
		const start = waits ? webhook('event') : instantWebhook('event');
		const node = subscriberNode('setAccess', credential, fromBody);
		const workflowId = await environment.use(inARow('pairs', [start, node]));
		const people = addPeople(sandbox);
		for (const [index, person] of people.entries()) {
			await sendPair(environment.url, person, { gapMs: (index * withinMs) / PAIRS, waits });
		}
		await untilAllEnded(environment, workflowId, 2 * PAIRS, PATIENCE_MS);
		return await outcomeOf(environment, workflowId, people);
	} finally {
		await cleanup.run();
	}
}

const fromBody: WorkflowNode['parameters'] = {
	access: '={{ $json.body.access }}',
	email: '={{ $json.body.email }}',
	customerId: '={{ $json.body.customerId }}',
};

/** In turns someone with an open feed, who leaves and returns, and the opposite. */
interface Person {
	subscriber: Subscriber;
	last: 'close' | 'open';
}

function addPeople(sandbox: Sandbox): Person[] {
	const lastOf = (index: number): Person['last'] => (index % 2 === 0 ? 'open' : 'close');
	const all = addMembers(sandbox, PAIRS, (index) => ({
		state: lastOf(index) === 'open' ? 'available' : 'deactivated',
	}));
	return all.map((subscriber, index) => ({ subscriber, last: lastOf(index) }));
}

async function sendPair(
	url: string,
	{ subscriber, last }: Person,
	{ gapMs, waits }: { gapMs: number; waits: boolean },
): Promise<void> {
	const { email, customer_id: customerId } = subscriber;
	const send = async (access: Person['last']): Promise<void> => {
		const json = { access, email, customerId };
		const { status } = await ask(`${url}/webhook/event`, { method: 'POST', json });
		if (status !== 200) throw new Error(`n8n answered ${status}`);
	};
	const first = send(last === 'open' ? 'close' : 'open');
	if (waits) await first;
	await sleep(gapMs);
	await send(last);
	await first;
	// The workers are idle again, as they usually are.
	await sleep(1_000);
}

async function outcomeOf(
	environment: QueueEnvironment,
	workflowId: string,
	people: readonly Person[],
): Promise<PairsOutcome> {
	const onFirst = new Set(environment.workers[0]!.executions());
	const ids = (await executionsOf(environment, workflowId)).map(({ id }) => id);
	const pairs = people.map((_, index) => ids.slice(2 * index, 2 * index + 2));
	const endedWrong = (wanted: Person['last']): number =>
		people.filter(
			({ last, subscriber }) =>
				last === wanted && (subscriber.state === 'available') !== (last === 'open'),
		).length;
	return {
		pairs: people.length,
		onTwoWorkers: pairs.filter(([one = '', other = '']) => onFirst.has(one) !== onFirst.has(other))
			.length,
		leaversOpen: endedWrong('close'),
		payersClosed: endedWrong('open'),
	};
}
