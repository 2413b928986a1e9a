import type { IDataObject } from 'n8n-workflow';

import { useSandbox } from '../../support/sandbox';
import { TriggerServer } from '../../support/triggerServer';

const sandbox = useSandbox({ usageAlerts: 3, subscribers: 30, episodes: 4 });

async function sampleOf(parameters: IDataObject): Promise<IDataObject> {
	const server = new TriggerServer(sandbox.current, { parameters: parameters as never });
	const items = await server.test();
	expect(items).toHaveLength(1);
	expect(server.saved).toBe('{}');
	return items[0]!;
}

const EVENTS = [
	['usageAlertCreated', ['created_at', 'subscriber']],
	['subscriberCreated', ['uuid', 'email', 'first_name', 'state', 'feed_urls']],
	['subscriberStateChanged', ['previousState', 'uuid', 'email', 'state', 'feed_urls']],
	['subscriberDeleted', ['uuid', 'email', 'customer_id']],
	['episodeCreated', ['title', 'published_at']],
	['episodePublished', ['title', 'published_at']],
	['questionCreated', ['title', 'body']],
] as const;

/** Everything in the sandbox that names or opens something real. */
function realThings(): string[] {
	const { subscribers, usageAlerts } = sandbox.current.state;
	const people = subscribers.flatMap((one) => [one.uuid, one.email, one.customer_id]);
	const feeds = JSON.stringify(subscribers).match(/https?:[^"]+/g) ?? [];
	const alerts = usageAlerts.flatMap(({ subscriber_uuid: uuid }) => [uuid]);
	return [...people, ...feeds, ...alerts].map(String).filter((text) => text.length > 5);
}

describe('Fetch Test Event', () => {
	it.each(EVENTS)('of %s names nobody and nothing real', async (event) => {
		for (const simplify of [true, false]) {
			const text = JSON.stringify(await sampleOf({ event, simplify }));
			expect(realThings().filter((one) => text.includes(one))).toEqual([]);
		}
	});

	it.each(EVENTS)('of %s shows an example if the list is empty', async (event, fields) => {
		const headers = { 'x-total': '0' };
		const fault = { kind: 'answer', when: 'after', keep: 0, headers, share: 1 } as const;
		sandbox.current.controls.addFaults(fault);
		const item = await sampleOf({ event });
		expect(Object.keys(item)).toEqual(expect.arrayContaining(['id', 'eventId', ...fields]));
		expect(item.sample).toBe(true);
	});

	it.each(EVENTS)('of %s shows the fields that a real event shows', async (event) => {
		const server = new TriggerServer(sandbox.current, { parameters: { event } });
		await server.activate();
		const { controls, state } = sandbox.current;
		if (event === 'usageAlertCreated') controls.addUsageAlerts(1);
		else if (event === 'subscriberCreated') controls.addRecords('subscribers', 1);
		else if (event === 'subscriberStateChanged')
			Object.assign(state.subscribers[0]!, { state: 'suspended' });
		else if (event === 'questionCreated') controls.addRecords('questions', 1);
		else controls.addRecords('episodes', 1);
		if (event === 'subscriberDeleted') {
			const { baseUrl, accessToken } = sandbox.current;
			const headers = { authorization: `Bearer ${accessToken}` };
			const [{ uuid } = { uuid: '' }] = state.subscribers;
			await fetch(`${baseUrl}/subscribers/${uuid}`, { method: 'DELETE', headers });
		}
		const [real] = (await server.poll()) ?? [];
		const { sample, ...shown } = await sampleOf({ event });
		expect(sample).toBe(true);
		expect(shown.eventId).toMatch(new RegExp(`^${event}:sample`));
		const fields = Object.keys(real ?? {});
		expect(Object.keys(shown)).toEqual(expect.arrayContaining(fields));
		if (event !== 'subscriberDeleted') expect(Object.keys(shown)).toEqual(fields);
		for (const [field, value] of Object.entries(real ?? {})) {
			if (value === null) continue;
			expect([field, typeof shown[field]]).toEqual([field, typeof value]);
		}
	});

	it('shows a change into a selected state', async () => {
		const item = await sampleOf({ event: 'subscriberStateChanged', states: ['suspended'] });
		expect(item).toMatchObject({ state: 'suspended', previousState: 'available' });
		const other = await sampleOf({ event: 'subscriberStateChanged', states: ['available'] });
		expect(other.state).toBe('available');
		expect(other.previousState).not.toBe('available');
	});

	it('says that the list will soon be too long', async () => {
		const fault = { kind: 'answer', when: 'after', headers: { 'x-total': '32000' } } as const;
		sandbox.current.controls.addFaults(fault);
		const { warning } = await sampleOf({ event: 'usageAlertCreated' });
		expect(warning).toMatch(/^The trigger remembers 32,000 usage alerts.*Get Many/);
	});

	it('still fails if Supercast does', async () => {
		sandbox.current.controls.addFaults({ kind: 'status', status: 403, share: 1 });
		await expect(sampleOf({ event: 'usageAlertCreated' })).rejects.toMatchObject({
			httpCode: '403',
		});
	});
});
