import type { IDataObject } from 'n8n-workflow';

import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { idsOfItems, raiseAlertsIn, TriggerServer } from '../../support/triggerServer';

describe('events', () => {
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

		it('announces feeds that close, if Supercast calls that state inactive', async () => {
			const server = await activated({
				...{ event: 'subscriberStateChanged', states: ['deactivated'] },
			});
			const [one, other] = [subscriber(1), subscriber(2)];
			for (const closed of [one, other]) closed.state = 'inactive';
			expect(await server.poll()).toHaveLength(2);
			one.state = 'deactivated';
			other.state = 'suspended';
			expect(await server.poll()).toBeNull();
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

	it('says whether feeds were open and are open, whatever Supercast calls the state', async () => {
		const server = await activated({ event: 'subscriberStateChanged' });
		const told = async (state: string): Promise<unknown> => {
			subscriber(1).state = state;
			return (await server.poll())?.map(({ wasOpen, isOpen }) => [wasOpen, isOpen]);
		};
		expect(await told('on_hold')).toEqual([[true, null]]);
		expect(await told('available')).toEqual([[null, true]]);
		expect(await told('charge_failure')).toEqual([[true, false]]);
		expect(await told('on_hold')).toEqual([[false, null]]);
		expect(await told('deactivated')).toEqual([[null, false]]);
	});

	describe('subscriberDeleted', () => {
		it('returns the deleted subscriber', async () => {
			const server = await activated({ event: 'subscriberDeleted' });
			const { uuid, email } = subscriber(5);
			await send('PATCH', `/subscribers/${uuid}`, { subscriber: { customer_id: 'cus 1,5%' } });
			expect(await server.poll()).toBeNull();
			await send('DELETE', `/subscribers/${uuid}`);
			expect(await server.poll()).toEqual([
				{
					...{ id: uuid, eventId: expect.any(String), uuid, email, customer_id: 'cus 1,5%' },
					...{ wasOpen: true, isOpen: false },
				},
			]);
			expect(await server.poll()).toBeNull();
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
		expect(idsOfItems(await server.poll()) ?? []).toEqual(wanted.map(({ id }) => id));
		expect(await other.poll()).toBeNull();
	});
});

describe('events of a test', () => {
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
		['subscriberCreated', ['isOpen', 'uuid', 'email', 'first_name', 'state', 'feed_urls']],
		[
			'subscriberStateChanged',
			['previousState', 'wasOpen', 'isOpen', 'uuid', 'email', 'state', 'feed_urls'],
		],
		['subscriberDeleted', ['wasOpen', 'uuid', 'email', 'customer_id']],
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
});

describe('missing records', () => {
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
		it('causes no warning in the log of n8n if many are missing', async () => {
			const warnings: string[] = [];
			const warned = ({ name }: Error): unknown => warnings.push(name);
			process.on('warning', warned);
			const server = await activated('subscriberDeleted');
			const missing = uuids().slice(0, 20);
			for (const uuid of missing) await remove(uuid);
			expect(idsOfItems(await server.poll())).toHaveLength(missing.length);
			await new Promise(setImmediate);
			process.off('warning', warned);
			expect(warnings).toEqual([]);
		});

		it('is returned in the order of the list, whichever look-up ends first', async () => {
			const server = await activated('subscriberDeleted');
			const missing = uuids().slice(0, 8);
			for (const uuid of missing) await remove(uuid);
			sandbox.current.controls.changeSettings({ latencyMaxMs: 40 });
			expect(idsOfItems(await server.poll())).toEqual(missing);
			sandbox.current.controls.changeSettings({ latencyMaxMs: 0 });
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
			expect(idsOfItems(await server.poll())).toEqual([first]);
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

		it('looks up none of them', async () => {
			const server = await activated('subscriberDeleted');
			for (const uuid of uuids()) await remove(uuid);
			const before = sandbox.current.stats().requests;
			await expect(server.poll()).rejects.toThrow('None of the 30 subscribers');
			expect(sandbox.current.stats().requests - before).toBeLessThanOrEqual(2);
		});
	});

	describe('a clock that is wrong for a time', () => {
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
			expect(idsOfItems(await server.poll())).toEqual([episode!.id]);
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
		expect(idsOfItems(await server.poll())).toEqual([first!.id, second!.id]);
	});
});
