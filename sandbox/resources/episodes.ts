import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context';
import type { Episode } from '../data/records';
import { dateTime, kept, language, nullable, oneOf, required, text } from '../wire/validation';
import { given, registerResource } from './resource';

const fields = {
	summary: nullable(text(10_000)),
	explicit: kept(oneOf(['yes', 'no'])),
	language: nullable(language),
	published_at: nullable(dateTime),
};

/** An episode as the API shows it (fields: a published integration). */
export function episodeView(episode: Episode): object {
	return { ...episode, has_audio: undefined };
}

/** Episodes (paths: vendor's client). Without audio they never appear in a feed (Supercast's help). */
export function registerEpisodes(api: FastifyInstance, context: Context): void {
	registerResource(api, context, {
		path: '/episodes',
		name: 'episode',
		table: (database) => database.episodes,
		view: episodeView,
		readOne: true,
		create: {
			schema: z.object({ title: required(text()), ...fields }),
			run: (input) => {
				const { database } = context;
				const row = database.episodes.add({
					id: database.nextId('episode'),
					title: input.title,
					summary: input.summary ?? null,
					explicit: input.explicit ?? 'no',
					language: input.language ?? null,
					published_at: input.published_at ?? null,
					created_at: context.time(),
					has_audio: false,
				});
				return { row };
			},
		},
		update: {
			schema: z.object({ title: kept(text()), ...fields }),
			run: (row, input) => context.database.episodes.change(row, given(input)),
		},
		remove: (row) => context.database.episodes.remove(row),
	});
}
