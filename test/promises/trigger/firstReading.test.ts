import { fastClock, useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';
import { idsOf, raiseAlertsIn, TriggerServer } from '../../support/triggerServer';

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
	const ask = async (): Promise<number> => (await fetch(`${baseUrl}/channel`, { headers })).status;
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
