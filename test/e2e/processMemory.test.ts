import { setTimeout as sleep } from 'node:timers/promises';

import { credentialFor } from '../harness/environment';
import { ensureN8n } from '../harness/n8n/install';
import { installPackage, packPackage } from '../harness/n8n/package';
import { untilSettled } from '../harness/n8n/publish';
import { createInstance, startN8n, type Instance, type N8nServer } from '../harness/n8n/server';
import { importCredentials, importWorkflows, logIn, setUpOwner } from '../harness/n8n/setup';
import { ask, bodyText } from '../harness/system/http';
import { createSandbox, type Sandbox, type Subscriber } from '../../simulators/supercast';
import { built } from './support/cleanup';
import { queryDatabase } from './support/database';
import { emptyFolder } from './support/folders';
import { instantWebhook, splitMembers, subscriberNode } from './support/queueRuns';
import { inARow, webhook } from './support/workflows';

/** Two lists that were read closer together than this count as one. */
const APART_MS = 61_000;
const PEOPLE = 8;
/** Supercast makes the stopped change this long after it has received the request. */
const LATE_MS = 2_000;

interface Environment {
	sandbox: Sandbox;
	instance: Instance;
	server: N8nServer;
	stop: () => Promise<void>;
}

/** What one n8n process knows, and what n8n stores of it. */
describe('what n8n remembers', () => {
	let environment: Environment;

	beforeAll(async () => {
		environment = await built(async (cleanup) => {
			const sandbox = await createSandbox({ rateLimit: 0, subscribers: 0, ids: 'uuid' });
			cleanup.add(async () => await sandbox.close());
			const install = await ensureN8n();
			const folder = emptyFolder('process-memory', cleanup);
			const instance = await createInstance(install, folder);
			await installPackage(await packPackage(), folder);
			const credential = credentialFor(sandbox);
			await importCredentials(instance, [credential]);
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
				options: { customerIdPrefix: 'cus_', graceHours: 0, output: 'summary' },
			});
			const workflows = [
				inARow('stopped', [instantWebhook('stopped'), event]),
				inARow('event', [webhook('event'), event]),
				inARow('list', [webhook('list'), splitMembers, sync]),
			];
			await importWorkflows(instance, workflows);
			const server = await startN8n(instance);
			cleanup.add(async () => await environment.server.stop());
			const client = await setUpOwner(server);
			for (const { id } of workflows) await untilSettled(client, id);
			return { sandbox, instance, server, stop: async () => await cleanup.run() };
		});
	});
	afterAll(async () => await environment?.stop());

	async function call(path: string, json: object): Promise<void> {
		const answer = await ask(`${environment.server.url}/webhook/${path}`, { method: 'POST', json });
		if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${bodyText(answer)}`);
	}

	function addPeople(count: number): Subscriber[] {
		const { controls } = environment.sandbox;
		const people = controls.addRecords('subscribers', count) as Subscriber[];
		for (const one of people) {
			const dates = { created_at: '2025-01-01T00:00:00Z', updated_at: '2025-01-01T00:00:00Z' };
			const fields = { customer_id: `cus_${one.id}`, plan_id: null, plan_name: null };
			Object.assign(one, { ...dates, ...fields, state: 'available' });
		}
		return people;
	}

	it('keeps a payer open whose earlier Close was stopped by hand while Supercast worked on it', async () => {
		const { sandbox, server } = environment;
		const [ann] = addPeople(1);
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

		const client = await logIn(server);
		const filter = encodeURIComponent(JSON.stringify({ workflowId: 'stopped' }));
		const found = await client.request('GET', `/executions?limit=1&filter=${filter}`);
		const [running] = (found as { results: Array<{ id: string }> }).results;
		await client.request('POST', `/executions/${running!.id}/stop`);
		expect(ann!.state).toBe('available');

		await call('event', { access: 'open', email, id });
		await sleep(2 * LATE_MS);
		const changes = sandbox.state.requests.filter(({ method }) => method === 'PATCH');
		expect([changes.length, ann!.state]).toEqual([2, 'available']);
		sandbox.reset();
	});

	it('closes no feed after one list because of an older copy that n8n has stored, after a restart', async () => {
		const { instance } = environment;
		const people = addPeople(PEOPLE);
		const leaver = people[3]!;
		const send = async (isWhole: boolean): Promise<void> => {
			const listed = people.filter((one) => isWhole || one !== leaver);
			const members = listed.map(({ email, customer_id: id }) => ({ email, id }));
			await call('list', { members });
		};
		const stored = (): string => {
			const sql = "SELECT staticData FROM workflow_entity WHERE id = 'list'";
			return queryDatabase<{ staticData: string | null }>(instance, sql)[0]!.staticData ?? '';
		};
		await send(false);
		const older = stored();
		expect(older).toContain(leaver.email);
		await sleep(APART_MS);
		await send(true);
		expect(stored()).not.toContain(leaver.email);

		await environment.server.stop();
		const sql = "UPDATE workflow_entity SET staticData = ? WHERE id = 'list'";
		queryDatabase(instance, sql, older);
		expect(stored()).toBe(older);
		environment.server = await startN8n(instance);
		await untilSettled(await logIn(environment.server), 'list');

		await sleep(APART_MS);
		await send(false);
		expect(leaver.state).toBe('available');
		await sleep(APART_MS);
		await send(false);
		expect(leaver.state).toBe('deactivated');
	});
});
