import { sleep } from 'n8n-workflow';

import { runtime, type Clock } from '../../nodes/Supercast/api/clock';
import { PROFILES, type ProfileName, type SandboxOptions } from '../../simulators/supercast';

/** Shortens the transport's waits for the tests of a file. Reads are only as old as they lag. */
export function useQuickRuntime(changes: Partial<typeof runtime>): void {
	const real = { ...runtime };
	const { visibleMs: oldMs = real.oldMs } = changes;
	beforeAll(() => Object.assign(runtime, { oldMs, ...changes }));
	afterAll(() => Object.assign(runtime, real));
}

/** A profile. If it shows new records late, the delay is a hundredth of the real one. */
export function quickProfile(profile?: ProfileName): SandboxOptions {
	if (profile === undefined) return {};
	const isLate = 'visibleAfterMs' in PROFILES[profile];
	return { profile, ...(isLate ? { visibleAfterMs: 15 } : {}) };
}

/** A clock that runs `times` times as fast as the real one. */
export function fastClock(times: number): Clock {
	const start = Date.now();
	return {
		now: () => performance.now() * times,
		date: () => start + (Date.now() - start) * times,
		sleep: async (ms, signal) => await sleep(ms / times, signal),
	};
}
