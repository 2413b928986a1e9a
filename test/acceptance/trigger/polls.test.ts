import { clientCredentials, connected } from '../../support/oauth';
import { fastClock, useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';
import {
	dismissAlert,
	idsOfItems,
	raiseAlertsIn,
	type TriggerOptions,
	TriggerServer,
} from '../../support/triggerServer';

describe('polls', () => {
	const sandbox = useSandbox({ usageAlerts: 3, subscribers: 30 });
	useQuickRuntime({ backoffMs: 5, windowMs: 600 });

	async function activated(options: TriggerOptions = {}): Promise<TriggerServer> {
		const server = new TriggerServer(sandbox.current, options);
		await server.activate();
		return server;
	}

	const raise = (count: number): unknown[] => raiseAlertsIn(sandbox.current, count);
	const dismiss = async (id: unknown): Promise<void> => await dismissAlert(sandbox.current, id);

	describe('activation', () => {
		it('remembers the existing records and announces nothing', async () => {
			const server = new TriggerServer(sandbox.current);
			expect(await server.activate()).toBeNull();
			expect(await server.poll()).toBeNull();
		});

		it('announces the existing records once with Include Existing', async () => {
			const server = new TriggerServer(sandbox.current, {
				parameters: { options: { includeExisting: true } },
			});
			expect(await server.activate()).toHaveLength(3);
			expect(await server.poll()).toBeNull();
			server.restart();
			expect(await server.activate()).toBeNull();
			expect(idsOfItems(server.items)).toEqual([1, 2, 3]);
		});

		it.each([408, 429, 500, 503])(
			'succeeds while Supercast answers %i, and later announces what was created meanwhile',
			async (status) => {
				const server = new TriggerServer(sandbox.current);
				sandbox.current.controls.addFaults({ kind: 'status', status, share: 1, retryAfter: '60' });
				expect(await server.activate()).toBeNull();
				expect(server.saved).not.toContain('known');
				const ids = raise(2);
				await expect(server.poll()).rejects.toMatchObject({ name: 'NodeApiError' });
				sandbox.current.controls.clearFaults();
				expect(idsOfItems(await server.poll())).toEqual(ids);
				expect(await server.poll()).toBeNull();
			},
		);

		it('succeeds again in the same n8n while Supercast is down', async () => {
			const server = new TriggerServer(sandbox.current);
			sandbox.current.controls.addFaults({ kind: 'status', status: 503, share: 1 });
			for (let round = 0; round < 3; round++) {
				expect(await server.activate()).toBeNull();
				await expect(server.poll()).rejects.toThrow(/could not process/);
			}
			sandbox.current.controls.clearFaults();
		});

		it('fails if a person must correct something', async () => {
			const server = new TriggerServer(sandbox.current);
			sandbox.current.controls.addFaults({ kind: 'status', status: 401, share: 1 });
			await expect(server.activate()).rejects.toThrow(/access token/);
			sandbox.current.controls.clearFaults();
		});

		it('with the durable scheduler, to which each poll looks like one, fails at the third time', async () => {
			const server = new TriggerServer(sandbox.current, { isDurable: true });
			sandbox.current.controls.addFaults({ kind: 'status', status: 503, share: 1 });
			expect(await server.activate()).toBeNull();
			expect(await server.poll()).toBeNull();
			await expect(server.poll()).rejects.toThrow(/could not process/);
			sandbox.current.controls.clearFaults();
		});

		it('remembers an empty list too', async () => {
			for (const id of [1, 2, 3]) await dismiss(id);
			const server = await activated();
			const ids = raise(2);
			server.restart();
			expect(idsOfItems(await server.activate())).toEqual(ids);
		});
	});

	describe('output', () => {
		it('is the alert as Supercast sends it, with the subscriber to act on', async () => {
			const server = await activated();
			const [id] = raise(1);
			const [item] = (await server.poll()) ?? [];
			const { subscriber_uuid: uuid } = sandbox.current.state.usageAlerts.at(-1)!;
			const { email } = sandbox.current.state.subscriber(uuid)!;
			expect(item).toMatchObject({ id, subscriber: { uuid, email } });
		});

		it.each([
			['simplified', {}, ['customer_id', 'feed_urls']],
			['whole', { simplify: false }, ['plan_price_cents', 'subscriptions']],
		])('is a %s subscriber with an id', async (_, parameters, fields) => {
			const server = await activated({ parameters: { event: 'subscriberCreated', ...parameters } });
			sandbox.current.controls.addRecords('subscribers', 1);
			const [item] = (await server.poll()) ?? [];
			const { uuid, id } = sandbox.current.state.subscribers.at(-1)!;
			expect(item).toMatchObject({ id: expect.anything(), uuid });
			expect([uuid, id]).toContain(item?.id);
			expect(Object.keys(item ?? {})).toEqual(expect.arrayContaining(fields));
		});

		it('has the oldest alert first, whatever the order of the list', async () => {
			for (const order of ['newest', 'oldest'] as const) {
				sandbox.current.controls.changeSettings({ order });
				const server = await activated();
				const ids = raise(3);
				expect(idsOfItems(await server.poll())).toEqual(ids);
			}
			sandbox.current.controls.changeSettings({ order: 'oldest' });
		});
	});

	describe('a poll that fails', () => {
		beforeEach(() => sandbox.current.controls.changeSettings({ perPageMax: 2 }));
		afterEach(() => sandbox.current.controls.changeSettings({ perPageMax: 100 }));

		it.each([0, 1, 2])('changes no state when %i pages were read before', async (skip) => {
			const server = await activated();
			const ids = raise(2);
			const { saved } = server;
			sandbox.current.controls.addFaults({ kind: 'status', status: 500, skip });
			await expect(server.poll()).rejects.toThrow(/could not process/);
			expect(server.saved).toBe(saved);
			expect(idsOfItems(await server.poll())).toEqual(ids);
		});

		it.each([401, 403, 429])('reports %i, so that n8n backs off', async (status) => {
			const server = await activated();
			const ids = raise(1);
			sandbox.current.controls.addFaults({ kind: 'status', status, share: 1, retryAfter: '60' });
			await expect(server.poll()).rejects.toMatchObject({
				name: 'NodeApiError',
				httpCode: String(status),
				// The trigger has no such options.
				description: expect.not.stringContaining('Max Wait'),
			});
			sandbox.current.controls.clearFaults();
			expect(idsOfItems(await server.poll())).toEqual(ids);
		});

		it('stops when its time is over', async () => {
			const server = await activated();
			const ids = raise(1);
			sandbox.current.controls.addFaults({ kind: 'stall' });
			server.allow(400);
			await expect(server.poll()).rejects.toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining('in the time that n8n allows for a poll'),
			});
			server.allow(null);
			sandbox.current.controls.clearFaults();
			expect(idsOfItems(await server.poll())).toEqual(ids);
		});

		it('does not end the polls after it, even if it could not begin', async () => {
			const server = await activated();
			const ids = raise(1);
			server.restart({ budgetMs: Number.NaN });
			await expect(server.poll()).rejects.toThrow();
			Object.assign(server['options'], { budgetMs: null });
			expect(idsOfItems(await server.poll())).toEqual(ids);
		});

		it('continues in the next poll when its time was over', async () => {
			const server = await activated();
			const ids = raise(4);
			server.allow(500);
			sandbox.current.controls.addFaults({ kind: 'stall', skip: 2 });
			// The first page and the last one.
			expect(idsOfItems(await server.poll())).toEqual([7]);
			const before = sandbox.current.stats().requests;
			expect(idsOfItems(await server.poll())).toEqual(ids.slice(0, 3));
			expect(sandbox.current.stats().requests - before).toBe(2);
			expect(await server.poll()).toBeNull();
		});

		it('does not wait longer for its turn than it has time', async () => {
			const server = await activated({ requestsPerMinute: 2, credentialId: 'paced' });
			server.allow(200);
			await expect(server.poll()).rejects.toThrow(/in the time that n8n allows for a poll/);
		});
	});

	it('a test in the editor does not touch the memory', async () => {
		const server = await activated();
		const ids = raise(2);
		const { saved } = server;
		expect(await server.test()).toHaveLength(1);
		expect(server.saved).toBe(saved);
		expect(idsOfItems(await server.poll())).toEqual(ids);
	});

	describe('a trigger with OAuth2', () => {
		it.each([
			['authorization code', connected, 'refresh_token'],
			['client credentials', clientCredentials, 'client_credentials'],
		])('continues when a token of the %s has expired', async (_, connect, grant) => {
			const server = await activated({ oAuth2: await connect(sandbox.current) });
			const { issued: before } = structuredClone(sandbox.current.state.oauth);
			for (let round = 1; round <= 3; round++) {
				const ids = raise(2);
				sandbox.current.controls.expireTokens();
				expect(idsOfItems(await server.poll())).toEqual(ids);
				const { issued, refreshReuse } = sandbox.current.state.oauth;
				expect(issued[grant]).toBe((before[grant] ?? 0) + round);
				expect(refreshReuse).toBe(0);
			}
		});

		it('reports that the owner has ended the connection, changes no state, and continues later', async () => {
			const server = await activated({ oAuth2: await connected(sandbox.current) });
			const { saved } = server;
			const ids = raise(1);
			sandbox.current.controls.revokeTokens('oauth');
			await expect(server.poll()).rejects.toMatchObject({
				httpCode: '401',
				message: expect.stringContaining('Supercast connection is no longer valid'),
			});
			expect(server.saved).toBe(saved);
			server.restart({ oAuth2: await connected(sandbox.current) });
			expect(idsOfItems(await server.poll())).toEqual(ids);
		});
	});
});

describe('the first fetch', () => {
	const WINDOW = 10_000;
	const clock = fastClock(5);
	const sandbox = useSandbox({
		usageAlerts: 3,
		rateLimit: 5,
		rateWindowMs: WINDOW,
		now: () => clock.date(),
	});
	// The sandbox has this short window. Other waits keep their proportion to it.
	useQuickRuntime({ windowMs: WINDOW, clock });

	/** Another app uses all requests of this window. */
	async function useUpLimit(): Promise<void> {
		const { baseUrl, accessToken } = sandbox.current;
		const headers = { authorization: `Bearer ${accessToken}` };
		const ask = async (): Promise<number> =>
			(await fetch(`${baseUrl}/channel`, { headers })).status;
		while ((await ask()) === 200);
	}

	const refusals = (): number => sandbox.current.stats().byStatus['429'] ?? 0;

	let credential = 0;
	function server(budgetMs?: number): TriggerServer {
		const credentialId = `limited ${credential++}`;
		return new TriggerServer(sandbox.current, { budgetMs, credentialId, requestsPerMinute: 100 });
	}

	it('waits for Supercast when n8n publishes the workflow again', async () => {
		const trigger = server();
		await trigger.activate();
		await useUpLimit();
		trigger.restart();
		expect(await trigger.activate()).toBeNull();
	});

	it('waits only once: later polls leave it to n8n to poll less often', async () => {
		const trigger = server();
		await trigger.activate();
		sandbox.current.controls.addFaults({ kind: 'status', status: 429, share: 1, retryAfter: '60' });
		await expect(trigger.poll()).rejects.toMatchObject({
			httpCode: '429',
			message: expect.not.stringContaining('Try again'),
		});
		expect(refusals()).toBeLessThanOrEqual(2);
	});
});
