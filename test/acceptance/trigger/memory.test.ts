import type { IDataObject } from 'n8n-workflow';

import { useSandbox } from '../../support/sandbox';
import {
	type Database,
	dismissAlert,
	idsOfItems,
	raiseAlertsIn,
	type TriggerOptions,
	TriggerServer,
} from '../../support/triggerServer';

describe('the memory of the trigger', () => {
	const sandbox = useSandbox({ usageAlerts: 3, subscribers: 30 });

	async function activated(options: TriggerOptions = {}): Promise<TriggerServer> {
		const server = new TriggerServer(sandbox.current, options);
		await server.activate();
		return server;
	}

	const raise = (count: number): unknown[] => raiseAlertsIn(sandbox.current, count);
	const join = (count: number): unknown[] =>
		sandbox.current.controls.addRecords('subscribers', count).map((one) => (one as IDataObject).id);
	const dismiss = async (id: unknown): Promise<void> => await dismissAlert(sandbox.current, id);

	describe('memory', () => {
		it('survives a restart of any length', async () => {
			const server = await activated();
			const first = raise(1);
			await server.poll();
			server.restart();
			const second = raise(2);
			expect(idsOfItems(await server.activate())).toEqual(second);
			expect(idsOfItems(server.items)).toEqual([...first, ...second]);
		});

		it('after a crash before it was saved, announces some records twice and loses none', async () => {
			const server = await activated();
			const ids = raise(1);
			expect(idsOfItems(await server.poll('before save'))).toEqual(ids);
			server.restart();
			expect(idsOfItems(await server.activate())).toEqual(ids);
			expect(await server.poll()).toBeNull();
		});

		it('survives a new name of the node', async () => {
			const server = await activated();
			server.restart({ nodeName: 'Alerts' });
			const ids = raise(1);
			expect(idsOfItems(await server.activate())).toEqual(ids);
		});

		it('survives a new name of the node, and then the old one', async () => {
			const server = await activated();
			server.restart({ nodeName: 'B' });
			expect(await server.activate()).toBeNull();
			const ids = raise(3);
			expect(idsOfItems(await server.poll())).toEqual(ids);
			server.restart({ nodeName: 'Supercast Trigger' });
			expect(await server.activate()).toBeNull();
			const later = raise(2);
			server.restart({ nodeName: 'B', credentialId: '2' });
			expect(idsOfItems(await server.activate())).toEqual(later);
			server.restart({ nodeName: 'Supercast Trigger', credentialId: '1' });
			expect(await server.activate()).toBeNull();
			expect(idsOfItems(server.items)).toEqual([...ids, ...later]);
		});

		it('survives a slash at the end of the Base URL, with all alerts dismissed', async () => {
			const server = await activated();
			for (const id of [1, 2, 3]) await dismiss(id);
			const ids = raise(2);
			server.restart({ hasSlash: true });
			expect(idsOfItems(await server.activate())).toEqual(ids);
		});

		it('announces nothing that another channel of the same credential already has', async () => {
			const server = await activated();
			for (const id of [1, 2, 3]) await dismiss(id);
			raise(2);
			server.restart({ subdomain: 'other' });
			expect(await server.activate()).toBeNull();
			const ids = raise(1);
			expect(idsOfItems(await server.poll())).toEqual(ids);
		});

		it('announces again what a crash may have kept from becoming an execution', async () => {
			const server = await activated();
			const ids = raise(2);
			await server.poll('before execution');
			server.restart({}, true);
			expect(idsOfItems(await server.activate())).toEqual(ids);
			server.restart();
			expect(await server.activate()).toBeNull();
			expect(idsOfItems(server.items)).toEqual(ids);
		});

		it("is under the node's id in the static data of the workflow, and nowhere else", async () => {
			const server = await activated();
			raise(1);
			await server.poll();
			expect(JSON.parse(server.saved)).toEqual({
				global: { supercastTrigger: { 'trigger usageAlertCreated': expect.anything() } },
				'node:Supercast Trigger': {},
			});
		});

		it('works if each poll starts from what n8n saved, and a quiet poll saves nothing', async () => {
			const server = await activated({ isDurable: true });
			await dismiss(1);
			expect(await server.poll()).toBeNull();
			const ids = raise(1);
			expect(idsOfItems(await server.poll())).toEqual(ids);
			const before = sandbox.current.stats().requests;
			for (let poll = 0; poll < 3; poll++) expect(await server.poll()).toBeNull();
			expect(sandbox.current.stats().requests - before).toBe(3);
		});

		it('is separate for each event', async () => {
			const server = await activated();
			server.restart({ parameters: { event: 'episodeCreated' } });
			expect(await server.activate()).toBeNull();
			const ids = raise(1);
			server.restart({ parameters: { event: 'usageAlertCreated' } });
			expect(idsOfItems(await server.activate())).toEqual(ids);
		});

		it.each([
			['usageAlertCreated', (): unknown[] => raise(2)],
			['subscriberCreated', (): unknown[] => join(2)],
		])(
			'announces once what a poll found while the workflow was published: %s',
			async (event, add) => {
				const server = await activated({ parameters: { event } });
				const ids = add();
				const [dropped] = await Promise.all([server.poll('superseded'), server.activate()]);
				expect(idsOfItems(dropped)).toHaveLength(0);
				await server.poll();
				await server.poll();
				expect(idsOfItems(server.items).sort()).toEqual(ids.sort());
				server.restart();
				expect(await server.activate()).toBeNull();
			},
		);

		it('announces once what came before and after the workflow was published twice', async () => {
			const server = await activated();
			const ids = raise(1);
			const slow = server.poll('superseded');
			await Promise.all([slow, server.activate(), server.activate()]);
			ids.push(...raise(1));
			await server.poll();
			server.restart({ nodeName: 'Alerts' });
			await server.activate();
			expect(idsOfItems(server.items)).toEqual(ids);
		});

		it('announces once when two polls overlap', async () => {
			const server = await activated();
			const ids = raise(2);
			await Promise.all([server.poll(), server.poll(), server.poll()]);
			expect(idsOfItems(server.items)).toEqual(ids);
		});
	});
});

describe('a restart', () => {
	const sandbox = useSandbox({ usageAlerts: 3, subscribers: 20 });
	const MINUTE = 60_000;

	const eventIds = (items: IDataObject[] | null): unknown[] =>
		(items ?? []).map(({ eventId }) => eventId);

	async function activated(event: string, repeatAfterRestart?: number): Promise<TriggerServer> {
		const options = repeatAfterRestart === undefined ? {} : { repeatAfterRestart };
		const server = new TriggerServer(sandbox.current, { parameters: { event, options } });
		await server.activate();
		return server;
	}

	function setState(index: number, state: string): void {
		// Supercast may change a state without another date.
		Object.assign(sandbox.current.state.subscribers[index]!, { state });
	}

	describe('with Repeat After Restart, a restarted n8n', () => {
		it('returns the items of the last minutes before it again, and no older ones', async () => {
			const server = await activated('usageAlertCreated', 60);
			raiseAlertsIn(sandbox.current, 1);
			await server.poll();
			server.wait(61 * MINUTE);
			const [second, third] = [raiseAlertsIn(sandbox.current, 2), [] as unknown[]];
			const first = await server.poll();
			server.wait(30 * MINUTE);
			third.push(...raiseAlertsIn(sandbox.current, 1));
			const last = await server.poll();
			server.restart();
			server.wait(24 * 60 * MINUTE);
			const again = await server.activate();
			expect(idsOfItems(again)).toEqual([...second, ...third]);
			expect(eventIds(again)).toEqual([...eventIds(first), ...eventIds(last)]);
			expect((again ?? []).map(({ repeats }) => repeats)).toEqual([1, 1, 1]);
			expect(await server.poll()).toBeNull();
		});

		it('returns changes of state again with the same eventId, restart after restart', async () => {
			setState(1, 'deactivated');
			setState(2, 'deactivated');
			const server = await activated('subscriberStateChanged', 60);
			setState(1, 'available');
			const first = await server.poll();
			server.wait(MINUTE);
			setState(2, 'available');
			const second = await server.poll();
			const both = [...eventIds(first), ...eventIds(second)].sort();
			expect(new Set(both).size).toBe(2);
			for (let restart = 1; restart <= 3; restart++) {
				server.restart();
				const again = await server.activate();
				expect(eventIds(again).sort()).toEqual(both);
				expect((again ?? []).map(({ repeats }) => repeats)).toEqual([restart, restart]);
				expect((again ?? []).map(({ previousState }) => previousState)).toEqual([
					'deactivated',
					'deactivated',
				]);
			}
		});

		it('gives another eventId to a person who comes back a second time', async () => {
			setState(1, 'deactivated');
			const server = await activated('subscriberStateChanged', 60);
			setState(1, 'available');
			const first = await server.poll();
			server.restart();
			expect(eventIds(await server.activate())).toEqual(eventIds(first));
			server.wait(MINUTE);
			setState(1, 'deactivated');
			await server.poll();
			server.wait(MINUTE);
			setState(1, 'available');
			const later = await server.poll();
			expect(later).toHaveLength(1);
			expect(later?.[0]).not.toHaveProperty('repeats');
			expect(eventIds(later)).not.toEqual(eventIds(first));
		});

		it('also returns what never reached an execution', async () => {
			const server = await activated('usageAlertCreated', 60);
			const ids = raiseAlertsIn(sandbox.current, 2);
			await server.poll('before execution');
			server.restart();
			expect(idsOfItems(await server.activate())).toEqual(ids);
		});
	});

	it('without it, a restarted n8n returns nothing again', async () => {
		const server = await activated('usageAlertCreated');
		raiseAlertsIn(sandbox.current, 1);
		await server.poll();
		server.restart();
		expect(await server.activate()).toBeNull();
	});
});

describe('several triggers', () => {
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
		])('each announce a record once, even if their polls overlap: %s', async (_, options) => {
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
				expect(idsOfItems(server.items)).toEqual([...ids, ...later]);
			}
		});
	});

	it('two triggers with the same ID each announce a record once', async () => {
		const server = new TriggerServer(sandbox.current, { twin: 'Copy' });
		await server.activate();
		await server.pollTwin(true);
		const ids = raise(2);
		expect(idsOfItems(await server.poll())).toEqual(ids);
		expect(idsOfItems(await server.pollTwin())).toEqual(ids);
		const later = raise(1);
		server.restart();
		expect(idsOfItems(await server.activate())).toEqual(later);
		expect(idsOfItems(await server.pollTwin(true))).toEqual(later);
		expect(await server.poll()).toBeNull();
		expect(await server.pollTwin()).toBeNull();
	});

	it('20 triggers in one workflow keep what they know', async () => {
		const servers = await together(20);
		const ids = raise(1);
		for (const server of servers) server.restart();
		for (const server of servers) expect(idsOfItems(await server.activate())).toEqual(ids);
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
		it('the trigger knows who joined since the last output, with durable cursors', async () => {
			const parameters = { event: 'subscriberDeleted' };
			const [server] = (await together(1, { hasCursors: true, parameters })) as [TriggerServer];
			sandbox.current.controls.addRecords('subscribers', 1);
			expect(await server.poll()).toBeNull();
			const uuid = await remove(-1);
			server.restart();
			expect(idsOfItems(await server.activate())).toEqual([uuid]);
		});

		it('the trigger knows who was on the list at the last activation', async () => {
			const [server] = (await together(1, {
				parameters: { event: 'subscriberDeleted' },
			})) as [TriggerServer];
			sandbox.current.controls.addRecords('subscribers', 1);
			server.restart();
			expect(await server.activate()).toBeNull();
			const uuid = await remove(-1);
			server.restart();
			expect(idsOfItems(await server.activate())).toEqual([uuid]);
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
});
