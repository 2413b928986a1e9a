import { createOperation } from '../../operations/create';
import { requireText } from '../../operations/validation';
import { episodeFields, episodes, prepareEpisode, titleProperty } from './episode';
import { textOf } from '../../api/json';

/** Adds an episode. */
export const create = createOperation(episodes, {
	action: 'Create an episode',
	description:
		'Add an episode. It needs an audio file as well before it can be published, which is uploaded in Supercast.',
	required: [titleProperty],
	readRequired: (item) => ({ title: requireText(item.parameter('title'), 'Title') }),
	fields: episodeFields,
	prepare: prepareEpisode,
	nameOf: ({ title }) => textOf(title),
});
