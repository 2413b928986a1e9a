/** One limit, used by several clients that do not know of each other. */

import { setTimeout as sleep } from 'node:timers/promises';

import type { RunJob } from './jobs';
import { afterwards, flags, refusedRow, refusedShare, shortest, withWarmUp } from './limited';
import { startService, Worker, type BenchService } from './processes';
import { deletion, LIMIT, scale, WINDOW_MS } from './runs';
import { atLeast, atMost, exactly, shown, type Row } from './table';

/** Four processes that do not know of each other, with one limit. */
export async function fourProcesses(): Promise<Row[]> {
	const each = 500;
	const service = await startService(flags(4 * each));
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
		atLeast('achieved rate / limit', (4 * each) / windows / LIMIT, 0.95),
		exactly('lost', lost, 0),
		shown('refused', `${refusedShare(refused, 4 * each).toFixed(1)}%`),
		atMost(
			'time that a refused request costs at most, in seconds of a real minute',
			(60 * (windows - shortest(4 * each) / WINDOW_MS)) / Math.max(1, refused),
			1,
		),
	];
}

/**
 * Another client of the sandbox. It sends this many requests per window, one after the other, and
 * retries each until it is accepted.
 */
class OtherClient {
	/** When its requests were accepted, by this process's clock. */
	readonly taken: number[] = [];
	refused = 0;
	private isGone = false;
	private readonly done: Promise<void>;

	constructor(
		private readonly service: BenchService,
		perWindow: number,
	) {
		this.done = this.work(WINDOW_MS / perWindow);
	}

	/** Stops sending. */
	async leave(): Promise<void> {
		this.isGone = true;
		await this.done;
	}

	private async work(everyMs: number): Promise<void> {
		for (let next = performance.now(); !this.isGone;) {
			const status = await this.service.read('/channel');
			if (status === 429) {
				this.refused++;
				await sleep(WINDOW_MS / 100);
				continue;
			}
			this.taken.push(performance.now());
			next = Math.max(next + everyMs, performance.now());
			await sleep(next - performance.now());
		}
	}
}

/**
 * The shortest time in which all items could have been accepted, in milliseconds from `start`.
 * `others` are the times of another client's requests. A window never holds more than the limit.
 */
function shortestBeside(others: number[], items: number, start: number): number {
	const taken: number[] = [];
	const counting = (times: number[], at: number): number =>
		times.filter((time) => time > at - WINDOW_MS && time <= at).length;
	for (let at = start; taken.length < items; at++) {
		const free = LIMIT - counting(taken.slice(-LIMIT), at) - counting(others, at);
		for (let n = 0; n < free; n++) taken.push(at);
	}
	return taken[items - 1]! - start;
}

/**
 * 1,000 deletes, beside a client that takes 30 of the 100. It starts before them and leaves after
 * half of the time.
 */
export async function besideAnother(): Promise<Row[]> {
	const items = 1000;
	const service = await startService(flags(items));
	const emails = await service.emails();
	const worker = new Worker();
	await withWarmUp(async (warmUp) => {
		for (const job of warmUp) await worker.run(job);
	});
	const other = new OtherClient(service, 30);
	await sleep(WINDOW_MS);
	const start = performance.now();
	const running = worker.run({ kind: 'run', run: deletion(service, emails), scale });
	await sleep(shortest(items) / 2);
	await other.leave();
	const { ms } = await running;
	worker.stop();
	const { lost, refused } = await afterwards(service);
	service.stop();
	const taken = other.taken.filter((at) => at > start).length;
	return [
		atLeast(
			'use of the remaining limit (shortest possible / elapsed)',
			shortestBeside(other.taken, items, start) / ms,
			0.93,
		),
		exactly('lost', lost, 0),
		refusedRow(refused - other.refused, items, 4),
		shown('requests of the other client', `${taken} accepted, ${other.refused} refused`),
	];
}
