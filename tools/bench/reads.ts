/** Reads many records: one by one, and as a long list. */

import type { Job, JobResult } from './jobs';
import { runAlone, startService, Worker } from './processes';
import { httpReading, listing, reading } from './runs';
import { atMost, exactly, shown, type Row } from './table';

const READS = 5000;
const LISTED = 100_000;
const ROUNDS = 3;

/** The best of several rounds, since other work of the machine only adds time. */
function best(values: number[]): number {
	return Math.min(...values);
}

/** Alternates two jobs, each in a separate warm process, and takes the best times. */
async function inTurns(one: Job, other: Job, warmUp: [Job, Job]): Promise<[number, number]> {
	const times: [number[], number[]] = [[], []];
	const workers = [new Worker(), new Worker()] as const;
	await workers[0].run(warmUp[0]);
	await workers[1].run(warmUp[1]);
	for (let round = 0; round < ROUNDS; round++) {
		times[0].push((await workers[0].run(one)).ms);
		times[1].push((await workers[1].run(other)).ms);
	}
	for (const worker of workers) worker.stop();
	return [best(times[0]), best(times[1])];
}

/** 5,000 single reads, no limit. */
export async function singleReads(): Promise<Row[]> {
	const service = await startService({ 'rate-limit': 0, subscribers: READS, 'log-size': 0 });
	const emails = await service.emails();
	const ours = (some: string[]): Job => ({ kind: 'run', run: reading(service, some) });
	const theirs = (some: string[]): Job => ({ kind: 'run', run: httpReading(service, some) });
	const few = emails.slice(0, 500);
	const [ourMs, theirMs] = await inTurns(ours(emails), theirs(emails), [ours(few), theirs(few)]);
	service.stop();
	return [
		atMost("our time / HTTP Request's time", ourMs / theirMs, 0.8),
		shown('our time', `${(ourMs / 1000).toFixed(2)} s`),
		shown("HTTP Request's time", `${(theirMs / 1000).toFixed(2)} s`),
	];
}

/** Get Many of 100,000 records, 100 a page. */
export async function longList(): Promise<Row[]> {
	const service = await startService({ 'rate-limit': 0, subscribers: LISTED, 'log-size': 0 });
	const { baseUrl, accessToken: token } = service;
	const bare: Job = { kind: 'fetch', url: `${baseUrl}/subscribers`, token, perPage: 100 };
	const ours: Job = { kind: 'run', run: listing(service) };
	const before = (await service.byStatus())['200'] ?? 0;
	// Each run has a new process, because the heap grows differently if it is already full.
	const runs: Array<[JobResult, JobResult]> = [];
	for (let round = 0; round < ROUNDS; round++)
		runs.push([await runAlone(ours), await runAlone(bare)]);
	const requests = ((await service.byStatus())['200'] ?? 0) - before;
	service.stop();
	const [ourMs, bareMs] = [0, 1].map((n) => best(runs.map((run) => run[n]!.ms)));
	const heap = Math.max(...runs.map(([run]) => run.peakHeapBytes / run.jsonBytes));
	const bareHeap = Math.max(...runs.map(([, run]) => run.peakHeapBytes / run.jsonBytes));
	return [
		atMost("our time / a bare fetch loop's time", ourMs! / bareMs!, 1),
		shown('our time', `${(ourMs! / 1000).toFixed(2)} s`),
		atMost('peak heap / JSON size', heap, 1.5),
		shown("the bare fetch loop's peak heap / JSON size", bareHeap.toFixed(2)),
		exactly('records', best(runs.map(([run]) => run.count)), LISTED),
		exactly('requests', requests / ROUNDS - LISTED / 100, LISTED / 100),
	];
}
