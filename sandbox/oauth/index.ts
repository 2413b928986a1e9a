import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { AuthorizePages } from './authorizePages';
import { createModel } from './model';
import { registerTokenInfo } from './tokenInfo';
import { registerTokenEndpoint } from './tokenEndpoint';

/**
 * The OAuth host: `/oauth/authorize` and `/oauth/token` (specification, section 4). In the sandbox
 * it is on the same origin as the API.
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
