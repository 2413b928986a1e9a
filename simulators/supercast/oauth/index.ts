import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { ApiError, unknownUrl } from '../wire/errors';
import { AuthorizePages } from './authorizePages';
import { createModel } from './model';
import { registerTokenEndpoint } from './tokenEndpoint';

/**
 * The OAuth host with `/oauth/authorize` and `/oauth/token` (specification, section 4). The sandbox
 * serves it at the same origin as the API.
 */
export async function registerOAuth(app: FastifyInstance, context: Context): Promise<void> {
	const server = new OAuth2Server({
		model: createModel(context),
		accessTokenLifetime: context.options.tokenTtlS,
	});
	registerTokenInfo(app, context);
	new AuthorizePages(context, server).register(app);
	await app.register(async (tokens) => await registerTokenEndpoint(tokens, context, server));
}

/**
 * `GET /oauth/token/info` says what a token may do. Supercast's OAuth uses the terms of Doorkeeper,
 * which has this endpoint. We infer that Supercast has it too.
 */
function registerTokenInfo(app: FastifyInstance, context: Context): void {
	app.get('/oauth/token/info', (request, reply) => {
		if (!context.settings.tokenInfo) throw unknownUrl();
		const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
		const found = context.tokens.check(token ?? '');
		if (!found.valid) throw new ApiError(401, 'The access token is invalid');
		reply.send({ scope: found.scope, application: { uid: context.tokens.application.id } });
	});
}
