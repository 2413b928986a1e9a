/** A process that runs nodes on n8n's engine, one job at a time, as its parent orders. */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';

import { runtime } from '../../nodes/Supercast/api/clock';
import { runNode, type Ended, type NodeRun } from './nodes';
import type { FetchJob, Job, JobResult, RunJob, Scale, BurstJob, UrgentJob } from './jobs';
import { peer } from './peers';
import { waiters } from './waiters';

const SAMPLE_MS = 20;

/** Watches the heap and the event loop while something runs. */
async function watched<T>(
	work: () => Promise<T>,
): Promise<T & { peakHeapBytes: number; blockedMs: number }> {
	globalThis.gc?.();
	const before = getHeapStatistics().used_heap_size;
	let peak = before;
	let blockedMs = 0;
	let last = performance.now();
	const look = (): void => {
		peak = Math.max(peak, getHeapStatistics().used_heap_size);
		blockedMs = Math.max(blockedMs, performance.now() - last - SAMPLE_MS);
		last = performance.now();
	};
	const timer = setInterval(look, SAMPLE_MS);
	const result = await work();
	look();
	clearInterval(timer);
	return { ...result, peakHeapBytes: peak - before, blockedMs };
}

function useScale(scale: Scale | undefined): void {
	if (scale !== undefined) Object.assign(runtime, scale);
}

function jsonBytes(records: unknown[]): number {
	return records.reduce<number>(
		(sum, record) => sum + Buffer.byteLength(JSON.stringify(record)) + 1,
		1,
	);
}

async function run(job: RunJob): Promise<JobResult> {
	useScale(job.scale);
	if (job.startAt !== undefined) await sleep(job.startAt - Date.now());
	const { ms, output, error, ...seen } = await watched(async () => await runNode(job.run));
	const done = output.filter(({ json }) => json.error === undefined);
	return {
		ms,
		count: done.length,
		jsonBytes: jsonBytes(done.map(({ json }) => json)),
		...seen,
		urgentMs: [],
		...(error === undefined ? {} : { error }),
	};
}

async function urgent(job: UrgentJob): Promise<JobResult> {
	useScale(job.scale);
	const batch = job.isBurst === true ? await launch(job.batch) : [runNode(job.batch)];
	const urgentMs: number[] = [];
	for (const run of job.urgent) {
		await sleep(job.everyMs);
		const { ms, output } = await runNode(run);
		if (output.length === 1) urgentMs.push(ms);
	}
	const ended = await Promise.all(batch);
	const ms = Math.max(...ended.map((one) => one.ms));
	const count = ended.reduce((sum, { output }) => sum + output.length, 0);
	return { ms, count, jsonBytes: 0, peakHeapBytes: 0, urgentMs };
}

async function readPages({ url, token, perPage }: FetchJob): Promise<unknown[]> {
	const headers = { authorization: `Bearer ${token}` };
	const records: unknown[] = [];
	for (let page = 1; ; page++) {
		const response = await fetch(`${url}?page=${page}&per_page=${perPage}`, { headers });
		records.push(...((await response.json()) as unknown[]));
		if (page * perPage >= Number(response.headers.get('x-total'))) return records;
	}
}

async function bareFetch(job: FetchJob): Promise<JobResult> {
	const { ms, records, peakHeapBytes } = await watched(async () => {
		const start = performance.now();
		const read = await readPages(job);
		return { ms: performance.now() - start, records: read };
	});
	const size = jsonBytes(records);
	return { ms, count: records.length, jsonBytes: size, peakHeapBytes, urgentMs: [] };
}

/**
 * Starts a separate execution for each item.
 *
 * @param onEnd Receives the index of each execution at its end.
 */
async function launch(
	all: NodeRun,
	onEnd: (index: number) => void = () => undefined,
): Promise<Array<Promise<Ended>>> {
	const executions: Array<Promise<Ended>> = [];
	for (const [index, item] of all.items.entries()) {
		const execution = runNode({ ...all, items: [item] });
		executions.push(execution.finally(() => onEnd(index)));
		// Calls of a webhook arrive like this: each in a separate turn of the event loop.
		await nextTurn();
	}
	return executions;
}

async function burst({ run: all, scale }: BurstJob): Promise<JobResult> {
	useScale(scale);
	const start = performance.now();
	const endedMs: number[] = [];
	const launched = await launch(all, (index) => {
		endedMs[index] = performance.now() - start;
	});
	const ended = await Promise.all(launched);
	const ms = performance.now() - start;
	const count = ended.filter(({ error, output }) => error === undefined && output.length === 1);
	return { ms, count: count.length, jsonBytes: 0, peakHeapBytes: 0, urgentMs: [], endedMs };
}

async function work(job: Job): Promise<JobResult> {
	switch (job.kind) {
		case 'run':
			return await run(job);
		case 'urgent':
			return await urgent(job);
		case 'burst':
			return await burst(job);
		case 'peer':
			return await peer(job);
		case 'waiters':
			return await waiters(job);
		case 'fetch':
			return await bareFetch(job);
	}
}

process.on('message', (job: Job) => {
	void work(job).then(
		(result) => process.send?.({ result }),
		(error: unknown) => process.send?.({ failed: String(error) }),
	);
});
process.send?.({ ready: true });
