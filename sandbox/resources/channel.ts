import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context';
import { unwrap } from '../server/bodies';
import { kept, language, nullable, text, validate, webAddress } from '../server/validation';
import { given } from './resource';

const schema = z.object({
	title: kept(text()),
	description: nullable(text(10_000)),
	website_url: nullable(webAddress),
	language: nullable(language),
	time_zone: nullable(text()),
});

/** The one channel that a token belongs to (paths: vendor's client; fields inferred). */
export function registerChannel(api: FastifyInstance, context: Context): void {
	api.get('/channel', (_request, reply) => {
		reply.send(context.database.channel);
	});
	api.patch('/channel', (request, reply) => {
		const input = validate(schema, unwrap(request.body, 'channel'));
		Object.assign(context.database.channel, given(input), { updated_at: context.time() });
		reply.send(context.database.channel);
	});
}
