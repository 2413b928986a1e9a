import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response of a stand-in. */
export interface Reply {
	status?: number;
	/** A text is sent as it is, anything else as JSON. */
	body: unknown;
}

/** A request that a stand-in received. */
export interface Asked {
	method: string;
	path: string;
	query: URLSearchParams;
	authorization: string;
	body: string;
}

/** Stands in for the APIs of the membership systems. Each test sets their responses. */
export interface Senders {
	origin: string;
	asked: Asked[];
	/** Responses by the beginning of the path. Without one, the stand-in sends a 404. */
	replies: Map<string, Reply>;
	close: () => Promise<void>;
}

/** Starts the stand-ins, all at one address. */
export async function startSenders(): Promise<Senders> {
	const asked: Asked[] = [];
	const replies = new Map<string, Reply>();
	const server = createServer((request, response) => {
		void readBody(request).then((body) => {
			const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
			const authorization = String(request.headers.authorization ?? '');
			const method = request.method ?? '';
			asked.push({ method, path: pathname, query: searchParams, authorization, body });
			const found = [...replies].find(([path]) => pathname.startsWith(path))?.[1];
			const { status = 200, body: answer } = found ?? { status: 404, body: { error: 'not found' } };
			const text = typeof answer === 'string';
			response.writeHead(status, { 'content-type': text ? 'text/csv' : 'application/json' });
			response.end(text ? answer : JSON.stringify(answer));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { origin: `http://127.0.0.1:${port}`, asked, replies, close };
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}
