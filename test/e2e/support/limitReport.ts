import type { Sandbox } from '../../../simulators/supercast';

/** How well a limit was used, as the sandbox saw it. */
export interface LimitReport {
	accepted: number;
	refused: number;
	/** As a share of all requests. */
	refusedShare: number;
	/** From the first to the last accepted request. */
	seconds: number;
	/** The average number of accepted requests per window, as a share of the limit. */
	rate: number;
	/** The elapsed time, as a multiple of the shortest possible. */
	timesShortest: number;
}

/**
 * Reads from the request log of a sandbox how well its limit was used. The requests of the first
 * window take no time. So the shortest possible time is one window less than the number of windows.
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
