import type { Service } from '../service';

/** What happened when the probe exceeded the limit. */
export interface Limit {
	/** How many requests Supercast accepted within a minute before it refused one. */
	taken: number;
	/** The headers of the refusal. Undefined if there was none. */
	refusal?: Record<string, string>;
	/** How many responses were neither a success nor a 429. They prove nothing about the limit. */
	others: number;
}

/** Enough to exceed a limit of 100, or to show that there is none. */
const MOST = 130;

/** With one request at a time, a slow Supercast would never receive 100 in a minute. */
const AT_ONCE = 5;

/**
 * Sends requests without pauses until Supercast refuses one. The requests only read.
 * @param path An address that the token may read.
 */
export async function provokeLimit(service: Service, path: string): Promise<Limit> {
	let others = 0;
	for (let sent = 0; sent < MOST; sent += AT_ONCE) {
		const before = service.refusals.length;
		const asked = Array.from({ length: AT_ONCE }, async () => {
			return await service.ask(path, { unpaced: true });
		});
		const answers = await Promise.all(asked);
		const refusal = service.refusals[before];
		others += answers.filter(({ status }) => status >= 300 && status !== 429).length;
		if (refusal !== undefined) return { taken: takenInMinute(service), refusal, others };
		if (answers.every(({ status }) => status === 0 || status >= 300)) break;
	}
	return { taken: takenInMinute(service), others };
}

function takenInMinute(service: Service): number {
	const since = service.now() - 60_000;
	return service.accepted.filter((time) => time > since).length;
}
