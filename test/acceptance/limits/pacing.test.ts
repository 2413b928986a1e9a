import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ServerResponse } from 'node:http';

import { type RunOptions, type RunResult, runSupercast } from '../../harness/engine';
import { TestCredentialsHelper } from '../../harness/engine/credentialsHelper';
import { createSandbox, type FaultSpec, type Sandbox } from '../../../simulators/supercast';
import { hasFailureCauses } from '../../support/host';
import { startHttpServer } from '../../support/httpServer';
import {
	clientOf,
	everySequence,
	freshClock,
	runItem,
	useVirtualClock,
} from '../../support/quarrel';
import { type Habits, QuirkySupercast, type Quirk } from '../../doubles/quirkySupercast';
import { fastClock, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

describe('pacing', () => {
	const WINDOW = 3_000;
	const LIMIT = 20;

	// Supercast's minute is scaled, and time passes faster. The node and the sandbox share a clock.
	const clock = fastClock(10);
	const sandbox = useSandbox({
		rateLimit: LIMIT,
		rateWindowMs: WINDOW,
		retryAfter: 'absent',
		subscribers: 200,
		now: () => clock.date(),
	});
	useQuickRuntime({ windowMs: WINDOW, backoffMs: 100, clock });

	// Each test has its own credential ID, by which rate limiters keep what they learned.
	let test = 0;
	beforeEach(() => {
		test++;
	});

	function credential(): TestCredentialsHelper {
		const data = { ...credentialOf(sandbox.current), requestsPerMinute: LIMIT };
		return new TestCredentialsHelper(data, `test ${test}`);
	}

	function itemsOf({ state }: Sandbox, count: number, from = 0): IDataObject[] {
		return state.subscribers.slice(from, from + count).map(({ email }) => ({ email }));
	}

	function deletion(items: IDataObject[], options: INodeParameters = {}): RunOptions {
		const subscriber = { __rl: true, mode: 'email', value: '={{ $json.email }}' };
		return {
			parameters: {
				resource: 'subscriber',
				operation: 'delete',
				subscriber,
				options,
			},
			credential: credential(),
			items,
		};
	}

	async function timed(options: RunOptions): Promise<RunResult & { ms: number }> {
		const start = clock.now();
		const result = await runSupercast(options);
		return { ...result, ms: clock.now() - start };
	}

	describe('a batch above the limit', () => {
		// `npm run bench` measures how close it comes to the limit, and how much is refused.
		it('loses nothing, keeps its order, and stays within the limit', async () => {
			const items = itemsOf(sandbox.current, 100);
			const { output, ms } = await timed(deletion(items));
			expect(output.map(({ json, pairedItem }) => [json.email, pairedItem])).toEqual(
				items.map(({ email }, item) => [email, { item }]),
			);
			expect(sandbox.current.state.subscribers).toHaveLength(100);
			expect(ms).toBeGreaterThan(4 * WINDOW * 0.95);
		});

		it('does not hold up another execution that has one item', async () => {
			const batch = runSupercast(deletion(itemsOf(sandbox.current, 100)));
			await clock.sleep(1.5 * WINDOW);
			const urgent = itemsOf(sandbox.current, 1, 150);
			expect((await runSupercast(deletion(urgent))).output).toHaveLength(1);
			const left = sandbox.current.state.subscribers.length - 100;
			expect(left).toBeGreaterThan(LIMIT);
			expect((await batch).output).toHaveLength(100);
		});

		it('finishes even if other apps use up the limit', async () => {
			const { controls, stats } = sandbox.current;
			const refused = (): number => stats().byRoute['DELETE /subscribers/:id']?.['429'] ?? 0;
			let isOver = false;
			// They leave one request, until Supercast refuses one of the deletes.
			controls.changeSettings({ rateLimit: 1 });
			const others = async (): Promise<void> => {
				while (!isOver && refused() === 0) await new Promise((resolve) => setImmediate(resolve));
				controls.changeSettings({ rateLimit: LIMIT });
			};
			const run = timed(deletion(itemsOf(sandbox.current, 30))).finally(() => (isOver = true));
			const [{ output }] = await Promise.all([run, others()]);
			expect(output).toHaveLength(30);
			expect(refused()).toBeGreaterThan(0);
		});
	});

	describe('a refusal', () => {
		const past = 'Sat, 01 Jan 2000 00:00:00 GMT';
		it.each([
			['seconds', '1'],
			['a date', 'date'],
			['nothing', null],
			['a date in the past', past],
			['a day', '86400'],
			['rubbish', 'soon'],
		])('with %s in Retry-After loses nothing', async (_, retryAfter) => {
			const { current } = sandbox;
			current.controls.addFaults({ kind: 'status', status: 429, times: 2, retryAfter });
			const { output, ms } = await timed(deletion(itemsOf(current, 5)));
			expect(output).toHaveLength(5);
			if (retryAfter === '1') expect(ms).toBeGreaterThan(900);
		});

		it('that lasts longer than Max Wait fails the item, with advice and n8n’s own cause', async () => {
			const { current } = sandbox;
			const refused: FaultSpec = { kind: 'status', status: 429, share: 1, retryAfter: '5' };
			current.controls.addFaults(refused);
			const items = itemsOf(current, 2);
			const { error } = await runSupercast(deletion(items, { maxWaitSeconds: 12 }));
			expect(error?.message).toContain('request limit was reached');
			expect(error?.description).toMatch(
				/tried \d+ times in \d+ seconds\. To change how long the node tries, set the option 'Max Wait \(Seconds\)'/,
			);
			expect(error).toMatchObject({ httpCode: '429' });
			if (hasFailureCauses()) {
				expect(error).toMatchObject({ failure: { cause: 'rate-limited', retryAfterMs: 5_000 } });
			}
			expect(current.state.subscribers).toHaveLength(200);
		});
	});

	describe('several items at a time', () => {
		it('never exceed Parallel Requests of the first item', async () => {
			const waiting: ServerResponse[] = [];
			let most = 0;
			// Nobody gets a response before four requests wait, however busy the machine is.
			const server = await startHttpServer((_, response) => {
				most = Math.max(most, waiting.push(response));
				if (waiting.length < 4) return;
				setTimeout(() => waiting.splice(0).forEach((one) => one.writeHead(204).end()), 20);
			});
			const { error } = await runSupercast({
				...deletion(itemsOf(sandbox.current, 12), {
					parallelRequests: '={{ $itemIndex === 0 ? 4 : 9 }}',
				}),
				credential: { accessToken: 'any', baseUrl: server.origin, requestsPerMinute: 0 },
			});
			await server.close();
			expect([error, most]).toEqual([undefined, 4]);
		});

		it('end with the first failure in the order of the input, and no new ones begin', async () => {
			const good = itemsOf(sandbox.current, 15);
			const items = [
				good[0]!,
				{ email: 'nobody@example.com' },
				{ email: 'x@y.z' },
				...good.slice(1),
			];
			const { error, output } = await timed(deletion(items, { parallelRequests: 3 }));
			expect(output).toEqual([]);
			expect(error?.message).toContain('no subscriber "nobody@example.com" [item 1,');
			expect(error?.description).toMatch(/(1|2) of the other 16 items (was|were) completed\.$/);
			expect(sandbox.current.stats().requests).toBeLessThanOrEqual(4);
		});

		it('all continue with Continue on Fail', async () => {
			const good = itemsOf(sandbox.current, 15);
			const items = [good[0]!, { email: 'x' }, ...good.slice(1)];
			const { output } = await timed({ ...deletion(items), onError: 'continueRegularOutput' });
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
				items.map((_, item) => ({ item })),
			);
			expect(output[1]!.json.error).toContain('not an email address');
			expect(sandbox.current.state.subscribers).toHaveLength(185);
		});
	});

	describe('stopping the execution', () => {
		// Otherwise, each of these would take longer than a test may.
		it.each([
			['waits for its turn', {}],
			['waits for the limit', { kind: 'status', status: 429, share: 1, retryAfter: '600' }],
			['waits before a repeat', { kind: 'status', status: 503, share: 1, retryAfter: '600' }],
			['waits for an answer', { kind: 'stall', share: 1 }],
		])('ends it with little computing while it %s', async (_, fault) => {
			if ('kind' in fault) sandbox.current.controls.addFaults(fault as FaultSpec);
			let stopped: NodeJS.CpuUsage | undefined;
			// So many that telling each one to stop would take too long.
			const items = Array.from({ length: 20_000 }, (_, n) => ({ email: `${n}@example.com` }));
			const options = deletion([...itemsOf(sandbox.current, 200), ...items]);
			const run = runSupercast({
				...options,
				onError: 'continueRegularOutput',
				onStart: (stop) => {
					setTimeout(() => {
						stopped = process.cpuUsage();
						stop();
					}, 200);
				},
			});
			const { status } = (await run).run;
			expect(process.cpuUsage(stopped).user).toBeLessThan(1_000_000);
			expect(status).toBe('canceled');
			// Requests in flight may still arrive, and none after them.
			await new Promise((resolve) => setTimeout(resolve, 50));
			const { requests } = sandbox.current.stats();
			await clock.sleep(WINDOW);
			expect(sandbox.current.stats().requests).toBe(requests);
		});
	});

	describe('a server that is down', () => {
		it('gets retries until it is back', async () => {
			const first = await createSandbox({ rateLimit: 0, subscribers: 5 });
			const port = Number(new URL(first.origin).port);
			const options = deletion(itemsOf(first, 5));
			const running = { ...options, credential: credentialOf(first) };
			await first.close();
			const run = runSupercast(running);
			await new Promise((resolve) => setTimeout(resolve, 200));
			const second = await createSandbox({ rateLimit: 0, subscribers: 5, port });
			expect((await run).output).toHaveLength(5);
			expect(second.state.subscribers).toHaveLength(0);
			await second.close();
		});
	});
});

describe('a burst', () => {
	useVirtualClock();

	const HABITS: Habits = {
		onExistingEmail: 'duplicate',
		visibleMs: 0,
		changesShow: 'record',
		honoursKeys: false,
	};

	/** Executions of one item each, more than fit into the ten minutes of Max Wait. */
	const bursts = fc.record({
		executions: fc.integer({ min: 12, max: 24 }),
		refused: fc.uniqueArray(fc.nat({ max: 28 }), { maxLength: 6 }),
		requestsPerMinute: fc.integer({ min: 1, max: 2 }),
	});

	it('requests that the limit refuses in a burst are done later, and once', async () => {
		await everySequence(bursts, async ({ executions, refused, requestsPerMinute }) => {
			const clock = freshClock();
			const quirks = Array.from({ length: 29 }, (_, n): Quirk => ({
				kind: refused.includes(n) ? 'refused' : 'none',
			}));
			const service = new QuirkySupercast(clock, quirks, HABITS);
			const emails = Array.from({ length: executions }, (_, n) => `member.${n}@example.com`);
			const runs = emails.map(async (email) => {
				const client = await clientOf(service, { requestsPerMinute });
				return await runItem(client, 'create', email);
			});
			await clock.run(Promise.all(runs));
			expect(service.subscribers.map(({ email }) => email).sort()).toEqual([...emails].sort());
			await clock.pass(600_000);
		});
	});
});
