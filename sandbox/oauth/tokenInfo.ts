import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { ApiError, unknownUrl } from '../wire/errors';

/**
 * `GET /oauth/token/info`: what a token may do. This is an endpoint of Doorkeeper, whose vocabulary
 * Supercast's OAuth uses. It is inferred that Supercast has the endpoint too.
 */
export function registerTokenInfo(app: FastifyInstance, context: Context): void {
	app.get('/oauth/token/info', (request, reply) => {
		if (!context.settings.tokenInfo) throw unknownUrl();
		const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
		const found = context.tokens.check(token ?? '');
		if (!found.valid) throw new ApiError(401, 'The access token is invalid');
		reply.send({ scope: found.scope, application: { uid: context.tokens.application.id } });
	});
}
