/** Very many waiters on one limiter, and nothing else. */

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { RateLimiter } from '../../nodes/Supercast/api/rate-limit/rateLimiter';
import { runtime } from '../../nodes/Supercast/api/clock';
import type { JobResult, WaitersJob } from './jobs';

function heap(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
}

/** Makes all requests wait together, and returns how much heap they take. */
async function admitAll(job: WaitersJob): Promise<number> {
	const limiter = new RateLimiter(job.limit, job.windowMs, runtime.clock);
	const executions = Array.from({ length: job.clients }, () => new AbortController());
	// n8n does the same with the signal of an execution.
	setMaxListeners(Infinity, ...executions.map(({ signal }) => signal));
	const clients = executions.map(() => ({ workflow: 'bench' }));
	const before = process.memoryUsage().heapUsed;
	const all = Array.from({ length: job.count }, async (_, n) => {
		const execution = n % job.clients;
		const { signal } = executions[execution]!;
		const slot = await limiter.acquire(clients[execution]!, { signal });
		if (typeof slot !== 'string') slot.release('counted');
	});
	const taken = process.memoryUsage().heapUsed - before;
	await Promise.all(all);
	return taken;
}

/** Measures a second round. The first one compiles the code, and fills permanent caches. */
export async function waiters(job: WaitersJob): Promise<JobResult> {
	await admitAll({ ...job, count: job.count / 10 });
	const before = heap();
	const cpu = process.cpuUsage();
	const start = performance.now();
	const peakHeapBytes = await admitAll(job);
	const ms = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	await sleep(100);
	return {
		ms,
		count: job.count,
		jsonBytes: 0,
		peakHeapBytes,
		urgentMs: [],
		cpuMs: (user + system) / 1000,
		leftBytes: heap() - before,
	};
}
