import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

/** When the list of members was read, in milliseconds since 1970. */
export interface ReadTimes {
	/** When the first of the earlier nodes started. The same reading always has the same time. */
	readAt: number;
	/** How long the list lay around before it arrived, for example while it waited for an answer. */
	idleMs: number;
}

/** Beyond n8n's documented interface (n8n-core, NodeExecutionContext). */
export function runDataOf(context: IExecuteFunctions): IRunExecutionData | undefined {
	return (context as { runExecutionData?: IRunExecutionData | null }).runExecutionData ?? undefined;
}

/**
 * Finds out when the earlier nodes have run. "Execute step" and a retry use what these nodes
 * returned before, however old it is. It is unknown when pinned data was read.
 * @param before The names of all earlier nodes.
 * @param receivedAt When the list arrived, in milliseconds since 1970.
 */
export function readTimesOf(
	context: IExecuteFunctions,
	before: readonly string[],
	receivedAt: number,
): ReadTimes {
	const { runData = {}, pinData = {} } = runDataOf(context)?.resultData ?? {};
	if (before.some((name) => name in pinData)) return { readAt: 0, idleMs: Infinity };
	const runs = before.flatMap((name) => runData[name] ?? []);
	const spans = runs.map((run) => ({
		start: run.startTime,
		end: run.startTime + (run.executionTime ?? 0),
	}));
	spans.sort((one, other) => one.start - other.start);
	const readAt = Math.min(spans[0]?.start ?? receivedAt, receivedAt);
	let end = readAt;
	let idleMs = 0;
	for (const span of [...spans, { start: receivedAt, end: receivedAt }]) {
		idleMs = Math.max(idleMs, span.start - end);
		end = Math.max(end, span.end);
	}
	return { readAt, idleMs };
}
