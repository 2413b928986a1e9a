/** What the measurements under the limit share. */

import type { Job, JobResult } from './jobs';
import { runAlone, startService, type BenchService } from './processes';
import { httpReading, LIMIT, reading, WINDOW_MS } from './runs';
import { atMost, exactly, type Row } from './table';

/** The result of a job, as the sandbox saw it. */
export interface PacedOutcome extends JobResult {
	lost: number;
	refused: number;
}

/** Flags of a sandbox with the scaled limit. */
export function flags(
	subscribers: number,
	more: Record<string, number> = {},
): Record<string, number | string> {
	return {
		'rate-limit': LIMIT,
		'rate-window-ms': WINDOW_MS,
		// Retry-After counts whole seconds, and one second is nearly half of the scaled window.
		'retry-after': 'absent',
		subscribers,
		'log-size': 0,
		...more,
	};
}

/** The shortest possible time for that many requests, in milliseconds. The first hundred take none. */
export function shortest(requests: number, windowMs = WINDOW_MS): number {
	return (Math.ceil(requests / LIMIT) - 1) * windowMs;
}

/** Warms up a process that will run both nodes, with reads from a sandbox that nobody measures. */
export async function withWarmUp<T>(work: (warmUp: Job[]) => Promise<T>): Promise<T> {
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

/** Runs a job in a separate process, against a sandbox in its initial state, with these faults. */
export async function measure(
	service: BenchService,
	makeJob: (emails: string[]) => Job,
	faults: object[] = [],
): Promise<PacedOutcome> {
	await service.reset();
	await service.arm(faults);
	const job = makeJob(await service.emails());
	const result = await withWarmUp(async (warmUp) => await runAlone(job, warmUp));
	return { ...result, ...(await afterwards(service)) };
}

/** How many records are left at the end, and how many requests the sandbox refused. */
export async function afterwards(
	service: BenchService,
): Promise<{ lost: number; refused: number }> {
	const refused = (await service.byStatus())['429'] ?? 0;
	return { lost: (await service.emails()).length, refused };
}

/** The rows of every measurement of deletes: how close to the shortest time, and at what price. */
export function deleteRows(
	{ ms, lost, refused }: PacedOutcome,
	{ items, goal, windowMs }: { items: number; goal: number; windowMs?: number },
): Row[] {
	return [
		atMost('elapsed / shortest possible', ms / shortest(items, windowMs), goal),
		exactly('lost', lost, 0),
		refusedRow(refused, items, 1),
	];
}

/** Refused requests as a percentage of all requests. */
export function refusedShare(refused: number, items: number): number {
	return (100 * refused) / (items + refused);
}

export function refusedRow(refused: number, items: number, goal: number): Row {
	return atMost('refused', refusedShare(refused, items), goal, '%');
}
