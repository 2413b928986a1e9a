import { PassThrough, Readable } from 'node:stream';

import { command } from '../../tools/probe/command';
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
	return async (options = {}) => {
		let now = Date.UTC(2026, 0, 1);
		const sandbox = await createSandbox({ subscribers: 30, ...options, now: () => now });
		open.push(sandbox);
		const sleep = async (ms: number): Promise<void> => {
			now += Math.max(0, ms);
			await new Promise((resolve) => setImmediate(resolve));
		};
		return { sandbox, runtime: { fetch, now: () => now, sleep } };
	};
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

/** What the command has printed, line by line. */
export type Printed = readonly string[];

/**
 * Runs the command, which writes without asking.
 * @param stopAt The number of the request at which the user presses Ctrl+C.
 */
export async function runCommand({ sandbox, runtime }: Bench, stopAt = Infinity): Promise<Printed> {
	const stop = new AbortController();
	const screen = new PassThrough();
	let printed = '';
	screen.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	let sent = 0;
	const stoppable: ProbeRuntime = {
		...runtime,
		fetch: async (url, init) => {
			sent += 1;
			if (sent === stopAt) stop.abort();
			return await runtime.fetch(url, init);
		},
	};
	const args = ['--base-url', sandbox.baseUrl, '--write', EMAIL, '--yes'];
	await command(
		args,
		{ SUPERCAST_TOKEN: sandbox.accessToken },
		{
			input: Readable.from(['']),
			output: screen,
			errors: screen,
			runtime: stoppable,
			signal: stop.signal,
		},
	);
	return printed.trim().split('\n');
}
