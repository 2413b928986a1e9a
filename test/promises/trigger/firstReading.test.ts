import { fastClock, useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';
import { TriggerServer, idsOf, raiseAlertsIn } from '../../support/triggerServer';
import type { Sandbox } from '../../../sandbox';
import { addMembers } from '../../support/members';
import {
	type Twist,
	startDifferentService,
	withRecords,
	withRequests,
} from '../../support/days/proxy';

describe('the first reading', () => {
	const WINDOW = 10_000;
	const clock = fastClock(20);
	const sandbox = useSandbox({
		usageAlerts: 3,
		rateLimit: 5,
		rateWindowMs: WINDOW,
		now: () => clock.date(),
	});
	// Supercast's window is as short as this. The others keep their proportion to it.
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

	it('waits when Supercast refuses it, so that n8n publishes the workflow', async () => {
		await useUpLimit();
		const trigger = server();
		expect(await trigger.activate()).toBeNull();
		expect(refusals()).toBeGreaterThan(1);
		await clock.sleep(WINDOW);
		const ids = raiseAlertsIn(sandbox.current, 1);
		expect(idsOf(await trigger.poll())).toEqual(ids);
	});

	it('waits for Supercast when n8n publishes the workflow again', async () => {
		const trigger = server();
		await trigger.activate();
		await useUpLimit();
		trigger.restart();
		expect(await trigger.activate()).toBeNull();
	});

	it('fails after a window, and says to try again', async () => {
		sandbox.current.controls.addFaults({ kind: 'status', status: 429, share: 1 });
		const started = clock.now();
		await expect(server().activate()).rejects.toMatchObject({
			httpCode: '429',
			message: expect.stringMatching(/Try again in a minute$/),
		});
		expect(clock.now() - started).toBeGreaterThan(WINDOW);
	});

	it('waits for no window that is longer than the time of the poll', async () => {
		sandbox.current.controls.addFaults({ kind: 'status', status: 429, share: 1 });
		await expect(server(WINDOW).activate()).rejects.toMatchObject({ httpCode: '429' });
		expect(refusals()).toBeLessThanOrEqual(2);
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

describe('a list that differs', () => {
	/** Runs a test against a service with a difference. */
	async function inService(twist: Twist, test: (sandbox: Sandbox) => Promise<void>): Promise<void> {
		const { sandbox, close } = await startDifferentService({}, twist);
		try {
			await test(sandbox);
		} finally {
			await close();
		}
	}

	const fromZero = withRequests((asked) => {
		const page = Number(asked.query.get('page')) + 1;
		return { ...asked, query: new URLSearchParams({ page: String(page), per_page: '100' }) };
	});

	const withoutStates = withRecords((row) => ({ ...row, state: undefined }));

	it.each(['subscriberCreated', 'subscriberStateChanged', 'subscriberDeleted'])(
		'%s stops with a sentence if Supercast lists nobody, but says that there are some',
		async (event) => {
			await inService(fromZero, async (sandbox) => {
				addMembers(sandbox, 20);
				const server = new TriggerServer(sandbox, { parameters: { event } });
				await expect(server.activate()).rejects.toThrow(/lists no subscribers, but .* total of 20/);
			});
		},
	);

	it('a change of state stops with a sentence if Supercast shows no states', async () => {
		await inService(withoutStates, async (sandbox) => {
			addMembers(sandbox, 20);
			const parameters = { event: 'subscriberStateChanged' };
			const server = new TriggerServer(sandbox, { parameters });
			await expect(server.activate()).rejects.toThrow('no field "state"');
		});
	});

	it('an empty channel is ordinary, and so are a few withRecords without a state', async () => {
		await inService(withoutStates, async (sandbox) => {
			const server = new TriggerServer(sandbox, {
				parameters: { event: 'subscriberStateChanged' },
			});
			await server.activate();
			addMembers(sandbox, 4);
			expect(await server.poll()).toBeNull();
		});
	});
});
