/** Many deletes under the limit: how fast, what is lost, what is refused. */

import type { INodeParameters } from 'n8n-workflow';

import type { Job, JobResult, RunJob } from './jobs';
import { runAlone, startService, Worker, type BenchService } from './processes';
import { deletion, httpDeletion, httpReading, LIMIT, reading, scale, WINDOW_MS } from './runs';
import { atLeast, atMost, exactly, shown, type Row } from './table';

const ITEMS = 1000;

interface Outcome extends JobResult {
	lost: number;
	refused: number;
}

/** Makes a process warm that is to run both nodes: reads of a service that nobody measures. */
async function withWarmUp<T>(work: (warmUp: Job[]) => Promise<T>): Promise<T> {
	const service = await startService({ 'rate-limit': 0, subscribers: 50 });
	const emails = await service.emails();
	try {
		return await work([
			{ kind: 'run', run: reading(service, emails) },
			{ kind: 'run', run: httpReading(service, emails) },
		]);
	} finally {
		service.stop();
	}
}

async function measure(
	service: BenchService,
	makeJob: (emails: string[]) => Job,
): Promise<Outcome> {
	await service.reset();
	const job = makeJob(await service.emails());
	const result = await withWarmUp(async (warmUp) => await runAlone(job, warmUp));
	return { ...result, ...(await afterwards(service)) };
}

async function afterwards(service: BenchService): Promise<{ lost: number; refused: number }> {
	const refused = (await service.byStatus())['429'] ?? 0;
	return { lost: (await service.emails()).length, refused };
}

function flags(latencyMs: number, subscribers: number): Record<string, number | string> {
	return {
		'rate-limit': LIMIT,
		'rate-window-ms': WINDOW_MS,
		'latency-ms': latencyMs,
		// Whole seconds would be half of the scaled window.
		'retry-after': 'absent',
		subscribers,
		'log-size': 0,
	};
}

const shortest = (items: number, windowMs: number): number =>
	(Math.ceil(items / LIMIT) - 1) * windowMs;

function seconds({ ms, lost, refused }: Outcome): string {
	return `${(ms / 1000).toFixed(1)} s, ${lost} lost, ${refused} refused`;
}

/** The shortest interval between batches of 100, in windows, at which HTTP Request loses nothing. */
async function losslessBatching(service: BenchService): Promise<string> {
	for (const factor of [1.02, 1.1]) {
		const batchInterval = Math.round(factor * WINDOW_MS);
		const batching: INodeParameters = { batch: { batchSize: LIMIT, batchInterval } };
		const outcome = await measure(service, (emails) => ({
			kind: 'run',
			run: httpDeletion(service, emails, { batching }),
		}));
		if (outcome.lost === 0) {
			const ratio = outcome.ms / shortest(ITEMS, WINDOW_MS);
			return `${seconds(outcome)} (100 every ${factor} windows; ratio ${ratio.toFixed(3)})`;
		}
	}
	return 'none found';
}

/**
 * 1,000 deletes, ours and HTTP Request's.
 *
 * @param latencyMs How long the service takes, scaled.
 */
export async function manyDeletes(latencyMs: number): Promise<Row[]> {
	const service = await startService(flags(latencyMs, ITEMS));
	const ours = await measure(service, (emails) => ({
		kind: 'run',
		run: deletion(service, emails),
		scale,
	}));
	const plain = await measure(service, (emails) => ({
		kind: 'run',
		run: httpDeletion(service, emails),
	}));
	// The longest that n8n allows: five tries, five seconds apart, scaled like everything else.
	const waitBetweenTries = Math.round((5000 * WINDOW_MS) / 60_000);
	const settings = { retryOnFail: true, maxTries: 5, waitBetweenTries };
	const retried = await measure(service, (emails) => ({
		kind: 'run',
		run: httpDeletion(service, emails, {}, settings),
	}));
	const batched = await losslessBatching(service);
	service.stop();
	return [
		atMost('elapsed / shortest possible', ours.ms / shortest(ITEMS, WINDOW_MS), 1.05),
		exactly('lost', ours.lost, 0),
		atMost('refused', (100 * ours.refused) / (ITEMS + ours.refused), 1, ' %'),
		shown('HTTP Request, as it comes', seconds(plain)),
		shown('HTTP Request, Retry On Fail (5 tries)', seconds(retried)),
		shown('HTTP Request, best lossless batching', batched),
	];
}

/** 300 deletes under the real minute, with everything as it is in production. */
export async function realMinute(): Promise<Row[]> {
	const service = await startService({ 'rate-limit': LIMIT, 'latency-ms': 5, subscribers: 300 });
	const { ms, lost, refused } = await measure(service, (emails) => ({
		kind: 'run',
		run: deletion(service, emails),
	}));
	service.stop();
	return [
		atMost('elapsed / shortest possible (120 s)', ms / shortest(300, 60_000), 1.05),
		exactly('lost', lost, 0),
		atMost('refused', (100 * refused) / (300 + refused), 1, ' %'),
	];
}

/** Four processes that do not know of each other, one limit. */
export async function fourProcesses(): Promise<Row[]> {
	const each = 500;
	const service = await startService(flags(0, 4 * each));
	const emails = await service.emails();
	const workers = [0, 1, 2, 3].map(() => new Worker());
	await withWarmUp(async (warmUp) => {
		for (const worker of workers) for (const job of warmUp) await worker.run(job);
	});
	const startAt = Date.now() + 500;
	const jobs = workers.map((_, n): RunJob => {
		const run = deletion(service, emails.slice(n * each, (n + 1) * each));
		return { kind: 'run', run, scale, startAt };
	});
	const results = await Promise.all(workers.map(async (worker, n) => await worker.run(jobs[n]!)));
	for (const worker of workers) worker.stop();
	const { lost, refused } = await afterwards(service);
	service.stop();
	const windows = Math.max(...results.map(({ ms }) => ms)) / WINDOW_MS;
	return [
		atLeast('rate reached / limit', (4 * each) / windows / LIMIT, 0.9),
		exactly('lost', lost, 0),
		atMost('refused', (100 * refused) / (4 * each + refused), 5, ' %'),
	];
}

/** One delete that comes while 1,000 others wait. */
export async function urgentDelete(): Promise<Row[]> {
	const service = await startService(flags(0, ITEMS + 5));
	const emails = await service.emails();
	const job: Job = {
		kind: 'urgent',
		batch: deletion(service, emails.slice(5)),
		urgent: emails.slice(0, 5).map((email) => deletion(service, [email])),
		everyMs: 700,
		scale,
	};
	const result = await withWarmUp(async (warmUp) => await runAlone(job, warmUp));
	const { lost } = await afterwards(service);
	service.stop();
	const longest = Math.max(...result.urgentMs) / WINDOW_MS;
	return [
		atMost('longest delay of five, in windows', longest, 1),
		exactly('lost, of all', lost, 0),
	];
}
