/** What someone would write instead with a well-known limiter. It sends each request once. */

import Bottleneck from 'bottleneck';

import type { JobResult, PeerJob } from './jobs';

type Limited = (url: string) => Promise<number>;

async function limited(job: PeerJob, send: Limited): Promise<Limited> {
	const { limit, windowMs } = job;
	if (job.limiter === 'bottleneck') {
		return new Bottleneck({
			reservoir: limit,
			reservoirRefreshAmount: limit,
			reservoirRefreshInterval: windowMs,
		}).wrap(send);
	}
	const { default: pThrottle } = await import('p-throttle');
	return pThrottle({ limit, interval: windowMs, strict: true })(send);
}

/** Deletes under a peer's limiter. */
export async function peer(job: PeerJob): Promise<JobResult> {
	const headers = { authorization: `Bearer ${job.token}` };
	const remove = await limited(job, async (url) => {
		const response = await fetch(url, { method: 'DELETE', headers });
		await response.arrayBuffer();
		return response.status;
	});
	const start = performance.now();
	const statuses = await Promise.all(job.urls.map(remove));
	const ms = performance.now() - start;
	const count = statuses.filter((status) => status < 300).length;
	return { ms, count, jsonBytes: 0, peakHeapBytes: 0, urgentMs: [] };
}
