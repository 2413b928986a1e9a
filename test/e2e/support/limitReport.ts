import type { Sandbox } from '../../../sandbox';

/** How well a limit was used, as the service saw it. */
export interface LimitReport {
	accepted: number;
	refused: number;
	/** Of all requests. */
	refusedShare: number;
	/** From the first to the last that was accepted. */
	seconds: number;
	/** What was accepted in a window, on average, as a share of the limit. */
	rate: number;
	/** The time that it took, as a multiple of the shortest possible. */
	timesShortest: number;
}

/**
 * Reads from the request log of a sandbox how well its limit was used. What fits the first window is
 * free, so the shortest possible time is a window less than there are windows in it.
 */
export function limitReport(sandbox: Sandbox, limit: number, windowMs: number): LimitReport {
	const log = sandbox.controls.requests();
	const times = log
		.filter(({ status }) => status !== 429)
		.map(({ time }) => Date.parse(time))
		.sort((one, other) => one - other);
	const elapsedMs = (times.at(-1) ?? NaN) - (times[0] ?? NaN);
	const windows = elapsedMs / windowMs;
	const refused = log.length - times.length;
	return {
		accepted: times.length,
		refused,
		refusedShare: refused / log.length,
		seconds: elapsedMs / 1000,
		rate: times.length / windows / limit,
		timesShortest: windows / (Math.ceil(times.length / limit) - 1),
	};
}
