import { Unreachable, type Service } from '../service';

/** The result of provoking the limit. */
export interface Limit {
	/** How many requests Supercast accepted within a minute before it refused one. */
	taken: number;
	/** The headers of the refusal. Undefined if there was none. */
	refusal?: Record<string, string>;
}

/** Enough to exceed a limit of 100, and to show that there is none. */
const MOST = 130;

/** Sends requests without pauses until one is refused. They only read. */
export async function provokeLimit(service: Service): Promise<Limit> {
	for (let sent = 0; sent < MOST; sent++) {
		const before = service.refusals.length;
		await service.ask('/channel', { unpaced: true }).catch((error: unknown) => {
			if (!(error instanceof Unreachable)) throw error;
		});
		const refusal = service.refusals[before];
		if (refusal !== undefined) return { taken: takenInMinute(service), refusal };
	}
	return { taken: takenInMinute(service) };
}

function takenInMinute(service: Service): number {
	const since = service.now() - 60_000;
	return service.accepted.filter((time) => time > since).length;
}
