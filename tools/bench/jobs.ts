/** The jobs that the benchmark gives a worker process, and their results. */

import type { NodeRun } from './nodes';

/** Values of the transport's `runtime` to replace, such as the scaled window. */
export interface Scale {
	windowMs: number;
	backoffMs: number;
}

/** Runs a node once. */
export interface RunJob {
	kind: 'run';
	run: NodeRun;
	scale?: Scale;
	/** When to begin, in milliseconds since 1970. By default, the run begins immediately. */
	startAt?: number;
}

/** Runs a node for one item, over and over, while it also runs for many items. */
export interface UrgentJob {
	kind: 'urgent';
	batch: NodeRun;
	urgent: NodeRun[];
	/** Milliseconds between two urgent runs. */
	everyMs: number;
	/** Whether the many items come one by one, each in a separate execution. */
	isBurst?: boolean;
	scale: Scale;
}

/** Reads every page of a list with only `fetch`, and keeps the records. */
export interface FetchJob {
	kind: 'fetch';
	url: string;
	token: string;
	perPage: number;
}

/** Runs a node once for each item, as separate executions that start at the same time. */
export interface BurstJob {
	kind: 'burst';
	run: NodeRun;
	scale: Scale;
}

/** Deletes with another package's limiter. */
export interface PeerJob {
	kind: 'peer';
	limiter: 'bottleneck' | 'pThrottle';
	urls: string[];
	token: string;
	limit: number;
	windowMs: number;
}

/** Makes this many requests wait for one limiter. Sends nothing. */
export interface WaitersJob {
	kind: 'waiters';
	count: number;
	/** The number of executions that share them. */
	clients: number;
	limit: number;
	windowMs: number;
}

/** Any job of a worker. */
export type Job = FetchJob | PeerJob | RunJob | BurstJob | UrgentJob | WaitersJob;

/** The result of a job. */
export interface JobResult {
	ms: number;
	/** How many items, or records, the output has. */
	count: number;
	/** Size of the output as JSON, in bytes. */
	jsonBytes: number;
	/** The largest heap during the run, less the heap before, in bytes. */
	peakHeapBytes: number;
	/** The longest time in which nothing else could run, if measured. */
	blockedMs?: number;
	/** How long each urgent run took. */
	urgentMs: number[];
	/** When each execution of a burst ended: milliseconds from its start, in the order of launch. */
	endedMs?: number[];
	/** CPU time, if measured. */
	cpuMs?: number;
	/** The growth of the heap at the end, if measured. */
	leftBytes?: number;
	error?: string;
}
