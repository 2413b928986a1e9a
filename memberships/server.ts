import type { AddressInfo } from 'node:net';

import formBody from '@fastify/formbody';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

/** A request that a stand-in received. */
export interface Asked {
	method: string;
	/** The path and the query. */
	url: string;
	authorization: string;
	body: string;
	at: number;
}

/** A response that a stand-in sends instead of the usual one. */
export interface SenderFault {
	/** Part of the path and query that the request must contain. */
	path: string;
	status: number;
	body?: unknown;
	/** How many matching requests to answer normally first. */
	after?: number;
	/** How many matching requests the fault affects. Without it, all of them. */
	times?: number;
}

/** What all stand-ins have in common. */
export interface SenderServer {
	app: FastifyInstance;
	origin: string;
	asked: Asked[];
	faults: SenderFault[];
	close: () => Promise<void>;
}

/**
 * Starts a server on a free port of the loopback interface. The stand-ins add their routes to it.
 */
export async function startSenderServer(
	register: Array<(app: FastifyInstance) => void>,
): Promise<SenderServer> {
	const app = fastify({ bodyLimit: 5_000_000 });
	const asked: Asked[] = [];
	const faults: SenderFault[] = [];
	await app.register(formBody);
	app.addHook('preHandler', async (request, reply) => {
		asked.push(noted(request));
		const fault = due(faults, request.url);
		if (fault !== undefined) await reply.code(fault.status).send(fault.body ?? {});
	});
	app.get('/monitor', () => ({}));
	app.post('/chat', () => ({}));
	for (const routes of register) routes(app);
	await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	const close = async () => {
		app.server.closeAllConnections();
		await app.close();
	};
	return { app, origin: `http://127.0.0.1:${port}`, asked, faults, close };
}

function noted({ method, url, headers, body }: FastifyRequest): Asked {
	const text = body === undefined ? '' : JSON.stringify(body);
	return { method, url, authorization: headers.authorization ?? '', body: text, at: Date.now() };
}

/** Finds the fault for this request, and counts it. */
function due(faults: SenderFault[], url: string): SenderFault | undefined {
	const fault = faults.find(({ path }) => decodeURIComponent(url).includes(path));
	if (fault === undefined) return undefined;
	if ((fault.after ?? 0) > 0) {
		fault.after = (fault.after ?? 0) - 1;
		return undefined;
	}
	if (fault.times === undefined) return fault;
	fault.times -= 1;
	if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
	return fault;
}
