import type { AddressInfo } from 'node:net';

import formBody from '@fastify/formbody';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { parse } from 'qs';

import type { MockServer } from './system';

/** A request that a mock server received. */
export interface Asked {
	/** The name of the system. */
	system: string;
	method: string;
	/** The path and the query, as the system knows them. */
	url: string;
	authorization: string;
	body: string;
	at: number;
}

/** A response that a mock server sends instead of the usual one. */
export interface ResponseFault {
	/** The name of the system. Without it, the fault affects all systems. */
	system?: string;
	/** Part of the path and query that the request must contain. */
	path: string;
	status: number;
	body?: unknown;
	/** How many matching requests to answer normally first. */
	after?: number;
	/** How many matching requests the fault affects. Without it, all of them. */
	times?: number;
}

/** A query, as servers understand `fields[member]=email` and `expand[]=data.customer`. */
export interface ListQuery {
	[name: string]: string | string[] | ListQuery | undefined;
}

/** The text of a parameter. Several values are joined by commas. */
export function textIn(query: ListQuery, name: string): string | undefined {
	const value = query[name];
	if (Array.isArray(value)) return value.join(',');
	return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** Why a mock server refuses a request. The response has this status and body. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: object | string,
		readonly headers: Record<string, string> = {},
	) {
		super(`${status} ${JSON.stringify(body)}`);
	}
}

/** What all mock servers have in common. */
export interface SharedServer {
	app: FastifyInstance;
	origin: string;
	asked: Asked[];
	/** Responses with an error, and others that don't depend on the system. */
	faults: ResponseFault[];
	close: () => Promise<void>;
}

/**
 * Starts a server on a free port of the loopback interface. The path of each request begins with the
 * name of its system, so systems can have the same paths.
 */
export async function startSharedServer(
	servers: Record<string, MockServer>,
): Promise<SharedServer> {
	const app = fastify({
		bodyLimit: 5_000_000,
		routerOptions: { querystringParser: (text) => parse(text) as Record<string, unknown> },
	});
	const asked: Asked[] = [];
	const faults: ResponseFault[] = [];
	await app.register(formBody);
	app.setErrorHandler(async (error, _request, reply) => {
		if (!(error instanceof Refusal)) throw error;
		if (typeof error.body === 'string') void reply.type('text/html; charset=utf-8');
		return await reply.code(error.status).headers(error.headers).send(error.body);
	});
	app.addHook('preHandler', async (request, reply) => {
		const received = noted(request);
		asked.push(received);
		const fault = due(faults, received);
		if (fault !== undefined) await reply.code(fault.status).send(fault.body ?? {});
	});
	for (const [name, server] of Object.entries(servers))
		await app.register(async (own) => server.routes(own), { prefix: `/${name}` });
	await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	const close = async () => {
		app.server.closeAllConnections();
		await app.close();
	};
	return { app, origin: `http://127.0.0.1:${port}`, asked, faults, close };
}

function noted({ method, url, headers, body }: FastifyRequest): Asked {
	const [, system = '', path = ''] = /^\/([^/?]*)(.*)$/.exec(url) ?? [];
	return {
		...{ system, method, url: path, at: Date.now() },
		authorization: headers.authorization ?? '',
		body: body === undefined ? '' : JSON.stringify(body),
	};
}

/** Finds the fault for this request, and counts it. */
function due(faults: ResponseFault[], { system, url }: Asked): ResponseFault | undefined {
	const fault = faults.find(
		(one) => (one.system ?? system) === system && decodeURIComponent(url).includes(one.path),
	);
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
