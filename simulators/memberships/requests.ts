import type { FastifyInstance } from 'fastify';

/** A request for a page of a list. */
export interface PageRequest {
	path: string;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	body?: object;
}

/** A response. */
export interface MockAnswer {
	status: number;
	headers: Headers;
	text: string;
	/** The body as JSON, or undefined if it is none. */
	json: unknown;
}

/** Sends a request to the mock servers, without the network. A query is encoded. */
export async function askMockServer(
	{ app }: { app: FastifyInstance },
	path: string,
	{ query = {}, headers = {}, body }: Omit<PageRequest, 'path'> = {},
): Promise<MockAnswer> {
	const text = new URLSearchParams(query).toString();
	const response = await app.inject({
		url: `${path}${text === '' ? '' : `?${text}`}`,
		method: body === undefined ? 'GET' : 'POST',
		headers,
		payload: body,
	});
	const sent = response.body;
	const sentHeaders = new Headers(
		Object.entries(response.headers).map(
			([name, value]) => [name, String(value)] as [string, string],
		),
	);
	return { status: response.statusCode, headers: sentHeaders, text: sent, json: parsed(sent) };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Reads part of a JSON value, such as `meta.pagination.next`. */
export function at(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(found, name) => (found as Record<string, unknown> | undefined)?.[name],
			value,
		);
}

/** Reads the records at a path of a response. */
export const recordsAt =
	(path: string) =>
	({ json }: MockAnswer): unknown[] | undefined => {
		const found = at(json, path);
		return Array.isArray(found) ? found : undefined;
	};

/** Reads the number at a path of a response. */
export const numberAt =
	(path: string) =>
	({ json }: MockAnswer): number | undefined =>
		at(json, path) as number | undefined;
