import type { FastifyRequest } from 'fastify';
import type { Context } from '../context';
import type { Fault } from '../control/faults';
import { redactHeaders, type LogEntry } from './requestLog';

/** One request on its way through the sandbox. */
export interface Exchange {
	entry: LogEntry;
	/** A fault that is to strike once the service has processed the request. */
	pending?: Fault;
	/** Under which key the answer is kept for repeats. */
	idempotencyKey?: string;
	/** Refused by the limit: answered at once, without the service's latency. */
	refused?: boolean;
}

declare module 'fastify' {
	interface FastifyRequest {
		exchange: Exchange | null;
	}
}

const VERSION = /^(\/api)?\/v1(?=[/?]|$)/;

/** Whether an address is one of the API's, in either form (specification, section 4). */
export const isApiPath = (url: string): boolean => VERSION.test(url);

/** The path without version and query, as faults and counters name it. */
export function plainPath(url: string): string {
	return url.replace(VERSION, '').replace(/\?.*$/s, '') || '/';
}

/** Notes a request as it comes in. */
export function beginExchange(request: FastifyRequest, context: Context): Exchange {
	const { method } = request;
	const route = request.is404 ? undefined : request.routeOptions.url;
	const exchange: Exchange = {
		entry: context.log.add({
			time: context.time(),
			method,
			path: request.raw.url ?? '',
			route: `${method} ${route === undefined ? '(unknown)' : plainPath(route)}`,
			params: { ...(request.params as object | undefined) },
			query: { ...(request.query as object | undefined) },
			headers: redactHeaders(request.headers),
			body: undefined,
		}),
	};
	request.exchange = exchange;
	return exchange;
}
