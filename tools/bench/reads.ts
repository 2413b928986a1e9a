/** Reads many records: one by one, and as a long list. */

import type { Job, JobResult } from './jobs';
import { runAlone, startService, Worker } from './processes';
import { httpReading, listing, reading } from './runs';
import { atMost, exactly, median, shown, type Row } from './table';

const READS = 5000;
const LISTED = 100_000;
/** Other work of the machine hits only some rounds, so the median counts. */
const ROUNDS = 5;

/** How long two jobs took, in milliseconds. */
type Pair = [number, number];

const ratioOf = ([one, other]: Pair): number => one / other;

/** Alternates two jobs, each in a separate warm process. */
async function inTurns(one: Job, other: Job, warmUp: [Job, Job]): Promise<Pair[]> {
	const pairs: Pair[] = [];
	const workers = [new Worker(), new Worker()] as const;
	await workers[0].run(warmUp[0]);
	await workers[1].run(warmUp[1]);
	for (let round = 0; round < ROUNDS; round++) {
		pairs.push([(await workers[0].run(one)).ms, (await workers[1].run(other)).ms]);
	}
	for (const worker of workers) worker.stop();
	return pairs;
}

function seconds(ms: number[]): string {
	return `${(median(ms) / 1000).toFixed(2)} s`;
}

/** 5,000 single reads, no limit. */
export async function singleReads(): Promise<Row[]> {
	const service = await startService({ 'rate-limit': 0, subscribers: READS, 'log-size': 0 });
	const emails = await service.emails();
	const ours = (some: string[]): Job => ({ kind: 'run', run: reading(service, some) });
	const theirs = (some: string[]): Job => ({ kind: 'run', run: httpReading(service, some) });
	const few = emails.slice(0, 500);
	const pairs = await inTurns(ours(emails), theirs(emails), [ours(few), theirs(few)]);
	service.stop();
	return [
		atMost("our time / HTTP Request's time", median(pairs.map(ratioOf)), 0.8),
		shown('our time', seconds(pairs.map(([ourMs]) => ourMs))),
		shown("HTTP Request's time", seconds(pairs.map(([, theirMs]) => theirMs))),
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
	const heapOf = ({ peakHeapBytes, jsonBytes }: JobResult): number => peakHeapBytes / jsonBytes;
	return [
		atMost(
			'our time / the time of a plain loop of fetch calls',
			median(runs.map(([run, bareRun]) => run.ms / bareRun.ms)),
			1,
		),
		shown('our time', seconds(runs.map(([run]) => run.ms))),
		atMost('peak heap / JSON size', median(runs.map(([run]) => heapOf(run))), 1.5),
		shown(
			'peak heap / JSON size of a plain loop of fetch calls',
			median(runs.map(([, run]) => heapOf(run))).toFixed(2),
		),
		exactly('records', Math.min(...runs.map(([run]) => run.count)), LISTED),
		// The last page is full, so one more shows that nobody follows.
		exactly('requests', requests / ROUNDS - LISTED / 100, LISTED / 100 + 1),
	];
}
