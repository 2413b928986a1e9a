import fastify, { type FastifyInstance } from 'fastify';
import { parse } from 'qs';
import { registerControl } from '../control/controlApi';
import type { Context } from '../context';
import type { Controls } from '../control/controls';
import { registerOAuth } from '../oauth/index';
import { registerRss } from '../resources/rss';
import { answerUnroutable, registerApi, sendError } from './api';
import { acceptBodies } from '../wire/bodies';
import { unknownUrl } from '../wire/errors';

/** Combines the parts of the sandbox in one HTTP server. */
export async function buildApp(context: Context, controls: Controls): Promise<FastifyInstance> {
	const app = fastify({
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		frameworkErrors: (error, request, reply) => answerUnroutable(error, request, reply, context),
		routerOptions: { maxParamLength: 2_000, querystringParser: (text) => parse(text) },
	});
	app.decorateRequest('exchange', null);
	app.addHook('onRequest', (_request, reply, done) => {
		// The sandbox has its own clock, so Node must not add the real time.
		reply.raw.sendDate = false;
		if (context.settings.dateHeader) reply.header('Date', new Date(context.now()).toUTCString());
		done();
	});
	await acceptBodies(app);
	app.setErrorHandler((error: Error, _request, reply) => sendError(error, reply));
	app.setNotFoundHandler(() => {
		throw unknownUrl();
	});
	for (const prefix of ['/api/v1', '/v1']) {
		await app.register(async (api) => await registerApi(api, context), { prefix });
	}
	await app.register(async (control) => registerControl(control, controls), {
		prefix: '/_sandbox',
	});
	registerRss(app, context);
	await registerOAuth(app, context);
	return await app;
}
