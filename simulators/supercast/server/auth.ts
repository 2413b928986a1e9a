import type { FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { ApiError, invalid } from '../wire/errors';

const REASONS = {
	unknown: 'The access token is invalid',
	expired: 'The access token expired',
	revoked: 'The access token was revoked',
};

/**
 * Requires a Bearer token whose scope covers the request. If a token is missing, unknown, expired
 * or revoked, the response is 401. For a write request with a read-only token, it is 403
 * (specification, sections 5 and 7). A token in the query or in the body does not count.
 */
export function authorise(request: FastifyRequest, context: Context): void {
	// An address that does not exist gets a 404 even without a token. Rails routes a request
	// before it checks the token.
	if (request.is404) return;
	const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
	if (token === undefined) throw new ApiError(401, 'The access token is missing');
	const found = context.tokens.check(token);
	if (!found.valid) throw new ApiError(401, REASONS[found.reason]);
	if (request.method !== 'GET' && !found.scope.includes('write')) {
		throw new ApiError(403, 'Access denied: the access token lacks the scope write');
	}
	if (found.superapp) requireSubdomain(request, context);
}

/** A superapp names the channel in each request (vendor's example). The statuses are inferred. */
function requireSubdomain(request: FastifyRequest, context: Context): void {
	const { subdomain } = request.query as Record<string, unknown>;
	if (typeof subdomain !== 'string' || subdomain === '') {
		throw invalid('subdomain', "can't be blank");
	}
	if (subdomain !== context.database.channel.subdomain) {
		throw new ApiError(403, 'Access denied: this channel has not authorized the application');
	}
}
