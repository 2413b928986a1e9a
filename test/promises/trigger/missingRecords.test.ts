import type { IDataObject } from 'n8n-workflow';

import { credentialOf, useSandbox } from '../../support/sandbox';
import { useQuickRuntime } from '../../support/quickRuntime';
import { dismissAlert, idsOf, TriggerServer } from '../../support/triggerServer';

const sandbox = useSandbox({ subscribers: 30, episodes: 10 });
useQuickRuntime({ backoffMs: 1, windowMs: 600 });

const HOUR = 3_600_000;

type Options = ConstructorParameters<typeof TriggerServer>[1];

async function activated(event: string, options: Options = {}): Promise<TriggerServer> {
	const server = new TriggerServer(sandbox.current, { parameters: { event }, ...options });
	await server.activate();
	return server;
}

function uuids(): string[] {
	return sandbox.current.state.subscribers.map(({ uuid }) => uuid);
}

async function remove(uuid: string): Promise<void> {
	const { baseUrl, accessToken } = credentialOf(sandbox.current);
	const headers = { authorization: `Bearer ${accessToken}` };
	const answer = await fetch(`${baseUrl}/subscribers/${uuid}`, { method: 'DELETE', headers });
	expect(answer.status).toBe(200);
}

/** The subscribers of another channel take the place of these. */
function showOtherChannel(): void {
	for (const one of sandbox.current.state.subscribers) {
		Object.assign(one, { uuid: one.uuid.replace(/^.{8}/, '12345678'), id: one.id + 1_000 });
	}
}

describe('a subscriber who is missing from the list', () => {
	it('costs no warning in the log of n8n if many are missing', async () => {
		const warnings: string[] = [];
		const warned = ({ name }: Error): unknown => warnings.push(name);
		process.on('warning', warned);
		const server = await activated('subscriberDeleted');
		const missing = uuids().slice(0, 20);
		for (const uuid of missing) await remove(uuid);
		expect(idsOf(await server.poll())).toHaveLength(missing.length);
		await new Promise(setImmediate);
		process.off('warning', warned);
		expect(warnings).toEqual([]);
	});

	it('is returned in the order of the list, whichever look-up ends first', async () => {
		const server = await activated('subscriberDeleted');
		const missing = uuids().slice(0, 8);
		for (const uuid of missing) await remove(uuid);
		sandbox.current.controls.changeSettings({ latencyMaxMs: 40 });
		expect(idsOf(await server.poll())).toEqual(missing);
		sandbox.current.controls.changeSettings({ latencyMaxMs: 0 });
	});

	it.each([400, 500])('whose look-up always fails with %i does not hide others', async (status) => {
		const server = await activated('subscriberDeleted');
		const [first, second, third] = uuids() as [string, string, string];
		for (const uuid of [first, second]) await remove(uuid);
		const path = `/subscribers/${first}`;
		sandbox.current.controls.addFaults({ kind: 'status', status, share: 1, path });
		expect(idsOf(await server.poll())).toEqual([second]);
		expect(await server.poll()).toBeNull();
		await remove(third);
		expect(idsOf(await server.poll())).toEqual([third]);
		sandbox.current.controls.clearFaults();
		expect(idsOf(await server.poll())).toEqual([first]);
	});

	it.each([401, 403, 429])(
		'cannot be looked up with status %i, and the poll says so',
		async (status) => {
			const server = await activated('subscriberDeleted');
			const [first] = uuids() as [string];
			await remove(first);
			const path = `/subscribers/${first}`;
			sandbox.current.controls.addFaults({ kind: 'status', status, share: 1, path });
			await expect(server.poll()).rejects.toMatchObject({ httpCode: String(status) });
		},
	);

	it('is deleted if Supercast answers 410', async () => {
		const server = await activated('subscriberDeleted');
		const [first] = uuids() as [string];
		await remove(first);
		const path = `/subscribers/${first}`;
		sandbox.current.controls.addFaults({ kind: 'status', status: 410, share: 1, path });
		expect(idsOf(await server.poll())).toEqual([first]);
	});

	it('is returned although Supercast still answered for them in the first whole reading', async () => {
		const server = await activated('subscriberDeleted');
		const [first] = uuids() as [string];
		const body = sandbox.current.state.subscribers[0];
		await remove(first);
		const path = `/subscribers/${first}`;
		sandbox.current.controls.addFaults({ kind: 'answer', status: 200, body, share: 1, path });
		server.wait(HOUR);
		expect(await server.poll()).toBeNull();
		sandbox.current.controls.clearFaults();
		expect(idsOf(await server.poll())).toEqual([first]);
	});

	it('is forgotten after two whole readings', async () => {
		const server = await activated('subscriberDeleted');
		const [first] = uuids() as [string];
		const body = sandbox.current.state.subscribers[0];
		await remove(first);
		const path = `/subscribers/${first}`;
		sandbox.current.controls.addFaults({ kind: 'answer', status: 200, body, share: 1, path });
		for (let reading = 0; reading < 2; reading++) {
			server.wait(HOUR);
			expect(await server.poll()).toBeNull();
		}
		const before = sandbox.current.stats().requests;
		expect(await server.poll()).toBeNull();
		expect(sandbox.current.stats().requests - before).toBe(1);
	});
});

describe('a list without a single known record', () => {
	it.each(['subscriberCreated', 'subscriberStateChanged', 'subscriberDeleted'])(
		'of the same credential stops %s with a sentence for a person',
		async (event) => {
			const server = await activated(event);
			showOtherChannel();
			for (let poll = 0; poll < 3; poll++) {
				await expect(server.poll()).rejects.toMatchObject({
					message: 'None of the 30 subscribers that the trigger knows is in the list any more',
					description: expect.stringContaining('another channel'),
				});
			}
			expect(server.items).toEqual([]);
			server.restart();
			await expect(server.activate()).rejects.toThrow('None of the 30 subscribers');
		},
	);

	it('is no reason to stop when the known ones come back', async () => {
		const server = await activated('subscriberDeleted');
		const [first] = uuids() as [string];
		const headers = { 'x-total': '0' };
		sandbox.current.controls.addFaults({ kind: 'answer', when: 'after', keep: 0, headers });
		await expect(server.poll()).rejects.toThrow('None of the 30 subscribers');
		sandbox.current.controls.clearFaults();
		await remove(first);
		expect(idsOf(await server.poll())).toEqual([first]);
	});

	it('looks up none of them', async () => {
		const server = await activated('subscriberDeleted');
		for (const uuid of uuids()) await remove(uuid);
		const before = sandbox.current.stats().requests;
		await expect(server.poll()).rejects.toThrow('None of the 30 subscribers');
		expect(sandbox.current.stats().requests - before).toBeLessThanOrEqual(2);
	});

	it('is normal if the trigger knows only two', async () => {
		for (const uuid of uuids().slice(2)) await remove(uuid);
		const server = await activated('subscriberDeleted');
		const known = uuids();
		for (const uuid of known) await remove(uuid);
		expect(idsOf(await server.poll()).sort()).toEqual(known.sort());
	});

	it('is normal for usage alerts, which leave their list', async () => {
		const old = sandbox.current.controls.addUsageAlerts(5);
		const server = await activated('usageAlertCreated');
		for (const { id } of old) await dismissAlert(sandbox.current, id);
		const ids = sandbox.current.controls.addUsageAlerts(5).map(({ id }) => id);
		expect(idsOf(await server.poll())).toEqual(ids);
	});
});

describe('the first reading', () => {
	it('does not end at an empty page before the total is reached', async () => {
		sandbox.current.controls.changeSettings({ perPageMax: 5 });
		const query = { page: '4' };
		sandbox.current.controls.addFaults({ kind: 'answer', when: 'after', keep: 0, query });
		const server = await activated('subscriberCreated');
		sandbox.current.controls.changeSettings({ perPageMax: 100 });
		server.wait(HOUR);
		expect(await server.poll()).toBeNull();
		expect(server.items).toEqual([]);
	});

	it('ends soon if the total is always too high', async () => {
		const headers = { 'x-total': '500' };
		sandbox.current.controls.addFaults({ kind: 'answer', when: 'after', share: 1, headers });
		const before = sandbox.current.stats().requests;
		await activated('subscriberCreated');
		expect(sandbox.current.stats().requests - before).toBeLessThanOrEqual(12);
	});
});

describe('a clock that is wrong for a time', () => {
	afterEach(() => sandbox.current.controls.changeSettings({ perPageMax: 100 }));

	it('during one poll does not hide later subscribers', async () => {
		sandbox.current.controls.changeSettings({ perPageMax: 5 });
		const server = await activated('subscriberCreated');
		server.wait(30 * 24 * HOUR);
		expect(await server.poll()).toBeNull();
		server.wait(-30 * 24 * HOUR);
		// As many are deleted as are created, so only a whole reading finds the new ones.
		const ids: unknown[] = [];
		for (let round = 0; round < 5; round++) {
			for (const uuid of uuids().slice(0, 2)) await remove(uuid);
			sandbox.current.controls.addRecords('subscribers', 2);
			ids.push(...uuids().slice(-2));
			server.wait(60_000);
			await server.poll();
		}
		server.wait(HOUR);
		await server.poll();
		expect(server.items.map(({ uuid }) => uuid).sort()).toEqual(ids.sort());
	});

	it('at activation does not hide an episode that is due later', async () => {
		const inTwoDays = new Date(Date.now() + 48 * HOUR).toISOString();
		const [episode] = sandbox.current.state.episodes;
		Object.assign(episode!, { published_at: inTwoDays });
		const server = new TriggerServer(sandbox.current, {
			parameters: { event: 'episodePublished' },
		});
		server.wait(30 * 24 * HOUR);
		await server.activate();
		server.wait(-30 * 24 * HOUR);
		expect(await server.poll()).toBeNull();
		server.wait(49 * HOUR);
		expect(idsOf(await server.poll())).toEqual([episode!.id]);
	});
});

it('reads times in seconds as times', async () => {
	const [first, second] = sandbox.current.state.episodes;
	const at = (ms: number): IDataObject => ({
		published_at: Math.floor((Date.now() + ms) / 1000),
	});
	Object.assign(first!, at(HOUR));
	Object.assign(second!, at(2 * HOUR));
	const server = await activated('episodePublished');
	server.wait(3 * HOUR);
	expect(idsOf(await server.poll())).toEqual([first!.id, second!.id]);
});
