import type { IDataObject } from 'n8n-workflow';

import { useSandbox } from '../../support/sandbox';
import {
	type TriggerOptions,
	TriggerServer,
	dismissAlert,
	idsOf,
	raiseAlertsIn,
} from '../../support/triggerServer';

describe('the memory of the trigger', () => {
	const sandbox = useSandbox({ usageAlerts: 3, subscribers: 30 });

	async function activated(options: TriggerOptions = {}): Promise<TriggerServer> {
		const server = new TriggerServer(sandbox.current, options);
		await server.activate();
		return server;
	}

	const raise = (count: number): unknown[] => raiseAlertsIn(sandbox.current, count);
	const dismiss = async (id: unknown): Promise<void> => await dismissAlert(sandbox.current, id);

	describe('memory', () => {
		it('survives a restart of any length', async () => {
			const server = await activated();
			const first = raise(1);
			await server.poll();
			server.restart();
			const second = raise(2);
			expect(idsOf(await server.activate())).toEqual(second);
			expect(idsOf(server.items)).toEqual([...first, ...second]);
		});

		it('after a crash before it was saved, announces some records twice and loses none', async () => {
			const server = await activated();
			const ids = raise(1);
			expect(idsOf(await server.poll('before save'))).toEqual(ids);
			server.restart();
			expect(idsOf(await server.activate())).toEqual(ids);
			expect(await server.poll()).toBeNull();
		});

		it('survives a new name of the node', async () => {
			const server = await activated();
			server.restart({ nodeName: 'Alerts' });
			const ids = raise(1);
			expect(idsOf(await server.activate())).toEqual(ids);
		});

		it('survives a new name of the node, and then the old one', async () => {
			const server = await activated();
			server.restart({ nodeName: 'B' });
			expect(await server.activate()).toBeNull();
			const ids = raise(3);
			expect(idsOf(await server.poll())).toEqual(ids);
			server.restart({ nodeName: 'Supercast Trigger' });
			expect(await server.activate()).toBeNull();
			const later = raise(2);
			server.restart({ nodeName: 'B', credentialId: '2' });
			expect(idsOf(await server.activate())).toEqual(later);
			server.restart({ nodeName: 'Supercast Trigger', credentialId: '1' });
			expect(await server.activate()).toBeNull();
			expect(idsOf(server.items)).toEqual([...ids, ...later]);
		});

		it('survives a slash at the end of the Base URL, with all alerts dismissed', async () => {
			const server = await activated();
			for (const id of [1, 2, 3]) await dismiss(id);
			const ids = raise(2);
			server.restart({ hasSlash: true });
			expect(idsOf(await server.activate())).toEqual(ids);
		});

		it('announces again what a crash may have kept from becoming an execution', async () => {
			const server = await activated();
			const ids = raise(2);
			await server.poll('before execution');
			server.restart({}, true);
			expect(idsOf(await server.activate())).toEqual(ids);
			server.restart();
			expect(await server.activate()).toBeNull();
			expect(idsOf(server.items)).toEqual(ids);
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
			expect(idsOf(await server.poll())).toEqual(ids);
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
			expect(idsOf(await server.activate())).toEqual(ids);
		});

		it('announces once when two polls overlap', async () => {
			const server = await activated();
			const ids = raise(2);
			await Promise.all([server.poll(), server.poll(), server.poll()]);
			expect(idsOf(server.items)).toEqual(ids);
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
			expect(idsOf(again)).toEqual([...second, ...third]);
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

		it('gives a person who comes back once more another eventId', async () => {
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

		it('returns also what an execution never got', async () => {
			const server = await activated('usageAlertCreated', 60);
			const ids = raiseAlertsIn(sandbox.current, 2);
			await server.poll('before execution');
			server.restart();
			expect(idsOf(await server.activate())).toEqual(ids);
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
