import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context';
import { answerRecord } from '../wire/answers';
import { unwrap } from '../wire/bodies';
import { kept, language, nullable, text, validate, webAddress } from '../wire/validation';
import { given } from './resource';

const schema = z.object({
	title: kept(text()),
	description: nullable(text(10_000)),
	website_url: nullable(webAddress),
	language: nullable(language),
	time_zone: nullable(text()),
});

/** The channel that a token belongs to (paths: vendor's client; fields inferred). */
export function registerChannel(api: FastifyInstance, context: Context): void {
	api.get('/channel', (_request, reply) => {
		answerRecord(reply, { name: 'channel', view: context.database.channel, to: 'read' }, context);
	});
	api.patch('/channel', (request, reply) => {
		const { settings } = context;
		const input = validate(schema, unwrap(request.body, 'channel', settings), settings);
		Object.assign(context.database.channel, given(input), { updated_at: context.time() });
		answerRecord(reply, { name: 'channel', view: context.database.channel, to: 'change' }, context);
	});
}
