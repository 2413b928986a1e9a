import type { FastifyRequest } from 'fastify';
import type { Context } from '../context';
import type { Fault } from '../control/faults';
import { redactHeaders, type LogEntry } from './requestLog';

/** One request on its way through the sandbox. */
export interface Exchange {
	entry: LogEntry;
	/** A fault to apply after the sandbox has processed the request. */
	pending?: Fault;
	/** The key under which to store the response for repeated requests. */
	idempotencyKey?: string;
	/** Whether the limit refused it. The response then comes without the simulated latency. */
	refused?: boolean;
}

declare module 'fastify' {
	interface FastifyRequest {
		exchange: Exchange | null;
	}
}

const VERSION = /^(\/api)?\/v1(?=[/?]|$)/;

/** Whether an address belongs to the API, in either form (specification, section 4). */
export const isApiPath = (url: string): boolean => VERSION.test(url);

/** The address without the version, as used in faults. */
export const withoutVersion = (url: string): string => url.replace(VERSION, '');

/** The path without version and query, as used in counters. */
export const plainPath = (url: string): string => withoutVersion(url).replace(/\?.*$/s, '') || '/';

/** Logs a request when it arrives. */
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
