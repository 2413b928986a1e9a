import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tiny server, for responses that the sandbox does not send. */
export interface HttpServer {
	origin: string;
	/** The requests it received, such as `POST /oauth/token`. */
	readonly received: string[];
	close(): Promise<void>;
}

/** Reads the body of a request. */
export async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

/** Starts a server on 127.0.0.1. */
export async function startHttpServer(
	answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<HttpServer> {
	const received: string[] = [];
	const server = createServer((request, response) => {
		received.push(`${request.method} ${request.url}`);
		request.resume();
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${port}`,
		received,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
