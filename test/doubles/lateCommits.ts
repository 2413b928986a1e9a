import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A gateway that times out: see {@link LateCommits}. */
export interface LateCommits {
	/** Replaces Supercast's base URL. */
	baseUrl: string;
	/** How many requests it abandoned. */
	readonly hits: number;
	close(): Promise<void>;
}

/**
 * Starts a gateway in front of the sandbox. It answers some changes with 504, and passes them on a
 * while later. So a change that seemed to fail is made after all.
 *
 * @param baseUrl The sandbox's.
 * @param lateMs How much later, in milliseconds.
 * @param every Which changes it abandons: every third, for example.
 */
export async function startLateCommits(
	baseUrl: string,
	lateMs: number,
	every: number,
): Promise<LateCommits> {
	const { origin, pathname } = new URL(baseUrl);
	let changes = 0;
	let hits = 0;
	const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const send = async (): Promise<Response> =>
			await fetch(`${origin}${request.url}`, {
				method: request.method ?? 'GET',
				headers: headersOf(request),
				...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
			});
		if (request.method !== 'GET' && ++changes % every === 0) {
			hits++;
			setTimeout(() => void send(), lateMs);
			response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>Gateway time-out</h1>');
			return;
		}
		const answer = await send();
		const sent = ['content-type', 'date', 'x-page', 'x-per-page', 'x-total'];
		const headers = sent.map((name) => [name, answer.headers.get(name)] as const);
		const given = Object.fromEntries(headers.filter(([, value]) => value !== null));
		response.writeHead(answer.status, given as Record<string, string>).end(await answer.text());
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
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
	const names = ['authorization', 'content-type', 'idempotency-key'];
	const given = names
		.map((name) => [name, headers[name]])
		.filter(([, value]) => value !== undefined);
	return Object.fromEntries(given) as Record<string, string>;
}
