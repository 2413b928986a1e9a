import type { AddressInfo } from 'node:net';

import formBody from '@fastify/formbody';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { parse } from 'qs';

import type { Damage } from './damages';

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

/** Why a stand-in refuses a request. The response has this status and body. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: object | string,
		readonly headers: Record<string, string> = {},
	) {
		super(`${status} ${JSON.stringify(body)}`);
	}
}

/** What all stand-ins have in common. */
export interface SenderServer {
	app: FastifyInstance;
	origin: string;
	asked: Asked[];
	/** Responses with an error, and others that don't depend on the system. */
	faults: SenderFault[];
	/** Damages to pages that come with status 200. */
	damages: Damage[];
	close: () => Promise<void>;
}

/** Starts a server on a free port of the loopback interface. `routes` adds each system's routes. */
export async function startSenderServer(
	damages: Damage[],
	routes: Array<(app: FastifyInstance) => void>,
): Promise<SenderServer> {
	const app = fastify({
		bodyLimit: 5_000_000,
		routerOptions: { querystringParser: (text) => parse(text) as Record<string, unknown> },
	});
	const asked: Asked[] = [];
	const faults: SenderFault[] = [];
	await app.register(formBody);
	app.setErrorHandler(async (error, _request, reply) => {
		if (!(error instanceof Refusal)) throw error;
		if (typeof error.body === 'string') void reply.type('text/html; charset=utf-8');
		return await reply.code(error.status).headers(error.headers).send(error.body);
	});
	app.addHook('preHandler', async (request, reply) => {
		asked.push(noted(request));
		const fault = due(faults, request.url);
		if (fault !== undefined) await reply.code(fault.status).send(fault.body ?? {});
	});
	app.get('/monitor', () => ({}));
	app.post('/chat', () => ({}));
	for (const add of routes) add(app);
	await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	const close = async () => {
		app.server.closeAllConnections();
		await app.close();
	};
	return { app, origin: `http://127.0.0.1:${port}`, asked, faults, damages, close };
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
