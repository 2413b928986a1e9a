import { updateOperation } from '../../operations/update';
import { episodeFields, episodes, prepareEpisode, titleProperty } from './episode';

/** Changes one episode. */
export const update = updateOperation(episodes, {
	action: 'Update an episode',
	description: 'Change the title, summary, date or other fields of an episode',
	fields: [{ ...titleProperty, required: false }, ...episodeFields],
	prepare: prepareEpisode,
});
