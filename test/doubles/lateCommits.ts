import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
	const { origin, pathname } = new URL(baseUrl);
	const abandoned = new Map<string, Send[]>();
	let changes = 0;
	let hits = 0;
	const makeLate = async (record: string): Promise<void> => {
		const late = abandoned.get(record) ?? [];
		abandoned.delete(record);
		for (const send of late) await send();
	};
	const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const body = Buffer.concat(chunks);
		const record = recordOf(request, body.toString());
		const send: Send = async () =>
			await fetch(`${origin}${request.url}`, {
				method: request.method ?? 'GET',
				headers: headersOf(request),
				...(body.length === 0 ? {} : { body }),
			});
		if (request.method !== 'GET' && ++changes % every === 0) {
			hits++;
			const earlier = abandoned.get(record) ?? [];
			abandoned.set(record, [...earlier, send]);
			response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>Gateway time-out</h1>');
			return;
		}
		const answer = await send();
		const sent = ['content-type', 'date', 'x-page', 'x-per-page', 'x-total'];
		const headers = sent.map((name) => [name, answer.headers.get(name)] as const);
		const given = Object.fromEntries(headers.filter(([, value]) => value !== null));
		const text = await answer.text();
		await makeLate(record);
		response.writeHead(answer.status, given as Record<string, string>).end(text);
	};
	const server: Server = createServer((request, response) => void handle(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}${pathname}`,
		get hits() {
			return hits;
		},
		close: async () => {
			for (const record of [...abandoned.keys()]) await makeLate(record);
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The record that a request is about: the email of a new one, or the end of the path. */
function recordOf({ url = '' }: IncomingMessage, body: string): string {
	const created = /"email":"([^"]+)"/.exec(body)?.[1];
	return created ?? decodeURIComponent(url.replace(/^.*\/|\?.*$/g, ''));
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
	const names = ['authorization', 'content-type', 'idempotency-key'];
	const given = names
		.map((name) => [name, headers[name]])
		.filter(([, value]) => value !== undefined);
	return Object.fromEntries(given) as Record<string, string>;
}
