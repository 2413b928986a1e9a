import { probe, type ProbeOutcome, type Task } from '../../tools/probe/run';
import type { ProbeRuntime } from '../../tools/probe/service';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../simulators/supercast';

/** A sandbox and a clock that it shares with the probe, so that waiting takes no time. */
export interface Bench {
	sandbox: Sandbox;
	runtime: ProbeRuntime;
}

export const EMAIL = 'probe@example.org';

/** Starts benches for the tests of a file, and ends them after each test. */
export function useBenches(): (options?: SandboxOptions) => Promise<Bench> {
	const open: Sandbox[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map(async (sandbox) => await sandbox.close()));
	});
	return async (options) => {
		const bench = await startBench(options);
		open.push(bench.sandbox);
		return bench;
	};
}

export async function startBench(options: SandboxOptions = {}): Promise<Bench> {
	let now = Date.UTC(2026, 0, 1);
	const sandbox = await createSandbox({ subscribers: 30, ...options, now: () => now });
	const sleep = async (ms: number): Promise<void> => {
		now += Math.max(0, ms);
		await new Promise((resolve) => setImmediate(resolve));
	};
	return { sandbox, runtime: { fetch, now: () => now, sleep } };
}

/** A bench whose requests get another response, unless it is undefined. */
export function answering(
	{ sandbox, runtime }: Bench,
	answer: (method: string, path: string) => Promise<Response | undefined> | Response | undefined,
): Bench {
	const fetchOr: ProbeRuntime['fetch'] = async (url, init) => {
		const { pathname } = new URL(String(url));
		return (await answer(init?.method ?? 'GET', pathname)) ?? (await runtime.fetch(url, init));
	};
	return { sandbox, runtime: { ...runtime, fetch: fetchOr } };
}

/** Runs the probe against a bench. */
export async function runProbe(
	{ sandbox, runtime }: Bench,
	task: Partial<Task> = {},
): Promise<ProbeOutcome> {
	const { baseUrl, accessToken: token } = sandbox;
	return await probe({ baseUrl, token, limit: false, ...task }, runtime);
}

/** Requests that may change something, as the sandbox received them. */
export function writesOf(sandbox: Sandbox): string[] {
	const writes = sandbox.state.requests.filter(({ method }) => method !== 'GET');
	return writes.map(({ method, path }) => `${method} ${path}`);
}

/** The records of a sandbox, for comparing. */
export function recordsOf(sandbox: Sandbox): string {
	return JSON.stringify({ ...sandbox.controls.state(), oauth: undefined });
}
