/** What the benchmark asks of a worker process, and what it gets back. */

import type { NodeRun } from './engine';

/** Replaces values of the transport's `runtime`: the scaled window, above all. */
export interface Scale {
	windowMs: number;
	backoffMs: number;
}

/** Runs a node once. */
export interface RunJob {
	kind: 'run';
	run: NodeRun;
	scale?: Scale;
	/** When to begin, in milliseconds since 1970; at once by default. */
	startAt?: number;
}

/** Runs a node for one item, again and again, while it runs for many items as well. */
export interface UrgentJob {
	kind: 'urgent';
	batch: NodeRun;
	urgent: NodeRun[];
	/** Milliseconds between two urgent runs. */
	everyMs: number;
	scale: Scale;
}

/** Reads every page of a list with nothing but `fetch`, and keeps the records. */
export interface FetchJob {
	kind: 'fetch';
	url: string;
	token: string;
	perPage: number;
}

/** Runs a node once for each item, all at the same time: as many executions. */
export interface StormJob {
	kind: 'storm';
	run: NodeRun;
	scale: Scale;
}

/** Deletes with a limiter of somebody else's. */
export interface PeerJob {
	kind: 'peer';
	limiter: 'bottleneck' | 'pThrottle';
	urls: string[];
	token: string;
	limit: number;
	windowMs: number;
}

/** Has so many wait for one limiter, and sends nothing. */
export interface WaitersJob {
	kind: 'waiters';
	count: number;
	/** Among how many executions they are divided. */
	clients: number;
	limit: number;
	windowMs: number;
}

/** Anything that a worker does. */
export type Job = FetchJob | PeerJob | RunJob | StormJob | UrgentJob | WaitersJob;

/** What came of it. */
export interface JobResult {
	ms: number;
	/** How many items, or records, came out. */
	count: number;
	/** Size as JSON of what came out, in bytes. */
	jsonBytes: number;
	/** The largest heap in use while it ran, less that from before, in bytes. */
	peakHeapBytes: number;
	/** How long each urgent run took. */
	urgentMs: number[];
	/** Computing time, where that is measured. */
	cpuMs?: number;
	/** By how much the heap has grown when all is done, where that is measured. */
	leftBytes?: number;
	error?: string;
}
