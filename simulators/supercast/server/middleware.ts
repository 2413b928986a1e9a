import type { AddressInfo } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { redactForLog } from './requestLog';
import { retryAfterValue } from './rateLimit';
import { authorise } from './auth';
import { parseForm } from '../wire/bodies';
import { ApiError, unknownUrl } from '../wire/errors';
import { beginExchange, plainPath, withoutVersion, type Exchange } from './exchange';
import { breakConnection, breaks, faultAnswer, sentStatus } from '../control/faultResponse';

/** Which checks apply. The token endpoint needs no token and has no limit. */
export interface MiddlewareRules {
	limited: boolean;
	authorised: boolean;
}

/**
 * The steps of every request: log, rate limit, faults, token, body, then faults again, latency and
 * counters. The limit comes first, because a request above it is not processed in any way
 * (specification, section 8).
 */
export function addMiddleware(
	app: FastifyInstance,
	context: Context,
	rules: MiddlewareRules,
): void {
	app.addHook('onRequest', (request, reply, done) => {
		// It was logged and counted when it came.
		if (request.headers[LATE] !== undefined) return done();
		const exchange = beginExchange(request, context);
		if (rules.limited && !withinLimit(context, exchange, reply)) {
			return done(new ApiError(429, 'Too many requests'));
		}
		if (failBefore(context, exchange, request, reply)) return;
		try {
			refuseShortPath(request, context);
			if (rules.authorised) authorise(request, context);
			done();
		} catch (error) {
			done(error as Error);
		}
	});
	app.addHook('preValidation', async (request) => {
		if (request.exchange) request.exchange.entry.body = redactForLog(request.body);
		if (!request.is404) parseForm(/\?(.*)$/s.exec(request.raw.url ?? '')?.[1] ?? '');
	});
	app.addHook('preHandler', async (request, reply) => {
		if (isDeferred(app, request)) return await reply.send();
		return repeatAnswer(request, reply, context);
	});
	app.addHook('onSend', (request, reply, payload, done) => {
		leave(request, reply, payload, context, done);
	});
}

/** Whether the rate limit admits a request. If not, adds `Retry-After`, unless it is off. */
export function withinLimit(context: Context, exchange: Exchange, reply: FastifyReply): boolean {
	const verdict = context.limiter.admit();
	if (verdict.admitted) return true;
	exchange.refused = true;
	const { retryAfter } = context.settings;
	const value = retryAfterValue(retryAfter, verdict.waitMs, context.now());
	if (value !== undefined) reply.header('Retry-After', value);
	return false;
}

function failBefore(
	context: Context,
	exchange: Exchange,
	request: FastifyRequest,
	reply: FastifyReply,
): boolean {
	const fault = context.faults.next(request.method, withoutVersion(request.raw.url ?? ''));
	if (!fault) return false;
	exchange.entry.fault = { kind: fault.kind, when: fault.when };
	if (fault.when === 'after' || fault.lateMs !== undefined) {
		exchange.pending = fault;
		return false;
	}
	// Like a request above the limit, this one is neither processed nor counted (specification,
	// section 8).
	if (fault.status === 429 && !context.settings.countRefused) context.limiter.takeBack();
	if (breaks(fault)) {
		context.log.finish(exchange.entry, sentStatus(fault, reply));
		breakConnection(fault, request, reply);
	} else {
		reply.send(faultAnswer(fault, reply, context));
	}
	return true;
}

/** Marks a request that the sandbox processes only now. */
const LATE = 'x-sandbox-late';

/** Whether a request is processed later, after the fault that answers it. */
function isDeferred(app: FastifyInstance, { exchange, raw, body }: FastifyRequest): boolean {
	const lateMs = exchange?.pending?.lateMs;
	if (lateMs === undefined) return false;
	const { method = 'GET', url = '', headers } = raw;
	const { authorization = '' } = headers;
	const hasBody = typeof body === 'object' && body !== null;
	const { port } = app.server.address() as AddressInfo;
	setTimeout(() => {
		const request = {
			method,
			headers: {
				authorization,
				[LATE]: '1',
				...(hasBody && { 'content-type': 'application/json' }),
			},
			...(hasBody && { body: JSON.stringify(body) }),
		};
		fetch(`http://127.0.0.1:${port}${url}`, request).then(
			async (response) => void (await response.arrayBuffer()),
			(error: unknown) => {
				// The sandbox may have been closed.
				if (app.server.listening) throw error;
			},
		);
	}, lateMs).unref();
	return true;
}

/** The specification writes the path with and without `/api`. It is inferred that both exist. */
function refuseShortPath(request: FastifyRequest, { settings }: Context): void {
	if (!settings.shortPath && /^\/v1(?=[/?]|$)/.test(request.raw.url ?? '')) throw unknownUrl();
}

function repeatAnswer(request: FastifyRequest, reply: FastifyReply, context: Context): void {
	const key = request.headers['idempotency-key'];
	const { exchange } = request;
	if (!context.settings.honourIdempotencyKey || typeof key !== 'string' || !exchange) return;
	if (request.method !== 'POST' && request.method !== 'DELETE') return;
	const name = `${request.method} ${plainPath(request.raw.url ?? '')} ${key}`;
	const kept = context.idempotency.get(name);
	if (kept) {
		const isEmpty = kept.payload === '';
		if (!isEmpty) reply.type('application/json; charset=utf-8');
		reply.code(kept.status).send(isEmpty ? undefined : kept.payload);
	} else {
		exchange.idempotencyKey = name;
	}
}

type Done = (error: Error | null, payload?: unknown) => void;

function leave(
	request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
	context: Context,
	done: Done,
): void {
	const { exchange } = request;
	if (!exchange) return done(null, payload);
	const answer = typeof payload === 'string' ? payload : '';
	if (exchange.idempotencyKey !== undefined && reply.statusCode < 500) {
		context.idempotency.set(exchange.idempotencyKey, {
			status: reply.statusCode,
			payload: answer,
		});
	}
	const send = (): void => {
		const fault = exchange.pending;
		if (!fault) done(null, payload);
		else if (breaks(fault)) breakConnection(fault, request, reply, answer);
		else done(null, faultAnswer(fault, reply, context, answer));
	};
	const { pending } = exchange;
	context.log.finish(exchange.entry, pending ? sentStatus(pending, reply) : reply.statusCode);
	const { latencyMs, latencyMaxMs } = context.settings;
	const ms = latencyMs + context.random() * Math.max(0, latencyMaxMs - latencyMs);
	if (ms === 0 || exchange.refused) send();
	else setTimeout(send, ms).unref();
}
