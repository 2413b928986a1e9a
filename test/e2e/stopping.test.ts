import { ask } from '../../harness/system/http';
import type { WorkflowNode } from '../../harness/n8n/setup';
import type { FaultSpec } from '../../sandbox';
import { instantWebhook, splitMembers } from './support/queueRuns';
import { inARow } from './support/workflows';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';

const FEW = 5;
const ITEMS = 40;
const PATIENCE_MS = 30_000;

const paced = { id: 'paced', name: 'Five a minute' };
// One for each test, since the rate limiter of a credential keeps what it learned from refusals.
const refused = { id: 'refused', name: 'Refused' };
const failing = { id: 'failing', name: 'Down' };
const credentials = [paced, refused, failing];

interface Execution {
	id: string;
	status: string;
	stoppedAt?: string;
}

/** What an execution can wait for, and how many requests it has sent by then. */
const waits: Array<{ what: string; credential: typeof paced; fault?: FaultSpec; after: number }> = [
	{ what: 'its turn under the limit', credential: paced, after: FEW },
	{
		what: 'the time that a refusal named',
		credential: refused,
		fault: { kind: 'status', status: 429, retryAfter: '300', share: 1, seed: 1 },
		after: 1,
	},
	{
		what: 'a service that is down',
		credential: failing,
		fault: { kind: 'status', status: 503, share: 1, seed: 1 },
		after: ITEMS,
	},
];

let environment: E2eEnvironment;

function deletion(credential: typeof paced): WorkflowNode {
	return {
		id: 'delete',
		name: 'Supercast',
		type: 'n8n-nodes-supercast.supercast',
		typeVersion: 1,
		position: [400, 0],
		parameters: {
			authentication: 'accessToken',
			resource: 'subscriber',
			operation: 'delete',
			subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		},
		credentials: { supercastApi: credential },
	};
}

beforeAll(async () => {
	environment = await startE2eEnvironment('stopping', {
		sandbox: { subscribers: ITEMS },
		credentials: ({ baseUrl, accessToken }) =>
			credentials.map((one) => ({
				...one,
				type: 'supercastApi',
				data: { accessToken, baseUrl, requestsPerMinute: one === paced ? FEW : 0 },
			})),
		workflows: credentials.map(({ id, name }) =>
			inARow(id, [instantWebhook(id), splitMembers, deletion({ id, name })]),
		),
	});
});
afterAll(async () => await environment?.stop());
beforeEach(() => environment.sandbox.reset());

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await isTrue())) {
		if (Date.now() > deadline) throw new Error('waited for too long');
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

/** The most recently started execution of this workflow. */
async function latest(workflowId: string): Promise<Execution> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const found = await environment.client.request('GET', `/executions?limit=1&filter=${filter}`);
	return (found as { results: Execution[] }).results[0]!;
}

describe('an execution that waits for', () => {
	it.each(waits)('$what ends within a second when it is stopped', async (wait) => {
		const { sandbox, server, client } = environment;
		const members = sandbox.state.subscribers.map(({ email }) => ({ email }));
		if (wait.fault) sandbox.controls.addFaults(wait.fault);
		const { id } = wait.credential;
		await ask(`${server.url}/webhook/${id}`, { method: 'POST', json: { members } });
		await until(() => sandbox.stats().requests >= wait.after);
		await new Promise((resolve) => setTimeout(resolve, 1000));
		const execution = await latest(id);
		expect(execution.status).toBe('running');

		const asked = Date.now();
		await client.request('POST', `/executions/${execution.id}/stop`);
		await until(async () => (await latest(id)).status !== 'running');
		const ms = Date.now() - asked;
		const requests = sandbox.stats().requests;
		process.stdout.write(`${wait.what}: stopped after ${ms} ms, ${requests} requests\n`);

		expect(ms).toBeLessThan(1000);
		expect(await latest(id)).toMatchObject({ id: execution.id, status: 'canceled' });
		// Nothing continues in the background, for longer than the next steps of the rate limiter
		// and the backoff.
		await new Promise((resolve) => setTimeout(resolve, 15_000));
		expect(sandbox.stats().requests).toBe(requests);
	});
});
