import type { IDataObject } from 'n8n-workflow';

import { credentialOf, useSandbox } from '../../support/sandbox';
import { idsOf, raiseAlertsIn, TriggerServer } from '../../support/triggerServer';

const sandbox = useSandbox({ usageAlerts: 3, subscribers: 30, episodes: 4 });

async function activated(parameters: IDataObject, isDurable = false): Promise<TriggerServer> {
	const options = { parameters: parameters as never, isDurable };
	const server = new TriggerServer(sandbox.current, options);
	await server.activate();
	return server;
}

/** Changes a record over the API, as someone else would. */
async function send(method: string, path: string, body?: object): Promise<void> {
	const { baseUrl, accessToken } = credentialOf(sandbox.current);
	const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
	const answer = await fetch(`${baseUrl}${path}`, {
		method,
		headers,
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	expect(answer.status).toBeLessThan(300);
}

function subscriber(index: number): { uuid: string; email: string; state: string } {
	return sandbox.current.state.subscribers[index]!;
}

async function setFeed(index: number, state: string): Promise<void> {
	await send('PATCH', `/feeds/${subscriber(index).uuid}`, { feed_token: { state } });
}

describe('subscriberStateChanged', () => {
	it('returns the subscriber with the previous state, once', async () => {
		const server = await activated({ event: 'subscriberStateChanged' });
		await setFeed(3, 'suspended');
		const { uuid, email } = subscriber(3);
		const items = await server.poll();
		expect(items).toEqual([
			expect.objectContaining({ uuid, email, previousState: 'available', state: 'suspended' }),
		]);
		expect(items?.[0]).not.toHaveProperty('subscriptions');
		expect(await server.poll()).toBeNull();
		await setFeed(3, 'available');
		expect(await server.poll()).toEqual([
			expect.objectContaining({ uuid, previousState: 'suspended', state: 'available' }),
		]);
	});

	it.each([false, true])('announces only the selected states; durable: %s', async (durable) => {
		const parameters = { event: 'subscriberStateChanged', states: ['deactivated'] };
		const server = await activated(parameters, durable);
		await setFeed(1, 'suspended');
		expect(await server.poll()).toBeNull();
		await setFeed(1, 'inactive');
		expect(await server.poll()).toEqual([
			expect.objectContaining({ previousState: 'suspended', state: 'deactivated' }),
		]);
		await setFeed(1, 'available');
		expect(await server.poll()).toBeNull();
		await setFeed(1, 'inactive');
		expect(await server.poll()).toHaveLength(1);
	});
});

describe('subscriberDeleted', () => {
	it('returns the deleted subscriber', async () => {
		const server = await activated({ event: 'subscriberDeleted' });
		const { uuid, email } = subscriber(5);
		await send('PATCH', `/subscribers/${uuid}`, { subscriber: { customer_id: 'cus 1,5%' } });
		expect(await server.poll()).toBeNull();
		await send('DELETE', `/subscribers/${uuid}`);
		expect(await server.poll()).toEqual([
			{ id: uuid, eventId: expect.any(String), uuid, email, customer_id: 'cus 1,5%' },
		]);
		expect(await server.poll()).toBeNull();
	});

	it('looks up 50 in one poll, and the others in the next ones', async () => {
		sandbox.current.controls.addRecords('subscribers', 70);
		const server = await activated({ event: 'subscriberDeleted' });
		const uuids = sandbox.current.state.subscribers.slice(0, 70).map(({ uuid }) => uuid);
		for (const uuid of uuids) await send('DELETE', `/subscribers/${uuid}`);
		expect(await server.poll()).toHaveLength(50);
		expect(await server.poll()).toHaveLength(20);
		expect(idsOf(server.items).sort()).toEqual(uuids.sort());
	});
});

describe('episodePublished', () => {
	it('announces an episode when its time has come, and once', async () => {
		const server = await activated({ event: 'episodePublished' });
		await send('POST', '/episodes', { episode: { title: 'A draft' } });
		expect(await server.poll()).toBeNull();
		const { id } = sandbox.current.state.episodes.find(({ title }) => title === 'A draft')!;
		const at = (ms: number): object => ({
			episode: { published_at: new Date(Date.now() + ms).toISOString() },
		});
		await send('PATCH', `/episodes/${id}`, at(3_600_000));
		expect(await server.poll()).toBeNull();
		server.wait(3_601_000);
		expect(await server.poll()).toEqual([expect.objectContaining({ id, title: 'A draft' })]);
		await send('PATCH', `/episodes/${id}`, at(7_200_000));
		expect(await server.poll()).toBeNull();
		server.wait(3_601_000);
		expect(await server.poll()).toBeNull();
	});
});

it('usageAlertCreated announces the alerts of one subscriber with the filter Email', async () => {
	const { uuid, email } = subscriber(0);
	const filters = { email: ` ${email.toUpperCase()} ` };
	const server = await activated({ event: 'usageAlertCreated', filters });
	const ids = raiseAlertsIn(sandbox.current, 12);
	const wanted = sandbox.current.state.usageAlerts.filter(
		(one) => ids.includes(one.id) && one.subscriber_uuid === uuid,
	);
	const other = await activated({
		event: 'usageAlertCreated',
		filters: { email: 'no@example.com' },
	});
	raiseAlertsIn(sandbox.current, 1);
	expect(idsOf(await server.poll()) ?? []).toEqual(wanted.map(({ id }) => id));
	expect(await other.poll()).toBeNull();
});
