import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { registerChannel } from '../resources/channel';
import { registerFeeds } from '../resources/feeds';
import { RESOURCES } from '../resources';
import { addMiddleware, withinLimit } from './middleware';
import type { Settings } from '../settings';
import { answerError } from '../wire/answers';
import { ApiError, malformed, unknownUrl } from '../wire/errors';
import { beginExchange, isApiPath } from './exchange';

/** Supercast's API under one of its two prefixes (specification, section 4). */
export async function registerApi(api: FastifyInstance, context: Context): Promise<void> {
	addMiddleware(api, context, { limited: true, authorised: true });
	api.setErrorHandler((error: Error, _request, reply) => sendError(error, reply, context.settings));
	api.setNotFoundHandler(() => {
		throw unknownUrl();
	});
	registerChannel(api, context);
	registerFeeds(api, context);
	for (const { register } of Object.values(RESOURCES)) register(api, context);
}

const DOCUMENTED_ERRORS = { webPages: 'never', errorBody: 'message' } as const;

/** Sends an error in Supercast's documented format, or in the given one. */
export function sendError(
	error: Error,
	reply: FastifyReply,
	form: Pick<Settings, 'webPages' | 'errorBody'> = DOCUMENTED_ERRORS,
): FastifyReply {
	if (error instanceof ApiError) return answerError(reply, error, form);
	const { statusCode } = error as FastifyError;
	if (statusCode === undefined || statusCode >= 500) {
		return reply.code(500).send({ message: `The sandbox failed: ${error.message}` });
	}
	// For an unknown content type, Fastify would send 415, which is not in the specification.
	if (statusCode === 415) return sendError(malformed('unknown content type'), reply, form);
	return answerError(reply, new ApiError(statusCode, error.message), form);
}

/**
 * Responds to addresses that can't be routed, such as broken percent-encoding or endless segments.
 * No hook runs for these requests, so this function counts them toward the limit and logs them.
 */
export function answerUnroutable(
	{ code }: FastifyError,
	request: FastifyRequest,
	reply: FastifyReply,
	context: Context,
): void {
	const undecodable = code === 'FST_ERR_BAD_URL';
	const error = undecodable ? malformed('the address could not be decoded') : unknownUrl();
	if (!isApiPath(request.raw.url ?? '')) return void sendError(error, reply);
	const exchange = beginExchange(request, context);
	const admitted = withinLimit(context, exchange, reply);
	const answer = admitted ? error : new ApiError(429, 'Too many requests');
	context.log.finish(exchange.entry, answer.status);
	sendError(answer, reply, context.settings);
}
