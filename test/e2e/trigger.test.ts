import { setTimeout as sleep } from 'node:timers/promises';

import { credentialFor } from '../harness/environment';
import { publishWorkflow } from '../harness/n8n/publish';
import { startN8n, type Instance, type N8nServer } from '../harness/n8n/server';
import {
	importCredentials,
	logIn,
	type N8nClient,
	setUpOwner,
	type Workflow,
	type WorkflowNode,
} from '../harness/n8n/setup';
import { createSandbox, type Sandbox } from '../../simulators/supercast';
import { built } from './support/cleanup';
import { emptyFolder } from './support/folders';
import { readDatabase, triggerInstance } from './support/triggerInstance';
import { killAgainAndAgain } from './support/triggerKills';

describe('n8n is killed', () => {
	/** `KILLS=30 npm run test:e2e -- e2e/trigger` takes a quarter of an hour. */
	const kills = Number(process.env.KILLS ?? 4);

	const perKill = 60_000;

	it(
		'loses no alert when n8n is killed at random moments',
		async () => {
			const said: string[] = [];
			const outcome = await killAgainAndAgain({
				kills,
				seed: 11,
				say: (text) => said.push(text),
			});
			expect(said.filter((text) => text.startsWith('kill '))).toHaveLength(kills);
			expect(outcome.raised).toBeGreaterThan(kills);
			expect(outcome.lost).toEqual([]);
			expect(outcome.announcedThoughExisting).toBe(0);
		},
		180_000 + kills * perKill,
	);
});

describe('a workflow or credential is renamed', () => {
	const ID = 'alertsArrive';
	const WORKFLOW = `/workflows/${ID}`;
	/** Two polls, and the time to write what they found. */
	const TWO_POLLS_MS = 13_000;

	interface Saved extends Workflow {
		versionId: string;
		connections: Record<string, unknown>;
	}

	/** Changes the trigger node as a person does in the editor, and publishes the workflow. */
	async function publish(
		client: N8nClient,
		name: string,
		credentials?: WorkflowNode['credentials'],
	): Promise<void> {
		const { nodes, connections, versionId } = (await client.request('GET', WORKFLOW)) as Saved;
		const [first] = Object.values(connections);
		const changed = nodes.map((node) =>
			node.type.endsWith('.supercastTrigger')
				? { ...node, name, credentials: credentials ?? node.credentials }
				: node,
		);
		await client.request('PATCH', WORKFLOW, {
			nodes: changed,
			connections: { [name]: first },
			versionId,
		});
		await publishWorkflow(client, ID);
	}

	let sandbox: Sandbox;
	let instance: Instance;
	let server: N8nServer;
	let stop: () => Promise<void>;
	let raised: string[];

	beforeEach(async () => {
		raised = [];
		await built(async (cleanup) => {
			stop = async () => await cleanup.run();
			sandbox = await createSandbox({ usageAlerts: 5, ids: 'uuid', rateLimit: 0 });
			cleanup.add(async () => await sandbox.close());
			instance = await triggerInstance(sandbox, emptyFolder('trigger-renames', cleanup));
			await importCredentials(instance, [second()]);
			server = await startN8n(instance);
			cleanup.add(async () => await server.stop());
		});
	});
	afterEach(async () => await stop());

	const second = () => ({ ...credentialFor(sandbox), id: 'second', name: 'Second' });
	const raise = (count: number): void => {
		for (const { id } of sandbox.controls.addUsageAlerts(count)) raised.push(String(id));
	};

	/** How many executions each alert has started. n8n has ended by then. */
	function executionsOf(alerts: string[]): number[] {
		const { executions } = readDatabase(instance);
		return alerts.map((alert) => executions.filter((data) => data.includes(alert)).length);
	}

	it("announces each alert once, whatever the node's name and credential", async () => {
		const client = await setUpOwner(server);
		const old = sandbox.controls.state().usageAlerts.map(({ id }) => String(id));
		await sleep(TWO_POLLS_MS);
		raise(2);
		await publish(client, 'B');
		await sleep(TWO_POLLS_MS);
		raise(3);
		await sleep(TWO_POLLS_MS);
		await publish(client, 'Supercast Trigger');
		raise(2);
		await sleep(TWO_POLLS_MS);
		const { id, name, type } = second();
		await publish(client, 'B', { [type]: { id, name } });
		raise(2);
		await sleep(TWO_POLLS_MS);
		await server.stop();
		raise(3);
		server = await startN8n(instance);
		await sleep(TWO_POLLS_MS);
		await publish(await logIn(server), 'Supercast Trigger');
		raise(1);
		await sleep(TWO_POLLS_MS);
		await server.stop();
		expect(executionsOf(raised)).toEqual(raised.map(() => 1));
		expect(executionsOf(old)).toEqual(old.map(() => 0));
	});

	it('announces an alert once that a poll found while the workflow was published', async () => {
		const polls = (): number =>
			sandbox.state.requests.filter(({ path }) => path.includes('usage_alerts')).length;
		const client = await setUpOwner(server);
		await sleep(TWO_POLLS_MS);
		for (const name of ['B', 'C', 'D']) {
			// The response has the alert, and comes after the new version.
			sandbox.controls.changeSettings({ latencyMs: 4_000 });
			const before = polls();
			raise(1);
			while (polls() === before) await sleep(20);
			await sleep(100);
			const publishing = publish(client, name);
			await sleep(4_500);
			sandbox.controls.changeSettings({ latencyMs: 0 });
			await publishing;
			await sleep(TWO_POLLS_MS);
		}
		await server.stop();
		expect(executionsOf(raised)).toEqual([1, 1, 1]);
	});
});
