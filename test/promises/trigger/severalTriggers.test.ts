import { useSandbox } from '../../support/sandbox';
import {
	dismissAlert,
	idsOf,
	raiseAlertsIn,
	TriggerServer,
	type Database,
	type TriggerOptions,
} from '../../support/triggerServer';

const sandbox = useSandbox({ usageAlerts: 3, subscribers: 30 });

let lastProcess = 1_000;

/** Triggers in one workflow and one process. */
async function together(count: number, options: TriggerOptions = {}): Promise<TriggerServer[]> {
	const database: Database = { staticData: '{}', cursors: {} };
	const process = lastProcess++;
	const servers: TriggerServer[] = [];
	for (let number = 1; number <= count; number++) {
		const nodeId = `node-${number}`;
		const server = new TriggerServer(sandbox.current, { ...options, database, process, nodeId });
		await server.activate();
		servers.push(server);
	}
	return servers;
}

const raise = (count: number): unknown[] => raiseAlertsIn(sandbox.current, count);

async function remove(index: number): Promise<string> {
	const [{ uuid } = { uuid: '' }] = sandbox.current.state.subscribers.slice(index);
	const { baseUrl, accessToken } = sandbox.current;
	const headers = { authorization: `Bearer ${accessToken}` };
	await fetch(`${baseUrl}/subscribers/${uuid}`, { method: 'DELETE', headers });
	return uuid;
}

describe('two triggers in one workflow', () => {
	it.each([
		['in memory', {}],
		['durable', { isDurable: true }],
		['durable with cursors', { hasCursors: true }],
	])('announce each record once each, even if their polls overlap: %s', async (_, options) => {
		const servers = await together(2, options);
		const ids = raise(2);
		await Promise.all(servers.map(async (server) => await server.poll()));
		for (let poll = 0; poll < 2; poll++) {
			for (const server of servers) expect(await server.poll()).toBeNull();
		}
		const later = raise(1);
		await Promise.all(servers.map(async (server) => await server.poll()));
		for (const server of servers) {
			expect(await server.poll()).toBeNull();
			expect(idsOf(server.items)).toEqual([...ids, ...later]);
		}
	});
});

it('20 triggers in one workflow keep what they know', async () => {
	const servers = await together(20);
	const ids = raise(1);
	for (const server of servers) server.restart();
	for (const server of servers) expect(idsOf(await server.activate())).toEqual(ids);
});

it('120 triggers in one process keep what only the process knows', async () => {
	const servers: TriggerServer[] = [];
	const process = lastProcess++;
	for (let number = 1; number <= 120; number++) {
		const workflowId = `workflow-${number}`;
		servers.push(new TriggerServer(sandbox.current, { process, workflowId }));
		await servers.at(-1)!.activate();
	}
	const [first] = servers;
	// Only the process knows that an alert is gone.
	await dismissAlert(sandbox.current, 1);
	await first!.poll();
	for (const server of servers.slice(1)) await server.poll();
	const before = sandbox.current.stats().requests;
	expect(await first!.poll()).toBeNull();
	expect(sandbox.current.stats().requests - before).toBe(1);
});

describe('after a restart', () => {
	it('a subscriber is known who joined since the last output, if n8n has durable cursors', async () => {
		const parameters = { event: 'subscriberDeleted' };
		const [server] = (await together(1, { hasCursors: true, parameters })) as [TriggerServer];
		sandbox.current.controls.addRecords('subscribers', 1);
		expect(await server.poll()).toBeNull();
		const uuid = await remove(-1);
		server.restart();
		expect(idsOf(await server.activate())).toEqual([uuid]);
	});

	it('a subscriber is known who was on the list at the last activation', async () => {
		const [server] = (await together(1, {
			parameters: { event: 'subscriberDeleted' },
		})) as [TriggerServer];
		sandbox.current.controls.addRecords('subscribers', 1);
		server.restart();
		expect(await server.activate()).toBeNull();
		const uuid = await remove(-1);
		server.restart();
		expect(idsOf(await server.activate())).toEqual([uuid]);
	});

	it('a change of state keeps its eventId', async () => {
		const parameters = { event: 'subscriberStateChanged' };
		const [server] = (await together(1, { parameters })) as [TriggerServer];
		const [subscriber] = sandbox.current.state.subscribers;
		const eventIds: unknown[] = [];
		for (const state of ['suspended', 'available', 'suspended', 'available'] as const) {
			Object.assign(subscriber!, { state });
			const [item] = (await server.poll('before save')) ?? [];
			server.restart();
			const [again] = (await server.activate()) ?? [];
			expect(again?.eventId).toBe(item?.eventId);
			expect(item).toMatchObject({ state, uuid: subscriber!.uuid });
			eventIds.push(item?.eventId);
		}
		expect(new Set(eventIds).size).toBe(4);
		expect(eventIds.every((id) => typeof id === 'string')).toBe(true);
	});

	it('a created record and a deletion keep their eventId after a crash', async () => {
		for (const event of ['subscriberCreated', 'subscriberDeleted']) {
			const [server] = (await together(1, { parameters: { event } })) as [TriggerServer];
			if (event === 'subscriberCreated') sandbox.current.controls.addRecords('subscribers', 1);
			else await remove(3);
			const [item] = (await server.poll('before execution')) ?? [];
			server.restart({ process: undefined }, true);
			const [again] = (await server.activate()) ?? [];
			expect(item?.eventId).toMatch(new RegExp(`^${event}:`));
			expect(again?.eventId).toBe(item?.eventId);
		}
	});
});
