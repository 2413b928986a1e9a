import { z } from 'zod';
import { TOPICS } from '../data/names';
import { pick } from '../data/random';
import { dateTime, kept, language, nullable, required, text } from '../wire/validation';
import { given, resource } from './resource';

const fields = {
	summary: nullable(text(10_000)),
	explicit: kept(z.enum(['yes', 'no'])),
	language: nullable(language),
	published_at: nullable(dateTime),
};

/**
 * Episodes (paths: vendor's client; fields: a published integration). An episode without audio
 * never appears in a feed (Supercast's help).
 */
export const episodeList = resource({
	list: 'episodes',
	name: 'episode',
	grow: (database, time) => {
		const number = database.nextNumber('episode title');
		return database.lists.episodes.add({
			id: database.nextId('episode'),
			title: `Episode ${number}: ${pick(database.random, TOPICS)}`,
			summary: `What we heard about ${pick(database.random, TOPICS)}.`,
			explicit: number % 5 === 0 ? 'yes' : 'no',
			language: 'en',
			published_at: time,
			created_at: time,
			has_audio: true,
		});
	},
	view: (episode) => ({ ...episode, has_audio: undefined }),
	readOne: true,
	create: {
		schema: z.object({ title: required(text()), ...fields }),
		run: (input, { database, time }) => ({
			row: database.lists.episodes.add({
				id: database.nextId('episode'),
				title: input.title,
				summary: input.summary ?? null,
				explicit: input.explicit ?? 'no',
				language: input.language ?? null,
				published_at: input.published_at ?? null,
				created_at: time(),
				has_audio: false,
			}),
		}),
	},
	update: {
		schema: z.object({ title: kept(text()), ...fields }),
		run: (row, input, { database }) => void database.lists.episodes.change(row, given(input)),
	},
	remove: true,
});
