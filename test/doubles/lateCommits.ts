import type { IncomingMessage, ServerResponse } from 'node:http';

import { readBody, startHttpServer } from '../support/httpServer';

/** A gateway that times out: see {@link startLateCommits}. */
export interface LateCommits {
	/** Replaces Supercast's base URL. */
	baseUrl: string;
	/** How many requests it abandoned. */
	readonly hits: number;
	/** Makes the changes that nobody asked about, and closes the gateway. */
	close(): Promise<void>;
}

type Send = () => Promise<Response>;

/**
 * Starts a gateway in front of the sandbox. It answers some changes with 504, and passes each on
 * after its answer to the next request about the same record. So a change that seemed to fail, and
 * did not show in a look-up, is made after all.
 *
 * @param baseUrl The sandbox's.
 * @param every Which changes it abandons: every third, for example.
 */
export async function startLateCommits(baseUrl: string, every: number): Promise<LateCommits> {
	const abandoned = new Map<string, Send[]>();
	let changes = 0;
	let hits = 0;
	const makeLate = async (record: string): Promise<void> => {
		const late = abandoned.get(record) ?? [];
		abandoned.delete(record);
		for (const send of late) await send();
	};
	const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const body = await readBody(request);
		const record = recordOf(request, body);
		const send: Send = async () => await passOn(baseUrl, request, body);
		if (request.method !== 'GET' && ++changes % every === 0) {
			hits++;
			abandoned.set(record, [...(abandoned.get(record) ?? []), send]);
			response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>Gateway time-out</h1>');
			return;
		}
		const answer = await send();
		const text = await answer.text();
		await makeLate(record);
		const sent = ['content-type', 'date', 'x-page', 'x-per-page', 'x-total'];
		const headers = chosen(sent, (name) => answer.headers.get(name));
		response.writeHead(answer.status, headers).end(text);
	};
	const server = await startHttpServer((request, response) => void handle(request, response));
	return {
		baseUrl: `${server.origin}${new URL(baseUrl).pathname}`,
		get hits() {
			return hits;
		},
		close: async () => {
			for (const record of [...abandoned.keys()]) await makeLate(record);
			await server.close();
		},
	};
}

async function passOn(baseUrl: string, request: IncomingMessage, body: string): Promise<Response> {
	const { method = 'GET', url, headers } = request;
	const names = ['authorization', 'content-type', 'idempotency-key'];
	return await fetch(`${new URL(baseUrl).origin}${url}`, {
		method,
		headers: chosen(names, (name) => headers[name]),
		...(body === '' ? {} : { body }),
	});
}

/** The headers with these names that have a value. */
function chosen(names: string[], valueOf: (name: string) => unknown): Record<string, string> {
	const all = names.map((name) => [name, valueOf(name)] as const);
	return Object.fromEntries(all.flatMap(([name, value]) => (value ? [[name, String(value)]] : [])));
}

/** The record that a request is about: the email of a new one, or the end of the path. */
function recordOf({ url = '' }: IncomingMessage, body: string): string {
	const created = /"email":"([^"]+)"/.exec(body)?.[1];
	return created ?? decodeURIComponent(url.replace(/^.*\/|\?.*$/g, ''));
}
