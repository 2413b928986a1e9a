/** Very many requests at the same time, and requests that never get a response. */

import { setTimeout as sleep } from 'node:timers/promises';

import { deleteRows, flags, measure, shortest, withWarmUp } from './limited';
import { runAlone, startService, Worker } from './processes';
import { deletion, LIMIT, opening, scale } from './runs';
import { atMost, exactly, median, shown, type Row } from './table';

/** 5,000 executions of one item at the same time. 20 requests are refused although there is room. */
export async function executionBurst(): Promise<Row[]> {
	const items = 5000;
	const service = await startService(flags(items));
	// If one fault hits a request, the others do not count it. So refusals do not come in pairs.
	const strays = Array.from({ length: 20 }, (_, n) => ({
		kind: 'status',
		status: 429,
		skip: 120 + n * 240,
	}));
	const outcome = await measure(
		service,
		(emails) => ({ kind: 'burst', run: deletion(service, emails), scale }),
		strays,
	);
	service.stop();
	return [
		...deleteRows(outcome, { items, goal: 1.03 }),
		exactly('executions that succeeded', outcome.count, items),
	];
}

/** 240 executions that each open the feed of one new person, beside 2,000 subscribers. */
export async function newPeople(): Promise<Row[]> {
	const subscribers = 2000;
	const people = 240;
	const service = await startService(flags(subscribers));
	const emails = Array.from({ length: people }, (_, n) => `new-${n}@example.com`);
	const outcome = await measure(service, () => ({
		kind: 'burst',
		run: opening(service, emails),
		scale,
	}));
	const { requests } = await service.stats();
	const created = (await service.emails()).length - subscribers;
	service.stop();
	const { count, endedMs = [], ms, refused } = outcome;
	const middle = median(endedMs.slice(0, people / 2));
	return [
		atMost('elapsed / shortest possible', ms / shortest(requests - refused), 1.05),
		atMost(
			`median delay of the first ${people / 2} executions / elapsed`,
			(100 * middle) / ms,
			30,
			'%',
		),
		atMost('requests for one new person', requests / people, 2.2),
		exactly('executions that succeeded', count, people),
		exactly('subscribers created', created, people),
	];
}

/** 100,000 requests that wait for one limiter, from as many executions as n8n would use for them. */
export async function manyWaiters(): Promise<Row[]> {
	const count = 100_000;
	const job = { kind: 'waiters', count, clients: count / 32, limit: LIMIT, windowMs: 10 } as const;
	const { cpuMs = 0, leftBytes = 0, peakHeapBytes } = await runAlone(job);
	return [
		atMost('CPU per request, in microseconds', (1000 * cpuMs) / count, 20),
		atMost('heap in use afterwards', leftBytes / 1e6, 1, ' MB'),
		shown('heap in use while the requests wait', `${(peakHeapBytes / 1e6).toFixed(0)} MB`),
	];
}

/**
 * Healthy items beside some that never get a response, with the real minute and the real timeout of
 * a minute. Hanging requests are sent repeatedly, and count toward the limit each time.
 */
async function besideHanging(hanging: number): Promise<Row> {
	const healthy = 300;
	const service = await startService({
		'rate-limit': LIMIT,
		'latency-ms': 5,
		subscribers: healthy,
		'log-size': 0,
	});
	await service.arm([{ kind: 'stall', path: '/subscribers/hanging', share: 1, stallMs: 600_000 }]);
	const emails = await service.emails();
	const never = Array.from({ length: hanging }, (_, n) => `hanging-${n}@example.com`);
	const worker = new Worker();
	await withWarmUp(async (warmUp) => {
		for (const job of warmUp) await worker.run(job);
	});
	const start = performance.now();
	// This run ends when Max Wait is over. The benchmark does not wait for the end.
	void worker.run({ kind: 'run', run: deletion(service, [...never, ...emails]) }).catch(() => 0);
	while ((await service.emails()).length > 0) await sleep(200);
	const ms = performance.now() - start;
	const { requests, byStatus } = await service.stats();
	worker.stop();
	service.stop();
	const refused = byStatus['429'] ?? 0;
	const ratio = ms / shortest(requests - refused, 60_000);
	const what = `${hanging} of 32 requests hang (elapsed / shortest possible for ${requests} requests)`;
	return atMost(what, ratio, 1.05);
}

/** 15 to 31 of the 32 requests hang. */
export async function hangingAnswers(): Promise<Row[]> {
	return await Promise.all([15, 24, 31].map(besideHanging));
}
