import type { IDataObject } from 'n8n-workflow';

import { useSandbox } from '../../support/sandbox';
import { idsOf, raiseAlertsIn, TriggerServer } from '../../support/triggerServer';

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
