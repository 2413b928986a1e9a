import { Unreachable, type Service } from '../service';

/** What provoking the limit showed. */
export interface Limit {
	/** How many requests the service took within a minute before it refused one. */
	taken: number;
	/** The headers of the refusal; undefined when there was none. */
	refusal?: Record<string, string>;
}

/** Enough to pass a limit of 100, and to tell that there is none. */
const MOST = 130;

/** Sends requests without a pace until one is refused. They only read. */
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
