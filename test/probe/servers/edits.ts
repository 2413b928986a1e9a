import type { ProbeRuntime } from '../../../tools/probe/service';
import type { Sandbox } from '../../../simulators/supercast';
import type { Bench } from '../support';

type Fetch = ProbeRuntime['fetch'];
type Json = Record<string, unknown>;

export type Prepare = (bench: Bench) => Bench;

/** What an edit knows of a request and its response. */
export interface Exchanged {
	method: string;
	url: URL;
	sent: Json;
	response: Response;
}

/** Another response instead of the sandbox's own; undefined leaves it as it is. */
export type Edit = (seen: Exchanged) => Promise<Response | undefined> | Response | undefined;

/** A runtime whose responses are edited on their way. */
export function edited(runtime: ProbeRuntime, edit: Edit): ProbeRuntime {
	const changed: Fetch = async (input, init) => {
		const response = await runtime.fetch(input, init);
		const sent = typeof init?.body === 'string' ? (JSON.parse(init.body) as Json) : {};
		const url = new URL(String(input));
		return (await edit({ method: init?.method ?? 'GET', url, sent, response })) ?? response;
	};
	return { ...runtime, fetch: changed };
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

/** The server gets a parameter under a name that it does not know. */
export function renamed(parameter: string): Prepare {
	return ({ sandbox, runtime }) => ({
		sandbox,
		runtime: {
			...runtime,
			fetch: async (input, init) => {
				const url = new URL(String(input));
				url.searchParams.delete(parameter);
				return await runtime.fetch(url, init);
			},
		},
	});
}

function instead(
	matches: (method: string, path: string) => boolean,
	answer: (sandbox: Sandbox, path: string) => Promise<Response> | Response,
): Prepare {
	return ({ sandbox, runtime }) => ({
		sandbox,
		runtime: {
			...runtime,
			fetch: async (input, init) => {
				const { pathname } = new URL(String(input));
				const isIt = matches(init?.method ?? 'GET', pathname);
				return isIt ? await answer(sandbox, pathname) : await runtime.fetch(input, init);
			},
		},
	});
}

export function broken(path: RegExp): Prepare {
	return instead(
		(_method, url) => path.test(url),
		() => {
			throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
		},
	);
}

export function ignored(path: RegExp): Prepare {
	return instead(
		(method, url) => method === 'PATCH' && path.test(url),
		() => Response.json({ state: 'available' }),
	);
}

export function refusedBefore(method: string, path: RegExp, status: number): Prepare {
	return instead(
		(asked, url) => asked === method && path.test(url),
		() => Response.json({ message: 'Not today' }, { status }),
	);
}
