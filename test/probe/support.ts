import { probe, type ProbeOutcome, type Task } from '../../probe/run';
import type { World } from '../../probe/service';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';

/** A sandbox and a clock that it shares with the probe, so that waiting takes no time. */
export interface Bench {
	sandbox: Sandbox;
	world: World;
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
		return { sandbox, world: { fetch, now: () => now, sleep } };
	};
}

/** Runs the probe against a bench. */
export async function runProbe(
	{ sandbox, world }: Bench,
	task: Partial<Task> = {},
): Promise<ProbeOutcome> {
	const { baseUrl, accessToken: token } = sandbox;
	return await probe({ baseUrl, token, limit: false, ...task }, world);
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

type Fetch = World['fetch'];
type Json = Record<string, unknown>;

/** What an edit knows of a request and its response. */
export interface Exchanged {
	method: string;
	url: URL;
	sent: Json;
	response: Response;
}

/** Another response instead of the sandbox's own; undefined leaves it as it is. */
export type Edit = (seen: Exchanged) => Promise<Response | undefined> | Response | undefined;

/** A world whose responses are edited on their way. */
export function edited(world: World, edit: Edit): World {
	const changed: Fetch = async (input, init) => {
		const response = await world.fetch(input, init);
		const sent = typeof init?.body === 'string' ? (JSON.parse(init.body) as Json) : {};
		const url = new URL(String(input));
		return (await edit({ method: init?.method ?? 'GET', url, sent, response })) ?? response;
	};
	return { ...world, fetch: changed };
}

/** A response with the same status and headers, and other JSON. */
export async function withJson(
	{ response }: Exchanged,
	change: (json: unknown) => unknown,
): Promise<Response> {
	const { status, headers } = response;
	const text = await response.clone().text();
	if (text === '') return response;
	return Response.json(change(JSON.parse(text) as unknown), {
		status,
		headers: [...headers].filter(([name]) => name !== 'content-length'),
	});
}

/** Changes every record under a path, in lists too. */
export const records =
	(path: RegExp, change: (record: Json) => Json): Edit =>
	async (seen) => {
		if (!path.test(seen.url.pathname) || seen.response.status >= 300) return undefined;
		return await withJson(seen, (json) =>
			Array.isArray(json) ? (json as Json[]).map(change) : change(json as Json),
		);
	};

/** Changes headers of every response under a path. */
export const headers =
	(path: RegExp, change: (headers: Headers, url: URL) => void): Edit =>
	({ url, response }) => {
		if (!path.test(url.pathname)) return undefined;
		const own = new Headers(response.headers);
		change(own, url);
		return new Response(response.body, { status: response.status, headers: own });
	};

/** Refuses matching requests, after the sandbox processed them. */
export const refused =
	(method: string, path: RegExp, status: number): Edit =>
	(seen) =>
		seen.method === method && path.test(decodeURIComponent(seen.url.pathname))
			? Response.json({ message: 'Not today' }, { status })
			: undefined;
