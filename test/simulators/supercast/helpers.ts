import { createSandbox, type Sandbox, type SandboxOptions } from '../../../simulators/supercast';

/** A response, read to its end. */
export interface Answer<T = Record<string, unknown>> {
	status: number;
	headers: Headers;
	text: string;
	body: T;
}

export interface Ask {
	method?: string;
	/** JSON, or a form when it is a string. */
	body?: unknown;
	headers?: Record<string, string>;
	/** `null` sends no token. */
	token?: string | null;
}

/** Starts sandboxes for one test file and closes them after each test. */
export function useSandboxes(): (options?: SandboxOptions) => Promise<Sandbox> {
	const open: Sandbox[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map(async (sandbox) => await sandbox.close()));
	});
	return async (options) => {
		const sandbox = await createSandbox(options);
		open.push(sandbox);
		return sandbox;
	};
}

/** One request to an absolute address. */
export async function fetchAnswer<T = Record<string, unknown>>(
	url: string,
	{ method, body, headers }: Ask = {},
): Promise<Answer<T>> {
	const form = typeof body === 'string';
	const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
	const response = await fetch(url, {
		method: method ?? (body === undefined ? 'GET' : 'POST'),
		headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
		body: form ? body : body === undefined ? undefined : JSON.stringify(body),
		redirect: 'manual',
	});
	const text = await response.text();
	const json = /json/.test(response.headers.get('content-type') ?? '');
	return {
		status: response.status,
		headers: response.headers,
		text,
		body: (json ? JSON.parse(text) : undefined) as T,
	};
}

/** One request to the API, with the manual token unless another is given. */
export async function ask<T = Record<string, unknown>>(
	sandbox: Sandbox,
	path: string,
	{ token = sandbox.accessToken, headers, ...rest }: Ask = {},
): Promise<Answer<T>> {
	const authorization: Record<string, string> =
		token === null ? {} : { authorization: `Bearer ${token}` };
	return await fetchAnswer<T>(`${sandbox.baseUrl}${path}`, {
		...rest,
		headers: { ...authorization, ...headers },
	});
}
