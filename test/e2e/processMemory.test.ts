import { setTimeout as sleep } from 'node:timers/promises';

import { credentialFor } from '../harness/environment';
import { untilSettled } from '../harness/n8n/publish';
import { startN8n, type N8nServer } from '../harness/n8n/server';
import { logIn } from '../harness/n8n/setup';
import { ask, bodyText } from '../harness/system/http';
import { addMembers } from '../support/addMembers';
import { queryDatabase } from './support/database';
import { instantWebhook, latestExecution, splitMembers, subscriberNode } from './support/queueRuns';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';
import { inARow, webhook } from './support/workflows';
import { until } from './workflows/until';

/** Two lists that were read closer together than this count as one. */
const APART_MS = 61_000;
const PEOPLE = 8;
/** Supercast makes the stopped change this long after it has received the request. */
const LATE_MS = 2_000;
/** How soon an execution ends that someone stops. */
const STOP_MS = 1_000;

/** The credential as the nodes refer to it. */
const credential = { id: 'supercastSandbox', name: 'Supercast (sandbox)', type: 'supercastApi' };

const event = subscriberNode('setAccess', credential, {
	access: '={{ $json.body.access }}',
	email: '={{ $json.body.email }}',
	customerId: '={{ $json.body.id }}',
});

const sync = subscriberNode('sync', credential, {
	email: '={{ $json.email }}',
	customerId: '={{ $json.id }}',
	maxClosePercent: 100,
	dryRun: false,
	// A run without changes then has an item to respond with.
	customerIdPrefix: 'c-',
	options: { output: 'summary' },
});

/** What one n8n process knows, and what n8n stores of it. */
describe('what n8n remembers', () => {
	let environment: E2eEnvironment;
	let restarted: N8nServer | undefined;

	beforeAll(async () => {
		environment = await startE2eEnvironment('process-memory', {
			sandbox: { subscribers: 0, ids: 'uuid' },
			credentials: (sandbox) => [credentialFor(sandbox)],
			workflows: [
				inARow('stopped', [instantWebhook('stopped'), event]),
				inARow('event', [webhook('event'), event]),
				inARow('list', [webhook('list'), splitMembers, sync]),
			],
		});
	});
	beforeEach(() => environment.sandbox.reset());
	afterAll(async () => {
		await restarted?.stop();
		await environment?.stop();
	});

	async function call(path: string, json: object): Promise<void> {
		const { url } = restarted ?? environment.server;
		const answer = await ask(`${url}/webhook/${path}`, { method: 'POST', json });
		if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${bodyText(answer)}`);
	}

	it('keeps a payer open whose earlier Close was stopped by hand while Supercast worked on it', async () => {
		const { client, sandbox } = environment;
		const [ann] = addMembers(sandbox, 1);
		const { email, customer_id: id } = ann!;
		const fault = {
			kind: 'stall',
			stallMs: 2 * LATE_MS,
			lateMs: LATE_MS,
			method: 'PATCH',
		} as const;
		sandbox.controls.addFaults(fault);
		await call('stopped', { access: 'close', email, id });
		while (!sandbox.state.requests.some(({ method }) => method === 'PATCH')) await sleep(20);

		const { id: running } = await latestExecution(client, 'stopped');
		await client.request('POST', `/executions/${running}/stop`);
		const isStopped = async () => (await latestExecution(client, 'stopped')).status === 'canceled';
		await until('the execution ends', isStopped, STOP_MS);
		expect(ann!.state).toBe('available');

		await call('event', { access: 'open', email, id });
		await sleep(2 * LATE_MS);
		const changes = sandbox.state.requests.filter(({ method }) => method === 'PATCH');
		expect([changes.length, ann!.state]).toEqual([2, 'available']);
	});

	it('counts lists in a row across a restart, and who is on one begins again', async () => {
		const { instance, sandbox } = environment;
		const people = addMembers(sandbox, PEOPLE);
		const [leaver, returning] = [people[3]!, people[5]!];
		const send = async (...missing: typeof people): Promise<void> => {
			const listed = people.filter((one) => !missing.includes(one));
			const members = listed.map(({ email, customer_id: id }) => ({ email, id }));
			await call('list', { members });
		};
		await send(leaver, returning);
		const sql = "SELECT staticData FROM workflow_entity WHERE id = 'list'";
		const [row] = queryDatabase<{ staticData: string | null }>(instance, sql);
		expect(row?.staticData).toContain(leaver.email);
		await environment.server.stop();
		restarted = await startN8n(instance);
		await untilSettled(await logIn(restarted), 'list');

		await sleep(APART_MS);
		await send(leaver);
		expect([leaver.state, returning.state]).toEqual(['deactivated', 'available']);
		await sleep(APART_MS);
		await send(leaver, returning);
		expect(returning.state).toBe('available');
		await sleep(APART_MS);
		await send(leaver, returning);
		expect(returning.state).toBe('deactivated');
	});
});
